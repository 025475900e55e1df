/** @jsxImportSource preact */
// The service's health, the log's position, and how far behind the reading of each chain is.
import { Card } from "../shared/bits.tsx";
import { count, span } from "../shared/format.ts";
import { Table } from "../shared/table.tsx";
import { attempt, overview, refresh } from "./state.ts";
import { PlainButton } from "./use-list.tsx";

export function ChainsSection() {
  const answer = overview.value;
  if (answer === null) return null;
  const age = Date.parse(answer.now) - Date.parse(answer.capturedAt);
  return (
    <div class="console-grid">
      <Card title="The service" class="wide-card">
        <p class="pad">
          <span class={`chip ${answer.ok ? "green" : "red"}`}>{answer.ok ? "well" : "not well"}</span>{" "}
          {count(answer.traders)} traders, {count(answer.tokens)} tokens; the log is at {count(answer.seq)},
          written {span(Math.max(0, age))} ago.{" "}
          <PlainButton title="Look again" act={() => attempt(refresh)} />
        </p>
      </Card>
      <Card title="Chains" class="wide-card">
        {answer.chains === null ? (
          <p class="soft pad">This process reads no chains itself.</p>
        ) : (
          <Table
            label="Chains"
            rows={answer.chains}
            keyOf={(row) => row.chain}
            columns={[
              { title: "Chain", isRowHead: true, cell: (row) => row.chain },
              {
                title: "Behind",
                class: "right num",
                cell: (row) => (row.lagMs === null ? "not read yet" : span(row.lagMs)),
              },
              { title: "Why", cell: (row) => row.reason ?? "" },
            ]}
          />
        )}
      </Card>
    </div>
  );
}
