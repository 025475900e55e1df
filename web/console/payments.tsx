/** @jsxImportSource preact */
// Stablecoin payments of the account: start one, and see each one's progress.
import { useState } from "preact/hooks";
import { PREPAID } from "../../contract/plans.ts";
import { Card, Moment } from "../shared/bits.tsx";
import { count } from "../shared/format.ts";
import { Empty, NotYet } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import { sentenceOf, service } from "./state.ts";
import { useRead } from "./use-read.ts";

const TONES: Record<string, string> = {
  credited: "green",
  overpaid: "green",
  late: "green",
  underpaid: "amber",
  confirming: "amber",
  expired: "red",
};

export function PaymentsSection() {
  const { body: payments, error } = useRead(() => service().listPayments({ limit: 50 }));
  const [said, setSaid] = useState<string | null>(null);
  const [amount, setAmount] = useState("25");
  const start = async (event: SubmitEvent) => {
    event.preventDefault();
    setSaid(null);
    try {
      const made = await service().createPayment({ plan: "credits", amount: Number(amount) });
      location.href = `/pay/${encodeURIComponent(made.paymentId)}/page`;
    } catch (error) {
      setSaid(sentenceOf(error));
    }
  };
  return (
    <div class="console-grid">
      <Card title="Buy prepaid credits" class="wide-card">
        <form class="filters pad" onSubmit={start}>
          <label>
            <span>Dollars, in a stablecoin</span>
            <input
              type="number"
              min={PREPAID.minimumUsd}
              max={PREPAID.maximumUsd}
              step="0.01"
              value={amount}
              onInput={(event) => setAmount(event.currentTarget.value)}
            />
          </label>
          <p class="note soft">{count(Number(amount) * PREPAID.creditsPerUsd)} credits. They never expire.</p>
          <button type="submit">Show the payment code</button>
        </form>
        {said ? (
          <p class="notice bad" role="alert">
            {said}
          </p>
        ) : null}
      </Card>
      <Card title="Payments" class="wide-card">
        {payments === null ? (
          <NotYet error={error} rows={4} />
        ) : payments.payments.length === 0 ? (
          <Empty>No stablecoin payment yet. Card payments are on their receipts.</Empty>
        ) : (
          <Table
            label="Payments"
            rows={payments.payments}
            keyOf={(row) => row.paymentId}
            columns={[
              { title: "When", class: "soft", cell: (row) => <Moment at={Date.parse(row.createdAt)} /> },
              {
                title: "What",
                cell: (row) => (
                  <>
                    {row.plan === "credits" ? `${count(row.credits)} credits` : `${row.plan}, one month`}
                    {row.test ? <span class="chip amber">test</span> : null}
                  </>
                ),
              },
              { title: "Amount", class: "right num", cell: (row) => `${row.amount} ${row.asset.symbol}` },
              {
                title: "State",
                cell: (row) => (
                  <span class={`chip ${TONES[row.status] ?? ""}`}>{row.status.replaceAll("_", " ")}</span>
                ),
              },
              {
                title: "Page",
                cell: (row) => <a href={`/pay/${encodeURIComponent(row.paymentId)}/page`}>open</a>,
              },
            ]}
          />
        )}
      </Card>
    </div>
  );
}
