/** @jsxImportSource preact */
// The pages around a payment: the built-in test checkout, what became of a payment, and a key, shown once.
import { PLANS, type PlanName } from "../../contract/plans.ts";
import { dollars } from "../shared/format.ts";
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
      <p class="lead">Keep it now: this page shows it once, and it can't be shown again.</p>
      <div class="secret">
        <code id="key">{secret}</code>
        <button type="button" data-copy="key">
          Copy the key
        </button>
      </div>
      <p>Ready to paste: your plan and credits, and the feed as it happens.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer. */}
      <pre tabIndex={0}>{`curl -H "Authorization: Bearer ${secret}" \\
  "${url}/v2/me"
npx crowdtape tail --server ${url} --key ${secret}`}</pre>
      <p class="soft">
        Anyone who has it can spend your credits, so treat it like a password. If it is lost,{" "}
        <a href="/recover">replace it</a> with a mail to your address.
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
  return { title, body, narrow: true, ...(test ? { test: <NoMoney /> } : {}) };
}

export type ArrivalPage =
  | { state: "shown"; plan: BoughtPlan; shownAt: number }
  | { state: "added"; plan: BoughtPlan }
  | { state: "open" | "processing" | "failed" | "expired" | "returned" | "busy"; plan: BoughtPlan };

/** Often enough for somebody who waits. */
const REFRESH_SECONDS = 3;

export function renderArrival(page: ArrivalPage): PageFrame {
  const { title, text, wait } = arrivalText(page);
  const isShown = page.state === "shown";
  const isAdded = page.state === "added";
  const body = (
    <>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      <div class="actions">
        {isShown ? (
          <a class="button" href="/recover">
            Replace the key
          </a>
        ) : null}
        <a class={`button ${isShown ? "plain" : ""}`} href={isAdded ? "/docs" : "/pricing"}>
          {isAdded ? "Open the reference" : "Back to the plans"}
        </a>
      </div>
    </>
  );
  return { title, body, narrow: true, ...(wait ? { refreshSeconds: REFRESH_SECONDS } : {}) };
}

function arrivalText(page: ArrivalPage): { title: string; text: string; wait?: boolean } {
  const plan = PLANS[page.plan].title;
  switch (page.state) {
    case "shown":
      return {
        title: "This key was already shown",
        text: `Your ${plan} plan was paid. Its key was shown on ${dateOf(page.shownAt)} and can't be shown again. If you do not have it, replace it: a mail to the address you paid with brings a new one.`,
      };
    case "added":
      return {
        title: `${plan} is yours`,
        text: "The plan is on your account. Your keys go on working as they are, with its limits.",
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
  return (
    <TestBanner>No card is asked for and no money moves. Do not enter a card number anywhere.</TestBanner>
  );
}

function dateOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " at ").replaceAll("-", "\u2011")}\u00a0UTC`;
}
