// The page a payer sees: what to pay, as a code for a wallet and as text, and how far it is, kept up to date while it
// is open. A payment that is only a test can't be mistaken for a real one.
import { renderSVG } from "uqr";
import type { z } from "zod";
import { PLANS } from "../../contract/plans.ts";
import type { Payment } from "../../contract/shapes/account.ts";
import type { AssetUrls } from "../assets/assets.ts";
import { renderDocument } from "../shared/document.tsx";
import { Html, html } from "../shared/html.ts";
import type { PayData } from "./client.ts";

export type PaymentView = z.infer<typeof Payment>;

/** What each state is called, and what it means for who looks at it. */
const STATES: Record<PaymentView["status"], { title: string; text: string; payable: boolean }> = {
  awaiting_payment: {
    title: "Waiting for your payment",
    text: "This page notices it by itself, usually within half a minute.",
    payable: true,
  },
  confirming: {
    title: "Seen, waiting until it is final",
    text: "Your transfer is on the chain. This takes about fifteen seconds.",
    payable: false,
  },
  credited: { title: "Paid", text: "Everything has been credited. You can close this page.", payable: false },
  underpaid: {
    title: "A part is missing",
    text: "Send the rest before the time is up. What stays short becomes prepaid credits.",
    payable: true,
  },
  overpaid: {
    title: "Paid, and more than asked",
    text: "Everything has been credited; what was too much as prepaid credits.",
    payable: false,
  },
  expired: {
    title: "This payment has expired",
    text: "Ask for a new one. Anything sent here all the same is still found and credited.",
    payable: false,
  },
  late: { title: "Paid late", text: "It came after the time was up, and has been credited.", payable: false },
};

export interface PaymentPageOptions {
  /** Where the page asks for the payment's state, as JSON and without a key. */
  statePath: string;
}

export function renderPaymentPage(
  payment: PaymentView,
  { statePath }: PaymentPageOptions,
  assets: AssetUrls,
): string {
  const { asset, test, status } = payment;
  const state = STATES[status];
  const amount = payment.amount.toLocaleString("en-US", { maximumFractionDigits: asset.decimals });
  const body = html`<div class="pay" id="pay" data-status="${status}">
${test ? testBanner(payment) : ""}
<main id="main">
<p class="brand"><a href="/pricing">crowdtape</a></p>
<div class="card">
<header><h1>${titleOf(payment)}</h1><p class="amount">${amount} <small>${asset.symbol}</small></p></header>
<section class="state" aria-live="polite">
<span class="dot"></span><b id="title">${state.title}</b><span class="clock" id="clock"></span>
<p id="text">${state.text}</p><p id="received" ${payment.receivedAmount === null ? new Html("hidden") : ""}>Received: ${payment.receivedAmount ?? 0} ${asset.symbol}</p>
<p id="contact" class="contact" hidden></p>
</section>
<section class="scan" id="scan" ${state.payable ? "" : new Html("hidden")}>
<div class="code">${new Html(codeOf(payment.url))}${test ? html`<span class="stamp">TEST</span>` : ""}</div>
${test ? TEST_HINT : walletLink(payment)}
</section>
<dl>
<div id="due" ${state.payable ? "" : new Html("hidden")}>${cells(payment.receivedAmount === null ? "Amount" : "Still to pay", askedBy(payment))}</div>
${row(test ? "Recipient (test chain)" : "Recipient (Solana)", payment.recipient)}
${row(`Coin (${asset.symbol})`, asset.mint)}
${row("Reference", payment.reference)}
</dl>
</div>
<p class="foot">${test ? "A test payment" : "One payment"}, ${payment.paymentId}</p>
</main></div>`;
  const data: PayData = {
    ...{ statePath, states: STATES, symbol: asset.symbol, receivedAmount: payment.receivedAmount },
    expiresAt: Date.parse(payment.expiresAt),
  };
  return renderDocument(
    {
      title: `${test ? "TEST: " : ""}Pay ${amount} ${asset.symbol}`,
      description: "One payment to Crowdtape.",
      url: null,
      body,
      scripts: ["pay.js"],
      styles: ["pay.css"],
      data,
    },
    assets,
  );
}

function titleOf({ plan, credits }: PaymentView): string {
  return plan === "credits"
    ? `${credits.toLocaleString("en-US")} prepaid credits`
    : `${PLANS[plan].title}, one month`;
}

function testBanner({ paymentId }: PaymentView): Html {
  return html`<div class="test" role="alert"><strong>TEST PAYMENT</strong>
No real money is asked for: do not send any. To pay it, run <code>crowdtape pay test ${paymentId}</code></div>`;
}

const TEST_HINT = html`<p class="hint">No wallet can pay this one: its coin exists only inside this service.</p>`;

function walletLink({ url }: PaymentView): Html {
  return html`<a class="wallet" href="${url}">Open in a wallet</a>
<p class="hint">Scan with a wallet that knows Solana Pay. It fills in everything, also the reference by which we find your payment.</p>`;
}

/** What the code asks for: the whole, or the part that is missing. */
function askedBy({ url, amount }: PaymentView): string {
  return URL.parse(url)?.searchParams.get("amount") ?? String(amount);
}

const row = (name: string, value: string): Html => html`<div>${cells(name, value)}</div>`;

function cells(name: string, value: string): Html {
  return html`<dt>${name}</dt><dd><code>${value}</code><button type="button" data-copy="${value}">Copy</button></dd>`;
}

/** Dark on white in every colour scheme: wallets read nothing else reliably. */
function codeOf(url: string): string {
  const svg = renderSVG(url, { ecc: "M", border: 1, whiteColor: "#ffffff", blackColor: "#1b1a17" });
  return svg.replace("<svg ", '<svg role="img" aria-label="Payment code for a wallet" ');
}
