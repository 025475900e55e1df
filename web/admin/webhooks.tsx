/** @jsxImportSource preact */
// Everybody's webhooks: the state of each, and a stop that its owner can't undo.
import { Card } from "../shared/bits.tsx";
import { count } from "../shared/format.ts";
import { Skeleton } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import type { WebhookRow } from "./answers.ts";
import { PlainButton, useList } from "./use-list.tsx";

export function WebhooksSection() {
  const { rows, change, button } = useList<WebhookRow>("webhooks");
  return (
    <Card title="Webhooks" class="wide-card">
      {rows === null ? <Skeleton rows={3} /> : null}
      {rows?.length === 0 ? <p class="soft pad">Nothing here yet.</p> : null}
      {rows && rows.length > 0 ? (
        <Table
          label="Webhooks"
          rows={rows}
          keyOf={(row) => row.id}
          columns={[
            { title: "Webhook", isRowHead: true, cell: (row) => <b>{row.name ?? row.id}</b> },
            { title: "Goes to", cell: (row) => <code>{row.host}</code> },
            { title: "Account", cell: (row) => <code class="soft">{row.accountId}</code> },
            {
              title: "State",
              cell: (row) => (
                <span class={`chip ${row.status === "active" ? "green" : "red"}`}>
                  {row.status === "active" ? "active" : `paused (${row.pausedBecause})`}
                </span>
              ),
            },
            { title: "Delivered", class: "right num", cell: (row) => count(row.delivered) },
            { title: "Failures", class: "right num", cell: (row) => count(row.failures) },
            {
              title: "Change",
              cell: (row) =>
                row.pausedBecause === "operator" ? (
                  <PlainButton title="Resume" act={() => change({ id: row.id, action: "resume" })} />
                ) : (
                  <PlainButton title="Stop" act={() => change({ id: row.id, action: "stop" })} />
                ),
            },
          ]}
        />
      ) : null}
      {button}
    </Card>
  );
}
