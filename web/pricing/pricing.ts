// The plans and what they cost, read off the contract. Prices are what is paid: tax is in them.
import { KEYLESS, PLANS, type Plan, PREPAID } from "../../contract/plans.ts";
import { BATCH_REQUESTS_MAX } from "../../contract/routes/batch.ts";
import { ROUTES, type RouteId } from "../../contract/routes.ts";
import { WEBHOOK_PRICE } from "../../contract/webhooks.ts";
import { type Html, html } from "../shared/html.ts";
import { dollars, type Frame, grouped, problemNote } from "./frame.ts";

export interface PricingPage {
  /** Who takes cards here; null: nobody. */
  provider: "stripe" | "builtin" | null;
  problem: string | null;
}

/** The first with everything the service has. */
const HIGHLIGHTED = "growth";

export function renderPricing({ provider, problem }: PricingPage): Frame {
  const test =
    provider === "builtin"
      ? html`<div class="test"><strong>TEST CHECKOUT</strong>This service takes no real cards. Paying is pretended, and plans and keys are for trying out.</div>`
      : undefined;
  const body = html`${problemNote(problem)}<h1>Plans and prices</h1>
<p class="lead">The same data on every plan. A bigger one buys more credits, more speed and a fresher feed, and from Growth on what happens on the chains. No account: your e-mail address is all it takes.</p>
<form id="free-form" method="post" action="/free-key"></form>
<form id="paid" method="post" action="/checkout"><button type="submit" disabled hidden></button></form>
<div class="plans">${Object.values(PLANS).map((plan) => planCard(plan, provider))}</div>
<p class="soft">Prices are totals for one month, with all taxes included. Plans paid by card renew each month until you stop them; what you paid for stays yours to its end.</p>
${provider === null ? "" : ownKey()}
${limits()}
${buys()}
<div class="pair">${coin()}
<section class="card"><h2>Without a key</h2><p>The leaderboards and the alert feed are open to everyone: ${KEYLESS.requestsPerMinute} requests a minute and ${KEYLESS.socketsAtOnce} sockets for each address, the feed ${KEYLESS.delaySeconds} seconds late.</p><p><a href="/docs">Try it in the reference</a></p></section></div>`;
  return { title: "Pricing", body, current: "/pricing", ...(test ? { test } : {}) };
}

function planCard(plan: Plan, provider: PricingPage["provider"]): Html {
  const highlighted = plan.name === HIGHLIGHTED;
  const points = [
    `${grouped(plan.creditsPerMonth)} credits a month`,
    `${grouped(plan.requestsPerMinute)} requests a minute`,
    `${plan.socketsAtOnce} sockets at once`,
    feedOf(plan),
    ...(plan.webhooks > 0 ? [`${plan.webhooks} webhooks`] : []),
    ...(plan.onChain ? ["On-chain stream and candles"] : []),
  ];
  return html`<section class="card plan ${highlighted ? "chosen" : ""}" aria-labelledby="plan-${plan.name}" id="${plan.name}">
<h3 id="plan-${plan.name}">${plan.title}${highlighted ? html`<span>On-chain from here</span>` : ""}</h3>
<p class="amount">${dollars(plan.priceUsd)} <small>a month</small></p>
<ul>${points.map((point) => html`<li>${point}</li>`)}</ul>
${plan.name === "free" ? freeForm() : payButton(plan, provider)}</section>`;
}

function freeForm(): Html {
  return html`<label for="free-email">Your e-mail address</label>
<input form="free-form" id="free-email" name="email" type="email" required autocomplete="email" maxlength="254" placeholder="you@example.com">
<button form="free-form" type="submit" class="plain">Get a free key</button>`;
}

function payButton({ name, title }: Plan, provider: PricingPage["provider"]): Html {
  if (provider === null)
    return html`<p class="soft">Cards are not taken here. <a href="#stablecoin">Pay in a stablecoin</a> with a free key.</p>`;
  const label = provider === "builtin" ? `Try ${title}` : `Choose ${title}`;
  return html`<button form="paid" type="submit" name="plan" value="${name}" class="${name === HIGHLIGHTED ? "" : "plain"}">${label}</button>`;
}

function ownKey(): Html {
  return html`<details class="own"><summary>I already have a key</summary>
<p class="soft">Put the plan on its account: your keys stay as they are, a month of the same plan is added to its end, and what is left of another one becomes prepaid credits.</p>
<label for="own-key">Your key</label><input form="paid" id="own-key" name="key" type="password" autocomplete="off" spellcheck="false" placeholder="ct_live_…" maxlength="60"><p class="soft">Then choose a plan above.</p></details>`;
}

/** Calls that people make most, in the order they meet them. */
const TYPICAL: readonly RouteId[] = [
  "listAlerts",
  "getLeaderboard",
  "listTrades",
  "getPnl",
  "listCandles",
  "listTheses",
  "getTrader",
];

/** What a credit is worth, said in calls. */
function buys(): Html {
  const plans = Object.values(PLANS);
  const calls = TYPICAL.map((id) => ROUTES[id]);
  return html`<h2 id="buys">What credits buy</h2>
<p>A call costs what its kind costs, whatever it brings; one that fails on our side costs nothing. <a href="/docs#batch">Up to ${BATCH_REQUESTS_MAX} calls in one batch</a> cost what they cost one by one. A month of each plan is enough for this many calls of one kind:</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="buys"><table>
<thead><tr><th scope="col">Call</th><th scope="col">Credits</th>${plans.map(({ title }) => html`<th scope="col">${title}</th>`)}<th scope="col">$1 prepaid</th></tr></thead><tbody>
${calls.map(
  ({ id, summary, price, access }) =>
    html`<tr><th scope="row"><a href="/docs#${id}">${summary}</a></th><td>${grouped(price.credits)}</td>${plans.map(
      (plan) =>
        html`<td>${access === "onChain" && !plan.onChain ? "–" : grouped(Math.floor(plan.creditsPerMonth / price.credits))}</td>`,
    )}<td>${grouped(Math.floor(PREPAID.creditsPerUsd / price.credits))}</td></tr>`,
)}
<tr><th scope="row"><a href="/docs#createWebhook">Webhooks, ${WEBHOOK_PRICE.events} events</a></th><td>${grouped(WEBHOOK_PRICE.credits)}</td>${plans.map(
    (plan) =>
      html`<td>${plan.webhooks === 0 ? "–" : grouped(Math.floor(plan.creditsPerMonth / WEBHOOK_PRICE.credits))}</td>`,
  )}<td>${grouped(Math.floor(PREPAID.creditsPerUsd / WEBHOOK_PRICE.credits))}</td></tr>
</tbody></table></div>`;
}

/** Starts a stablecoin payment right here: the next page is its code. */
function coin(): Html {
  return html`<section class="card"><h2 id="stablecoin">Pay in a stablecoin</h2><p>${grouped(PREPAID.creditsPerUsd)} credits for a dollar, from $${PREPAID.minimumUsd} to $${grouped(PREPAID.maximumUsd)}. They never expire and are used after the month's credits. One month of a plan, which does not renew, is paid the same way.</p>
<form id="coin" data-per-usd="${PREPAID.creditsPerUsd}"><label for="coin-plan">What to buy</label>
<select id="coin-plan" name="plan"><option value="credits">Prepaid credits</option>${Object.values(PLANS)
    .filter(({ name }) => name !== "free")
    .map(
      ({ name, title, priceUsd }) => html`<option value="${name}">${title}, ${dollars(priceUsd)}</option>`,
    )}</select>
<label for="coin-amount">Dollars <output id="gives" for="coin-amount"></output></label>
<input id="coin-amount" name="amount" type="number" min="${PREPAID.minimumUsd}" max="${PREPAID.maximumUsd}" step="0.01" value="25" inputmode="decimal">
<label for="coin-key">Your key</label><input id="coin-key" name="key" type="password" autocomplete="off" spellcheck="false" placeholder="ct_live_…" maxlength="60" required>
<div class="actions"><button type="submit">Show the payment code</button></div><output class="soft" role="status"></output></form>
<p class="soft">No key yet? <a href="#free">Get a free one</a> first; it takes your e-mail address and nothing else.</p></section>`;
}

function feedOf({ delaySeconds, realtimeDays }: Plan): string {
  if (delaySeconds === 0) return "App feed in real time";
  const late = `${delaySeconds} s late`;
  return realtimeDays === null
    ? `App feed ${late}`
    : `App feed in real time for ${realtimeDays} days, then ${late}`;
}

function limits(): Html {
  const plans = Object.values(PLANS);
  const row = (name: string, keyless: string, cell: (plan: Plan) => string) =>
    html`<tr><th scope="row">${name}</th><td>${keyless}</td>${plans.map((plan) => html`<td>${cell(plan)}</td>`)}</tr>`;
  return html`<h2 id="limits">All limits</h2><div class="scroll" tabindex="0" role="region" aria-labelledby="limits"><table>
<thead><tr><td></td><th scope="col">No key</th>${plans.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>
${row("A month", "–", ({ priceUsd }) => dollars(priceUsd))}
${row("Credits a month", "–", ({ creditsPerMonth }) => grouped(creditsPerMonth))}
${row("Requests a minute", `${KEYLESS.requestsPerMinute} per address`, ({ requestsPerMinute }) => grouped(requestsPerMinute))}
${row("Sockets at once", `${KEYLESS.socketsAtOnce} per address`, ({ socketsAtOnce }) => String(socketsAtOnce))}
${row("Webhooks", "–", ({ webhooks }) => (webhooks === 0 ? "–" : String(webhooks)))}
${row("Wallet resolutions a month", "–", ({ resolutionsPerMonth }) => grouped(resolutionsPerMonth))}
${row("App feed", `${KEYLESS.delaySeconds} s late`, (plan) => feedOf(plan).replace(/^App feed (in )?/, ""))}
${row("On-chain stream, candles", "–", ({ onChain }) => (onChain ? "yes" : "–"))}
</tbody></table></div>`;
}
