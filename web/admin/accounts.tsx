/** @jsxImportSource preact */
// Accounts: a paged list, and one by its id or e-mail address with its credits, keys and latest entries.
import { useState } from "preact/hooks";
import { Card } from "../shared/bits.tsx";
import { count, date, day } from "../shared/format.ts";
import { Skeleton } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import type { AccountDetail, AccountRow, AdminPage } from "./answers.ts";
import { ask, attempt } from "./state.ts";
import { PlainButton, useList } from "./use-list.tsx";

export function AccountsSection() {
  const { rows, button } = useList<AccountRow>("accounts");
  const [found, setFound] = useState<AccountDetail[] | null>(null);
  const [text, setText] = useState("");
  const find = (subject: string) =>
    attempt(async () =>
      setFound((await ask<AdminPage<AccountDetail>>("accounts", {}, { find: subject })).rows),
    );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (text.trim()) void find(text.trim());
  };
  return (
    <div class="console-grid">
      <Card title="Find an account" class="wide-card">
        <form class="filters pad" onSubmit={submit}>
          <label class="grow">
            <span>Id or e-mail address</span>
            <input
              name="find"
              autocomplete="off"
              maxLength={254}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <button type="submit">Find</button>
        </form>
        {found?.length === 0 ? <p class="soft pad">There is no such account.</p> : null}
        {found?.map((account) => (
          <Detail key={account.id} account={account} />
        ))}
      </Card>
      <Card title="Accounts" class="wide-card">
        {rows === null ? (
          <Skeleton rows={3} />
        ) : (
          <Table
            label="Accounts"
            rows={rows}
            keyOf={(row) => row.id}
            columns={[
              { title: "E-mail", isRowHead: true, cell: (row) => row.email },
              { title: "Plan", cell: (row) => row.plan },
              { title: "Paid until", cell: (row) => (row.paidUntil ? date(Date.parse(row.paidUntil)) : "") },
              { title: "Since", cell: (row) => date(Date.parse(row.createdAt)) },
              { title: "More", cell: (row) => <PlainButton title="Show" act={() => find(row.id)} /> },
            ]}
          />
        )}
        {button}
      </Card>
    </div>
  );
}

function Detail({ account }: { account: AccountDetail }) {
  return (
    <section class="pad" aria-label={account.email}>
      <p>
        <b>{account.email}</b> <code class="soft">{account.id}</code>
      </p>
      <p>
        Plan {account.plan}; {count(account.monthlyRemaining)} credits of this month,{" "}
        {count(account.prepaidRemaining)} prepaid, {count(account.resolutionsRemaining)} resolutions.
      </p>
      <Table
        label="Its keys"
        rows={account.keys}
        keyOf={(row) => row.id}
        columns={[
          { title: "Key", isRowHead: true, cell: (row) => <code>{row.hint}</code> },
          { title: "Name", cell: (row) => row.name ?? "" },
          { title: "State", cell: (row) => row.state },
        ]}
      />
      <Table
        label="Its latest entries"
        rows={account.entries}
        keyOf={(row) => `${row.at} ${row.reference ?? row.kind}`}
        columns={[
          { title: "When", isRowHead: true, cell: (row) => day(Date.parse(row.at), true) },
          { title: "What", cell: (row) => row.kind },
          { title: "Credits", class: "right num", cell: (row) => count(row.credits) },
          { title: "Reference", cell: (row) => <code class="soft">{row.reference ?? ""}</code> },
        ]}
      />
    </section>
  );
}
