/** @jsxImportSource preact */
// The pages around a payment: the built-in test checkout, a payment's outcome, and a key, shown once.
import { PLANS, type PlanName } from "../../contract/plans.ts";
import { dollars } from "../shared/format.ts";
import { KEY_PLACEHOLDER, readyCommands } from "../shared/ready-key.ts";
import { EmailField, ErrorNote, type PageFrame, TestBanner } from "./frame.tsx";

type BoughtPlan = Exclude<PlanName, "free">;

export interface KeyPage {
  secret: string;
  plan: PlanName;
  test: boolean;
  from: "payment" | "free" | "link";
}

const KEY_TITLES: Record<KeyPage["from"], (plan: string) => string> = {
  payment: (plan) => `Your ${plan} key`,
  free: () => "Your free key",
  link: () => "Your new key",
};

export function renderKey({ secret, plan, test, from }: KeyPage, url: string): PageFrame {
  const title = KEY_TITLES[from](PLANS[plan].title);
  const body = (
    <>
      <h1>{title}</h1>
      <p class="lead">Keep it now: it can't be shown again later.</p>
      <div id="new-key" data-again={from === "payment" ? undefined : KEY_AGAIN_PATH}>
        <KeyBlock secret={secret} url={url} />
      </div>
    </>
  );
  return { title, body, narrow: true, ...(test ? { test: <NoMoney /> } : {}) };
}

/** Reloading a form's result page goes here: submitting the form again would create another key, or none. */
export const KEY_AGAIN_PATH = "/key";

/** The key, how to use it, and where to continue. */
function KeyBlock({ secret, url }: { secret: string; url: string }) {
  return (
    <>
      <div class="secret">
        <code id="key" data-ready>
          {secret}
        </code>
        <button type="button" data-copy="key">
          Copy the key
        </button>
      </div>
      <p>Ready to paste: your plan and credits, and the feed as it happens.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer. */}
      <pre tabIndex={0} data-ready>
        {readyCommands(url, secret)}
      </pre>
      <p class="soft">
        Anyone who has it can spend your credits, so treat it like a password. If it is lost,{" "}
        <a href="/recover">replace it</a>.
      </p>
      <div class="actions">
        <a class="button" href="/console" data-keep="key">
          Open the console
        </a>
        <a class="button plain" href="/docs">
          Open the reference
        </a>
      </div>
    </>
  );
}

/** A key that was already shown: shown again by the tab that has just shown it, otherwise how to replace it. */
export function renderShown(text: string, url: string): PageFrame {
  const title = "This key was already shown";
  const body = (
    <>
      <div id="old-key">
        <h1>{title}</h1>
        <p class="lead">{text}</p>
        <div class="actions">
          <a class="button" href="/recover">
            Replace the key
          </a>
          <a class="button plain" href="/pricing">
            Back to the plans
          </a>
        </div>
      </div>
      <div id="key-again" hidden>
        <h1>Your key</h1>
        <p class="lead">This tab still had it, and has forgotten it now. Keep it before you continue.</p>
        <KeyBlock secret={KEY_PLACEHOLDER} url={url} />
      </div>
    </>
  );
  return { title, body, narrow: true };
}

type ShownPage = { state: "shown"; plan: BoughtPlan; shownAt: number };
export type ArrivalPage =
  | ShownPage
  | { state: "added"; plan: BoughtPlan }
  | { state: "open" | "processing" | "failed" | "expired" | "returned" | "busy"; plan: BoughtPlan };

/** Often enough for someone who is waiting. */
const REFRESH_SECONDS = 3;

export function renderArrival(page: ArrivalPage, url: string): PageFrame {
  if (page.state === "shown") return renderShown(shownText(page), url);
  const { title, text, wait } = arrivalText(page);
  const isAdded = page.state === "added";
  const body = (
    <>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      <div class="actions">
        <a class="button" href={isAdded ? "/console" : "/pricing"}>
          {isAdded ? "Open the console" : "Back to the plans"}
        </a>
      </div>
    </>
  );
  return { title, body, narrow: true, ...(wait ? { refreshSeconds: REFRESH_SECONDS } : {}) };
}

const shownText = ({ plan, shownAt }: ShownPage) =>
  `Your ${PLANS[plan].title} plan was paid. Its key was shown on ${dateOf(shownAt)} and can't be shown again. If you do not have it, replace it: a mail to the address you paid with brings a new one.`;

function arrivalText(page: Exclude<ArrivalPage, ShownPage>): { title: string; text: string; wait?: boolean } {
  const plan = PLANS[page.plan].title;
  switch (page.state) {
    case "added":
      return {
        title: `${plan} is yours`,
        text: "The plan is on your account. Your keys continue working as they are, with its limits.",
      };
    case "open":
      return { title: "Not paid yet", text: "This checkout is still open. Nothing was charged." };
    case "processing":
      return {
        title: "Your bank is still processing it",
        text: "The payment has begun and is not final. This page shows your key as soon as it is; you can also return to it later.",
        wait: true,
      };
    case "busy":
      return { title: "One moment", text: "Your key is being made.", wait: true };
    case "failed":
      return { title: "The payment failed", text: "Your bank refused it. Nothing was charged." };
    case "expired":
      return { title: "This checkout has expired", text: "Nothing was charged. Choose a plan again." };
    case "returned":
      return {
        title: "This payment was given back",
        text: "It was refunded or disputed, and its plan has ended.",
      };
  }
}

export interface TestCheckoutPage {
  sessionId: string;
  plan: BoughtPlan;
  email: string | null;
  error: string | null;
}

export function renderTestCheckout({ sessionId, plan, email, error }: TestCheckoutPage): PageFrame {
  const { title, priceUsd } = PLANS[plan];
  const body = (
    <>
      <ErrorNote error={error} />
      <h1>{title}, one month</h1>
      <p class="amount">
        {dollars(priceUsd)} <small>pretended</small>
      </p>
      <form class="card" method="post" action={`/checkout/test/${sessionId}`}>
        <p>A card form would be here. Choose how the payment ends:</p>
        <EmailField id="email" label="E-mail address" value={email ?? ""} />
        <div class="actions">
          <button type="submit" name="decision" value="pay">
            Pay {dollars(priceUsd)} (test)
          </button>
          <button type="submit" class="plain" name="decision" value="decline" formNoValidate>
            Decline the card
          </button>
        </div>
      </form>
      <p class="soft">
        The test plan lasts one month and does not renew. <a href="/pricing">Back to the plans</a>
      </p>
    </>
  );
  return { title: "TEST checkout", body, narrow: true, test: <NoMoney /> };
}

function NoMoney() {
  return <TestBanner>No card is needed and no money moves. Do not enter a card number anywhere.</TestBanner>;
}

function dateOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " at ").replaceAll("-", "\u2011")}\u00a0UTC`;
}
