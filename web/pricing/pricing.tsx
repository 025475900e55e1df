/** @jsxImportSource preact */
// The plans and their prices, read from the contract. Prices are final: they include tax.

import { FOLLOW_PRICE } from "../../contract/follows.ts";
import { KEYLESS, PLANS, type Plan, PREPAID } from "../../contract/plans.ts";
import { BATCH_REQUESTS_MAX } from "../../contract/routes/batch.ts";
import { ROUTES, type RouteId } from "../../contract/routes.ts";
import { WEBHOOK_PRICE } from "../../contract/webhooks.ts";
import { Scroll } from "../shared/bits.tsx";
import { dollars, grouped } from "../shared/format.ts";
import { feedOf, LimitsTable } from "../shared/limits-table.tsx";
import { EmailField, ErrorNote, type PageFrame, TestBanner } from "./frame.tsx";

export interface PricingPage {
  /** The card payment provider, if any. */
  provider: "stripe" | "builtin" | null;
  error: string | null;
}

/** The first with every feature of the service. */
const HIGHLIGHTED = "growth";

export function renderPricing({ provider, error }: PricingPage): PageFrame {
  const body = (
    <>
      <ErrorNote error={error} />
      <h1>Plans and prices</h1>
      <p class="lead">
        The same data on every plan. A bigger one buys more credits, more speed and a fresher feed, and from
        Growth on what happens on the chains. No account: your e-mail address is all it takes.
      </p>
      <form id="free-form" method="post" action="/free-key" />
      <form id="paid" method="post" action="/checkout">
        <button type="submit" disabled hidden />
      </form>
      <div class="plans">
        {Object.values(PLANS).map((plan) => (
          <PlanCard key={plan.name} plan={plan} provider={provider} />
        ))}
      </div>
      <p class="soft">
        Prices are totals for one month, with all taxes included. Plans paid by card renew each month until
        you stop them; what you paid for stays yours to its end.
      </p>
      {provider === null ? null : <OwnKey />}
      <h2 id="limits">All limits</h2>
      <LimitsTable />
      <Buys />
      <div class="pair">
        <Coin />
        <section class="card">
          <h2>Without a key</h2>
          <p>
            The leaderboards and the alert feed are open to everyone: {KEYLESS.requestsPerMinute} requests a
            minute and {KEYLESS.socketsAtOnce} sockets for each address, the feed {KEYLESS.delaySeconds}{" "}
            seconds late.
          </p>
          <p>
            <a href="/docs">Try it in the reference</a>
          </p>
        </section>
      </div>
    </>
  );
  const test = (
    <TestBanner>
      This service takes no real cards. Payments are simulated, and plans and keys are for testing.
    </TestBanner>
  );
  return { title: "Pricing", body, current: "/pricing", ...(provider === "builtin" ? { test } : {}) };
}

function PlanCard({ plan, provider }: { plan: Plan; provider: PricingPage["provider"] }) {
  const highlighted = plan.name === HIGHLIGHTED;
  const points = [
    `${grouped(plan.creditsPerMonth)} credits a month`,
    `${grouped(plan.requestsPerMinute)} requests a minute`,
    `${plan.socketsAtOnce} sockets at once`,
    `App feed: ${feedOf(plan)}`,
    ...(plan.webhooks > 0 ? [`${plan.webhooks} webhooks`] : []),
    ...(plan.onChain ? ["On-chain stream and candles"] : []),
  ];
  return (
    <section
      class={`card plan ${highlighted ? "chosen" : ""}`}
      aria-labelledby={`plan-${plan.name}`}
      id={plan.name}
    >
      <h2 id={`plan-${plan.name}`}>
        {plan.title}
        {highlighted ? <span>On-chain from here</span> : null}
      </h2>
      <p class="amount">
        {dollars(plan.priceUsd)} <small>a month</small>
      </p>
      <ul>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {plan.name === "free" ? <FreeForm /> : <PayButton plan={plan} provider={provider} />}
    </section>
  );
}

function FreeForm() {
  return (
    <>
      <EmailField id="free-email" label="Your e-mail address" form="free-form" />
      <button form="free-form" type="submit" class="plain">
        Get a free key
      </button>
    </>
  );
}

function PayButton({ plan: { name, title }, provider }: { plan: Plan; provider: PricingPage["provider"] }) {
  if (provider === null)
    return (
      <p class="soft">
        Cards are not taken here. <a href="#stablecoin">Pay in a stablecoin</a> with a free key.
      </p>
    );
  return (
    <button form="paid" type="submit" name="plan" value={name} class={name === HIGHLIGHTED ? "" : "plain"}>
      {provider === "builtin" ? `Try ${title}` : `Choose ${title}`}
    </button>
  );
}

function KeyField({ id, form, required }: { id: string; form?: string; required?: boolean }) {
  return (
    <>
      <label for={id}>Your key</label>
      <input
        form={form}
        id={id}
        name="key"
        type="password"
        autocomplete="off"
        spellcheck={false}
        placeholder="ct_live_…"
        maxLength={60}
        required={required}
      />
    </>
  );
}

function OwnKey() {
  return (
    <details class="own">
      <summary>I already have a key</summary>
      <p class="soft">
        Put the plan on its account: your keys stay as they are, a month of the same plan is added to its end,
        and what is left of another one becomes prepaid credits.
      </p>
      <KeyField id="own-key" form="paid" />
      <p class="soft">Then choose a plan above.</p>
    </details>
  );
}

/** The most common calls, in the order people come across them. */
const TYPICAL: readonly RouteId[] = [
  "listAlerts",
  "getLeaderboard",
  "listTrades",
  "getPnl",
  "listCandles",
  "listTheses",
  "getTrader",
];

/** The value of a credit, in calls. */
function Buys() {
  const plans = Object.values(PLANS);
  const calls = [
    ...TYPICAL.map((id) => ROUTES[id]).map(({ id, summary, price, access }) => ({
      id,
      summary,
      credits: price.credits,
      isIn: (plan: Plan) => access !== "onChain" || plan.onChain,
    })),
    {
      id: "createWebhook",
      summary: `Webhooks, ${WEBHOOK_PRICE.events} events`,
      credits: WEBHOOK_PRICE.credits,
      isIn: (plan: Plan) => plan.webhooks > 0,
    },
    {
      id: "createFollow",
      summary: `Paper follows, ${FOLLOW_PRICE.orders} orders`,
      credits: FOLLOW_PRICE.credits,
      isIn: () => true,
    },
  ];
  const times = (credits: number, price: number) => grouped(Math.floor(credits / price));
  return (
    <>
      <h2 id="buys">What credits buy</h2>
      <p>
        A call costs what its kind costs, whatever it brings; one that fails on our side costs nothing.{" "}
        <a href="/docs#batch">Up to {BATCH_REQUESTS_MAX} calls in one batch</a> cost what they cost one by
        one. A month of each plan is enough for this many calls of one kind:
      </p>
      <Scroll label="What credits buy">
        <table>
          <thead>
            <tr>
              <th scope="col">Call</th>
              <th scope="col">Credits</th>
              {plans.map(({ name, title }) => (
                <th key={name} scope="col">
                  {title}
                </th>
              ))}
              <th scope="col">$1 prepaid</th>
            </tr>
          </thead>
          <tbody>
            {calls.map(({ id, summary, credits, isIn }) => (
              <tr key={id}>
                <th scope="row">
                  <a href={`/docs#${id}`}>{summary}</a>
                </th>
                <td>{grouped(credits)}</td>
                {plans.map((plan) => (
                  <td key={plan.name}>{isIn(plan) ? times(plan.creditsPerMonth, credits) : "–"}</td>
                ))}
                <td>{times(PREPAID.creditsPerUsd, credits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

/** Starts a stablecoin payment right here: the next page is its code. */
function Coin() {
  return (
    <section class="card">
      <h2 id="stablecoin">Pay in a stablecoin</h2>
      <p>
        {grouped(PREPAID.creditsPerUsd)} credits for a dollar, from ${PREPAID.minimumUsd} to $
        {grouped(PREPAID.maximumUsd)}. They never expire and are used after the month's credits. One month of
        a plan, which does not renew, is paid the same way.
      </p>
      <form id="coin" data-per-usd={PREPAID.creditsPerUsd}>
        <label for="coin-plan">What to buy</label>
        <select id="coin-plan" name="plan">
          <option value="credits">Prepaid credits</option>
          {Object.values(PLANS)
            .filter(({ name }) => name !== "free")
            .map(({ name, title, priceUsd }) => (
              <option key={name} value={name}>
                {title}, {dollars(priceUsd)}
              </option>
            ))}
        </select>
        <label for="coin-amount">
          Dollars <output id="gives" for="coin-amount" />
        </label>
        <input
          id="coin-amount"
          name="amount"
          type="number"
          min={PREPAID.minimumUsd}
          max={PREPAID.maximumUsd}
          step="0.01"
          value="25"
          inputMode="decimal"
        />
        <KeyField id="coin-key" required />
        <div class="actions">
          <button type="submit">Show the payment code</button>
        </div>
        <output class="soft" />
      </form>
      <p class="soft">
        No key yet? <a href="#free">Get a free one</a> first; it takes your e-mail address and nothing else.
      </p>
    </section>
  );
}
