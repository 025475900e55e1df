/** @jsxImportSource preact */
// Everybody's keys, without their secrets: suspend one, resume it, or revoke it for good.
import { Card } from "../shared/bits.tsx";
import { date } from "../shared/format.ts";
import { Skeleton } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import type { AdminKeyRow } from "./answers.ts";
import { PlainButton, SureButton, useList } from "./use-list.tsx";

const COLOURS = { works: "green", suspended: "amber", ends: "amber", ended: "red" } as const;

export function KeysSection() {
  const { rows, change, button } = useList<AdminKeyRow>("keys");
  const act = (id: string, action: "suspend" | "resume" | "revoke") => change({ id, action });
  return (
    <Card title="Keys" class="wide-card">
      {rows === null ? (
        <Skeleton rows={3} />
      ) : (
        <Table
          label="Keys"
          rows={rows}
          keyOf={(row) => row.id}
          columns={[
            { title: "Key", isRowHead: true, cell: (row) => <code>{row.hint}</code> },
            { title: "Id", cell: (row) => <code class="soft">{row.id}</code> },
            { title: "Account", cell: (row) => row.email ?? row.accountId },
            { title: "Plan", cell: (row) => row.plan ?? "" },
            { title: "Since", cell: (row) => date(Date.parse(row.createdAt)) },
            { title: "State", cell: (row) => <span class={`chip ${COLOURS[row.state]}`}>{row.state}</span> },
            {
              title: "Change",
              cell: (row) => (
                <span class="pair">
                  {row.state === "works" ? (
                    <PlainButton title="Suspend" act={() => act(row.id, "suspend")} />
                  ) : null}
                  {row.state === "suspended" ? (
                    <PlainButton title="Resume" act={() => act(row.id, "resume")} />
                  ) : null}
                  {row.state === "ended" ? null : (
                    <SureButton title="Revoke" sure="Revoke for good" act={() => act(row.id, "revoke")} />
                  )}
                </span>
              ),
            },
          ]}
        />
      )}
      {button}
    </Card>
  );
}
