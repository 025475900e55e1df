/** @jsxImportSource preact */
// The page a payer sees: what to pay, as a code for a wallet and as text, and its status, kept up to date while it is open. A
// test payment can't be mistaken for a real one.
import { renderSVG } from "uqr";
import type { z } from "zod";
import { PLANS } from "../../contract/plans.ts";
import type { Payment } from "../../contract/shapes/account.ts";
import type { AssetUrls } from "../assets/assets.ts";
import { renderDocument } from "../shared/document.tsx";
import { grouped } from "../shared/format.ts";
import { KEY_PLACEHOLDER, readyCommands } from "../shared/ready-key.ts";
import { isPaid, type PayData } from "./states.ts";

export type PaymentView = z.infer<typeof Payment>;

/** The title of each state, and its meaning for the reader. */
const STATES: Record<PaymentView["status"], { title: string; text: string; payable: boolean }> = {
  awaiting_payment: {
    title: "Waiting for your payment",
    text: "This page detects it automatically, usually within half a minute.",
    payable: true,
  },
  confirming: {
    title: "Seen, waiting until it is final",
    text: "Your transfer is on the chain. This takes about fifteen seconds.",
    payable: false,
  },
  credited: { title: "Paid", text: "Everything has been credited.", payable: false },
  underpaid: {
    title: "A part is missing",
    text: "Send the rest before the time is up. An incomplete payment becomes prepaid credits.",
    payable: true,
  },
  overpaid: {
    title: "Paid, and more than asked",
    text: "Everything has been credited; the excess as prepaid credits.",
    payable: false,
  },
  expired: {
    title: "This payment has expired",
    text: "Ask for a new one. Anything sent here all the same is still found and credited.",
    payable: false,
  },
  late: {
    title: "Paid late",
    text: "It arrived after the time was up, and has been credited.",
    payable: false,
  },
};

export interface PaymentPageOptions {
  /** The path of the payment's state, as JSON and without a key. */
  statePath: string;
  /** The path that the button for paying a test coin posts to. */
  testPath: string;
  /** The base URL of commands on the page. */
  publicUrl: string;
}

export function renderPaymentPage(
  payment: PaymentView,
  options: PaymentPageOptions,
  assets: AssetUrls,
): string {
  const { asset, test } = payment;
  const amount = payment.amount.toLocaleString("en-US", { maximumFractionDigits: asset.decimals });
  const data: PayData = {
    statePath: options.statePath,
    states: STATES,
    symbol: asset.symbol,
    receivedAmount: payment.receivedAmount,
    expiresAt: Date.parse(payment.expiresAt),
  };
  return renderDocument(
    {
      title: `${test ? "TEST: " : ""}Pay ${amount} ${asset.symbol}`,
      description: "One payment to Crowdtape.",
      url: null,
      body: <PaymentPage payment={payment} amount={amount} options={options} />,
      scripts: ["pay.js"],
      // Makes browsers send the form's origin, which is checked.
      referrer: "same-origin",
      styles: ["pay.css"],
      data,
    },
    assets,
  );
}

function PaymentPage(props: { payment: PaymentView; amount: string; options: PaymentPageOptions }) {
  const { payment, amount, options } = props;
  const { asset, test, status } = payment;
  return (
    <div class="pay" id="pay" data-status={status}>
      {test ? <TestPayment payment={payment} path={options.testPath} /> : null}
      <main id="main">
        <p class="brand">
          <a href="/pricing">crowdtape</a>
        </p>
        <div class="card">
          <header>
            <h1>{titleOf(payment)}</h1>
            <p class="amount">
              {amount} <small>{asset.symbol}</small>
            </p>
          </header>
          <PaymentState payment={payment} />
          <Ready publicUrl={options.publicUrl} isHidden={!isPaid(status)} />
          <Scan payment={payment} />
          <dl>
            <Fact
              id="due"
              name={payment.receivedAmount === null ? "Amount" : "Still to pay"}
              value={askedBy(payment)}
              isHidden={!STATES[status].payable}
            />
            <Fact name={test ? "Recipient (test chain)" : "Recipient (Solana)"} value={payment.recipient} />
            <Fact name={`Coin (${asset.symbol})`} value={asset.mint} />
            <Fact name="Reference" value={payment.reference} />
          </dl>
        </div>
        <p class="foot">
          {test ? "A test payment" : "One payment"}, {payment.paymentId}
        </p>
      </main>
    </div>
  );
}

function PaymentState({ payment: { status, receivedAmount, asset } }: { payment: PaymentView }) {
  const { title, text } = STATES[status];
  return (
    <section class="state" aria-live="polite">
      <span class="dot" />
      <b id="title">{title}</b>
      <span class="clock" id="clock" />
      <p id="text">{text}</p>
      <p id="received" hidden={receivedAmount === null}>
        Received: {receivedAmount ?? 0} {asset.symbol}
      </p>
      <p id="contact" class="contact" hidden />
    </section>
  );
}

function titleOf({ plan, credits }: PaymentView): string {
  return plan === "credits" ? `${grouped(credits)} prepaid credits` : `${PLANS[plan].title}, one month`;
}

function TestPayment({ payment, path }: { payment: PaymentView; path: string }) {
  return (
    <div class="test" role="alert">
      <strong>TEST PAYMENT</strong> No real money is asked for: do not send any. It is paid here, or by{" "}
      <code>crowdtape pay test {payment.paymentId}</code>
      <form id="test-coin" method="post" action={path} hidden={!STATES[payment.status].payable}>
        <button type="submit">
          Pay {askedBy(payment)} {payment.asset.symbol}
        </button>
      </form>
    </div>
  );
}

/** The next steps after payment. The key is this tab's, if it has one. */
function Ready({ publicUrl, isHidden }: { publicUrl: string; isHidden: boolean }) {
  return (
    <section id="ready" hidden={isHidden}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer. */}
      <pre tabIndex={0} data-ready>
        {readyCommands(publicUrl, KEY_PLACEHOLDER)}
      </pre>
      <a class="wallet" href="/console">
        Open the console
      </a>
    </section>
  );
}

function Scan({ payment: { test, url, status } }: { payment: PaymentView }) {
  return (
    <section class="scan" id="scan" hidden={!STATES[status].payable}>
      <div class="code">
        <div dangerouslySetInnerHTML={{ __html: codeOf(url) }} />
        {test ? <span class="stamp">TEST</span> : null}
      </div>
      {test ? (
        <p class="hint">No wallet can pay this one: its coin exists only inside this service.</p>
      ) : (
        <>
          <a class="wallet" href={url}>
            Open in a wallet
          </a>
          <p class="hint">
            Scan with a wallet that knows Solana Pay. It fills in everything, including the reference by which
            we find your payment.
          </p>
        </>
      )}
    </section>
  );
}

/** The amount in the code: the whole, or the missing part. */
function askedBy({ url, amount }: PaymentView): string {
  return URL.parse(url)?.searchParams.get("amount") ?? String(amount);
}

function Fact({
  id,
  name,
  value,
  isHidden,
}: {
  id?: string;
  name: string;
  value: string;
  isHidden?: boolean;
}) {
  return (
    <div id={id} hidden={isHidden}>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
        <button type="button" data-copy={value}>
          Copy
        </button>
      </dd>
    </div>
  );
}

/** Dark on white in every colour scheme: wallets read nothing else reliably. */
function codeOf(url: string): string {
  const svg = renderSVG(url, { ecc: "M", border: 1, whiteColor: "#ffffff", blackColor: "#1b1a17" });
  return svg.replace("<svg ", '<svg role="img" aria-label="Payment code for a wallet" ');
}
