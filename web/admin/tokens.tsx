/** @jsxImportSource preact */
// Spam: find a token, mark it as spam or not, and see earlier decisions.
import { useState } from "preact/hooks";
import { Card } from "../shared/bits.tsx";
import { day, shortAddress } from "../shared/format.ts";
import { usePage } from "../shared/query.tsx";
import { Skeleton } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import type { JudgedToken } from "./answers.ts";
import { PlainButton, useList } from "./use-list.tsx";

export function TokensSection() {
  const [text, setText] = useState("");
  const [search, setSearch] = useState({ asked: "", number: 0 });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setSearch(({ number }) => ({ asked: text.trim(), number: number + 1 }));
  };
  return (
    <div class="console-grid">
      <Card title="Find a token" class="wide-card">
        <form class="filters pad" onSubmit={submit}>
          <label class="grow">
            <span>Ticker, name or address; nothing for all that were judged</span>
            <input
              name="q"
              autocomplete="off"
              maxLength={100}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <button type="submit">Find</button>
        </form>
      </Card>
      {/* A list of its own for each search, so that a late answer replaces nothing and a failed search can be repeated. */}
      <TokenList key={search.number} asked={search.asked} />
    </div>
  );
}

function TokenList({ asked }: { asked: string }) {
  const { rows, change, button } = useList<JudgedToken>("tokens", asked === "" ? {} : { q: asked });
  return (
    <Card title={asked === "" ? "Judged" : "Found"} class="wide-card">
      {rows === null ? <Skeleton rows={3} /> : null}
      {rows?.length === 0 ? <p class="soft pad">Nothing here yet.</p> : null}
      {rows && rows.length > 0 ? <TokenTable rows={rows} change={change} /> : null}
      {button}
    </Card>
  );
}

function TokenTable({ rows, change }: { rows: JudgedToken[]; change: (body: unknown) => unknown }) {
  const { chains } = usePage();
  const judge = ({ address, networkId }: JudgedToken, verdict: JudgedToken["verdict"]) =>
    change({ address, networkId, verdict });
  return (
    <Table
      label="Tokens"
      rows={rows}
      keyOf={(row) => `${row.networkId} ${row.address}`}
      columns={[
        { title: "Token", isRowHead: true, cell: (row) => row.symbol ?? shortAddress(row.address) },
        { title: "Address", cell: (row) => <code class="soft">{shortAddress(row.address)}</code> },
        {
          title: "Chain",
          cell: (row) => chains.find(({ id }) => id === row.networkId)?.name ?? row.networkId,
        },
        {
          title: "Word",
          cell: (row) =>
            row.verdict === null ? (
              <span class="soft">the platform's</span>
            ) : (
              <span class={`chip ${row.verdict === "spam" ? "red" : "green"}`}>
                {row.verdict === "spam" ? "spam" : "not spam"}
              </span>
            ),
        },
        {
          title: "By",
          cell: (row) =>
            row.judgedAt === null ? "" : `${row.judgedBy}, ${day(Date.parse(row.judgedAt), true)}`,
        },
        {
          title: "Change",
          cell: (row) => (
            <span class="pair">
              {row.verdict === "spam" ? null : <PlainButton title="Spam" act={() => judge(row, "spam")} />}
              {row.verdict === "fine" ? null : (
                <PlainButton title="Not spam" act={() => judge(row, "fine")} />
              )}
              {row.verdict === null ? null : <PlainButton title="Take back" act={() => judge(row, null)} />}
            </span>
          ),
        },
      ]}
    />
  );
}
