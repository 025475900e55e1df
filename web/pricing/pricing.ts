// The plans and what they cost, read off the contract. Prices are what is paid: tax is in them.
import { KEYLESS, PLANS, type Plan, PREPAID } from "../../contract/plans.ts";
import { type Html, html } from "../docs/html.ts";
import { dollars, frame, grouped, problemNote } from "./frame.ts";

export interface PricingPage {
  /** Who takes cards here; null: nobody. */
  provider: "stripe" | "builtin" | null;
  problem: string | null;
}

/** The first with everything the service has. */
const HIGHLIGHTED = "growth";

export function renderPricing({ provider, problem }: PricingPage): string {
  const test =
    provider === "builtin"
      ? html`<div class="test"><strong>TEST CHECKOUT</strong>This service takes no real cards. Paying is pretended, and plans and keys are for trying out.</div>`
      : undefined;
  const body = html`${problemNote(problem)}<h1>Plans and prices</h1>
<p class="lead">The same data on every plan. A bigger one buys more credits, more speed and a fresher feed, and from Growth on what happens on the chains. No account: your e-mail address is all it takes.</p>
<form id="free" method="post" action="/free-key"></form>
<form id="paid" method="post" action="/checkout"><button type="submit" disabled hidden></button></form>
<div class="plans">${Object.values(PLANS).map((plan) => planCard(plan, provider))}</div>
<p class="soft">Prices are totals for one month, with all taxes included. Plans paid by card renew each month until you stop them; what you paid for stays yours to its end.</p>
${provider === null ? "" : ownKey()}
${limits()}
<div class="pair"><section class="card"><h2>Prepaid credits</h2><p>${grouped(PREPAID.creditsPerUsd)} credits for a dollar, from $${PREPAID.minimumUsd} to $${grouped(PREPAID.maximumUsd)}, in a stablecoin on Solana. They never expire and are used after the month's credits. The same way buys one month of a plan that does not renew.</p><p><a href="/docs#createPayment">How to pay that way</a></p></section>
<section class="card"><h2>Without a key</h2><p>The leaderboards and the alert feed are open to everyone: ${KEYLESS.requestsPerMinute} requests a minute and ${KEYLESS.socketsAtOnce} sockets for each address, the feed ${KEYLESS.delaySeconds} seconds late.</p><p><a href="/docs">Try it in the reference</a></p></section></div>`;
  return frame({ title: "Pricing", body, current: "/pricing", ...(test ? { test } : {}) });
}

function planCard(plan: Plan, provider: PricingPage["provider"]): Html {
  const highlighted = plan.name === HIGHLIGHTED;
  const points = [
    `${grouped(plan.creditsPerMonth)} credits a month`,
    `${grouped(plan.requestsPerMinute)} requests a minute`,
    `${plan.socketsAtOnce} sockets at once`,
    feedOf(plan),
    ...(plan.onChain ? ["On-chain stream and candles"] : []),
  ];
  return html`<section class="card plan ${highlighted ? "chosen" : ""}" aria-labelledby="plan-${plan.name}">
<h3 id="plan-${plan.name}">${plan.title}${highlighted ? html`<span>On-chain from here</span>` : ""}</h3>
<p class="amount">${dollars(plan.priceUsd)} <small>a month</small></p>
<ul>${points.map((point) => html`<li>${point}</li>`)}</ul>
${plan.name === "free" ? freeForm() : payButton(plan, provider)}</section>`;
}

function freeForm(): Html {
  return html`<label for="free-email">Your e-mail address</label>
<input form="free" id="free-email" name="email" type="email" required autocomplete="email" maxlength="254" placeholder="you@example.com">
<button form="free" type="submit" class="plain">Get a free key</button>`;
}

function payButton({ name, title }: Plan, provider: PricingPage["provider"]): Html {
  if (provider === null)
    return html`<p class="soft">Cards are not taken here. Pay in a stablecoin with <a href="/docs#createPayment">a free key</a>.</p>`;
  const label = provider === "builtin" ? `Try ${title}` : `Choose ${title}`;
  return html`<button form="paid" type="submit" name="plan" value="${name}" class="${name === HIGHLIGHTED ? "" : "plain"}">${label}</button>`;
}

function ownKey(): Html {
  return html`<details class="own"><summary>I already have a key</summary>
<p class="soft">Put the plan on its account: your keys stay as they are, a month of the same plan is added to its end, and what is left of another one becomes prepaid credits.</p>
<label for="own-key">Your key</label><input form="paid" id="own-key" name="key" type="password" autocomplete="off" spellcheck="false" placeholder="ct_live_…" maxlength="60"><p class="soft">Then choose a plan above.</p></details>`;
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
${row("Wallet resolutions a month", "–", ({ resolutionsPerMonth }) => grouped(resolutionsPerMonth))}
${row("App feed", `${KEYLESS.delaySeconds} s late`, (plan) => feedOf(plan).replace(/^App feed (in )?/, ""))}
${row("On-chain stream, candles", "–", ({ onChain }) => (onChain ? "yes" : "–"))}
</tbody></table></div>`;
}
