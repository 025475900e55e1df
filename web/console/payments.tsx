/** @jsxImportSource preact */
// Stablecoin payments of the account: start one, and see how far each is.
import { useEffect, useState } from "preact/hooks";
import { PREPAID } from "../../contract/plans.ts";
import { Card, Scroll } from "../shared/bits.tsx";
import { count, day } from "../shared/format.ts";
import { Empty, Skeleton } from "../shared/states.tsx";
import { ask, type Payments } from "./state.ts";

const TONES: Record<string, string> = {
  credited: "green",
  overpaid: "green",
  late: "green",
  underpaid: "amber",
  confirming: "amber",
  expired: "red",
};

export function PaymentsSection() {
  const [payments, setPayments] = useState<Payments | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const [amount, setAmount] = useState("25");
  useEffect(() => {
    void ask<Payments>("/v2/payments?limit=50").then(setPayments, (problem) => setSaid(problem.message));
  }, []);
  const start = async (event: SubmitEvent) => {
    event.preventDefault();
    setSaid(null);
    try {
      const made = await ask<{ paymentId: string }>("/pay/create", {
        method: "POST",
        body: { plan: "credits", amount: Number(amount) },
      });
      location.href = `/pay/${encodeURIComponent(made.paymentId)}/page`;
    } catch (problem) {
      setSaid(problem instanceof Error ? problem.message : "No answer.");
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
          <Skeleton rows={4} />
        ) : payments.payments.length === 0 ? (
          <Empty>No stablecoin payment yet. What is paid by card is on its receipts.</Empty>
        ) : (
          <Scroll label="Payments">
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">What</th>
                  <th scope="col" class="right">
                    Amount
                  </th>
                  <th scope="col">State</th>
                  <th scope="col">Page</th>
                </tr>
              </thead>
              <tbody>
                {payments.payments.map((row) => (
                  <tr key={row.paymentId} data-row>
                    <td class="num soft">{day(Date.parse(row.createdAt), true)}</td>
                    <td>
                      {row.plan === "credits" ? `${count(row.credits)} credits` : `${row.plan}, one month`}
                      {row.test ? <span class="chip amber">test</span> : null}
                    </td>
                    <td class="right num">
                      {row.amount} {row.asset.symbol}
                    </td>
                    <td>
                      <span class={`chip ${TONES[row.status] ?? ""}`}>{row.status.replaceAll("_", " ")}</span>
                    </td>
                    <td>
                      <a href={`/pay/${encodeURIComponent(row.paymentId)}/page`}>open</a>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Card>
    </div>
  );
}
