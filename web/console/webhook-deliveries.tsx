/** @jsxImportSource preact */
// The deliveries to one webhook, newest first, page by page.
import { useEffect, useState } from "preact/hooks";
import type { Webhook, WebhookDeliveriesAnswer } from "../../client/src/generated.ts";
import { Card, Moment } from "../shared/bits.tsx";
import { count } from "../shared/format.ts";
import { Skeleton } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import { sentenceOf, service } from "./state.ts";

type ListedDelivery = WebhookDeliveriesAnswer["deliveries"][number];

const ROWS = 25;

export function DeliveriesCard({ webhook }: { webhook: Webhook }) {
  const [rows, setRows] = useState<ListedDelivery[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const load = async (cursor: string | null) => {
    try {
      const page = await service().listWebhookDeliveries({
        webhookId: webhook.id,
        limit: ROWS,
        ...(cursor ? { cursor } : {}),
      });
      setRows((before) => [...(cursor ? (before ?? []) : []), ...page.deliveries]);
      setNext(page.nextCursor);
    } catch (error) {
      setSaid(sentenceOf(error));
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

function DeliveryTable({ rows }: { rows: readonly ListedDelivery[] }) {
  if (rows.length === 0) return <p class="soft pad">Nothing was sent in the last seven days.</p>;
  return (
    <Table
      label="Deliveries"
      rows={rows}
      keyOf={(row) => `${row.at} ${row.messageId} ${row.attempt}`}
      titleOf={(row) => row.note ?? undefined}
      columns={[
        { title: "When", cell: (row) => <Moment at={Date.parse(row.at)} /> },
        {
          title: "Outcome",
          cell: ({ outcome }) => (
            <span class={`chip ${outcome === "delivered" ? "green" : "red"}`}>{outcome}</span>
          ),
        },
        { title: "Status", class: "right num", cell: (row) => row.status ?? "–" },
        { title: "Took", class: "right num", cell: (row) => `${count(row.durationMs)} ms` },
        {
          title: "Events",
          class: "right num",
          cell: (row) => (row.kind === "test" ? "test" : count(row.events)),
        },
        { title: "Attempt", class: "right num", cell: (row) => count(row.attempt) },
      ]}
    />
  );
}
