/** @jsxImportSource preact */
// What was sent to one webhook, newest first, a page at a time.
import { useEffect, useState } from "preact/hooks";
import { Card, Scroll } from "../shared/bits.tsx";
import { count, day } from "../shared/format.ts";
import { Skeleton } from "../shared/states.tsx";
import { ask, type WebhookDeliveries, type Webhooks } from "./state.ts";

type Row = WebhookDeliveries["deliveries"][number];

const ROWS = 25;

export function DeliveriesCard({ webhook }: { webhook: Webhooks["webhooks"][number] }) {
  const [rows, setRows] = useState<Row[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const load = async (cursor: string | null) => {
    const query = new URLSearchParams({ limit: String(ROWS), ...(cursor ? { cursor } : {}) });
    const path = `/v2/webhooks/${encodeURIComponent(webhook.id)}/deliveries?${query}`;
    try {
      const page = await ask<WebhookDeliveries>(path);
      setRows((before) => [...(cursor ? (before ?? []) : []), ...page.deliveries]);
      setNext(page.nextCursor);
    } catch (problem) {
      setSaid(problem instanceof Error ? problem.message : "No answer.");
    }
  };
  useEffect(() => {
    void load(null);
  }, []);
  return (
    <Card title={`Deliveries to ${webhook.name ?? webhook.id}`} class="wide-card">
      {said ? (
        <p class="notice bad" role="alert">
          {said}
        </p>
      ) : null}
      {rows === null ? <Skeleton rows={4} /> : <DeliveryTable rows={rows} />}
      {next ? (
        <p class="pad">
          <button type="button" class="plain small" onClick={() => void load(next)}>
            Older ones
          </button>
        </p>
      ) : null}
    </Card>
  );
}

function DeliveryTable({ rows }: { rows: readonly Row[] }) {
  if (rows.length === 0) return <p class="soft pad">Nothing was sent in the last seven days.</p>;
  return (
    <Scroll label="Deliveries">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Outcome</th>
            <th scope="col" class="right">
              Status
            </th>
            <th scope="col" class="right">
              Took
            </th>
            <th scope="col" class="right">
              Events
            </th>
            <th scope="col" class="right">
              Attempt
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.at} ${row.messageId} ${row.attempt}`} data-row title={row.note ?? undefined}>
              <td>{day(Date.parse(row.at), true)}</td>
              <td>
                <span class={`chip ${row.outcome === "delivered" ? "green" : "red"}`}>{row.outcome}</span>
              </td>
              <td class="right num">{row.status ?? "–"}</td>
              <td class="right num">{count(row.durationMs)} ms</td>
              <td class="right num">{row.kind === "test" ? "test" : count(row.events)}</td>
              <td class="right num">{count(row.attempt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
