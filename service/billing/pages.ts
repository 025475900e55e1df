// The pages of plans, checkouts and keys, by path. Keys are shown in the answer to the request that made them and
// nowhere else; whatever is wrong is said on the page, in the same words as in the interface.
import { Fault, fault } from "../../contract/errors.ts";
import type { PlanName } from "../../contract/plans.ts";
import type { Log } from "../../kit/log.ts";
import { queryOf, targetOf } from "../../kit/target.ts";
import type { Limits } from "../accounts/owners/limits.ts";
import { emailOf } from "../accounts/owners/mailbox.ts";
import type { OwnedAccount, Owners } from "../accounts/owners/owners.ts";
import type { Arrival, CardBilling } from "./card/card.ts";
import type { PaidPlan } from "./card/provider.ts";
import { NOTICE_BYTES, readBytes, readForm } from "./forms.ts";

type Serve = (request: Request, address: string) => Promise<Response> | Response;
type BillingPage = Record<string, Serve>;

/** How each page looks; the composition root brings the pages and this together. */
export interface BillingViews {
  pricing(page: { provider: CardBilling["provider"]; problem: string | null }): string;
  key(page: { secret: string; plan: PlanName; test: boolean; from: "payment" | "free" | "link" }): string;
  arrival(page: Exclude<Arrival, { state: "key" }>): string;
  testCheckout(page: {
    sessionId: string;
    plan: PaidPlan;
    email: string | null;
    problem: string | null;
  }): string;
  recover(page: { problem: string | null; sent: "link" | "free" | null }): string;
  link(page: { token: string; accounts: OwnedAccount[]; problem: string | null }): string;
  message(page: { title: string; text: string }): string;
}

export interface BillingPagesParts {
  cards: CardBilling;
  owners: Owners;
  limits: Limits;
  views: BillingViews;
  /** A page as an answer, with the headers that all pages have. */
  html(body: string, status?: number): Response;
  publicUrl: () => string;
  /** Under which name an address is counted. */
  subjectOf(address: string): string;
  /** Whose key this is, or the fault that it is nobody's. */
  accountOfKey(secret: string): Promise<string>;
  log: Log;
}

const PAID: readonly string[] = ["starter", "growth", "scale"] satisfies PaidPlan[];

export function createBillingPages(parts: BillingPagesParts): Record<string, BillingPage> {
  const { cards, owners, limits, views, html, publicUrl, subjectOf, log } = parts;
  const form = (request: Request) => readForm(request, publicUrl());

  /** Shows a refusal on the page it belongs to. */
  const refused = (problem: unknown, show: (sentence: string) => string): Response => {
    if (!(problem instanceof Fault)) throw problem;
    if (problem.cause !== undefined) log.warn("The card provider failed.", { problem: problem.cause });
    const answer = html(show(problem.message), problem.status);
    const { retryAfterSeconds } = problem.details;
    if (retryAfterSeconds !== undefined) answer.headers.set("retry-after", String(retryAfterSeconds));
    return answer;
  };
  const onPricing = (problem: unknown) =>
    refused(problem, (sentence) => views.pricing({ provider: cards.provider, problem: sentence }));
  const asMessage = (problem: unknown) =>
    refused(problem, (text) => views.message({ title: "That did not work", text }));

  const checkout: Serve = async (request, address) => {
    try {
      const fields = await form(request);
      const plan = fields.get("plan") ?? "";
      if (!isPaid(plan)) throw fault("invalid_parameter", "There is no such plan.", { param: "plan" });
      const email = fields.get("email") ? emailOf(fields.get("email") ?? "") : null;
      const key = fields.get("key")?.trim();
      await limits.require("checkoutsPerAddress", subjectOf(address));
      const accountId = key ? await parts.accountOfKey(key) : null;
      return seeOther(await cards.start({ plan, email, accountId }));
    } catch (problem) {
      return onPricing(problem);
    }
  };

  const success: Serve = async (request) => {
    try {
      const sessionId = queryOf(request.url).get("session_id") ?? "";
      // What only looks ahead, a HEAD or a browser that loads pages early, must not use up the one showing.
      const look = request.method !== "GET" || request.headers.get("sec-purpose") !== null;
      const arrival = await cards.arrive(sessionId, look);
      return html(
        arrival.state === "key" ? views.key({ ...arrival, from: "payment" }) : views.arrival(arrival),
      );
    } catch (problem) {
      return asMessage(problem);
    }
  };

  const showTest: Serve = async (request) => {
    try {
      const sessionId = lastOf(request);
      const { plan, email, status } = await cards.test(sessionId);
      if (status !== "open") return seeOther(`/checkout/success?session_id=${encodeURIComponent(sessionId)}`);
      return html(views.testCheckout({ sessionId, plan: plan as PaidPlan, email, problem: null }));
    } catch (problem) {
      return asMessage(problem);
    }
  };

  const decideTest: Serve = async (request) => {
    const sessionId = lastOf(request);
    try {
      const fields = await form(request);
      const { plan } = await cards.test(sessionId);
      const typed = fields.get("email") ?? "";
      const again = (problem: string) =>
        views.testCheckout({ sessionId, plan: plan as PaidPlan, email: typed, problem });
      if (fields.get("decision") !== "pay") {
        return html(again("The test card was declined, as you asked. Nothing was charged."), 402);
      }
      try {
        await cards.payTest(sessionId, emailOf(typed));
      } catch (problem) {
        return refused(problem, again);
      }
      return seeOther(`/checkout/success?session_id=${encodeURIComponent(sessionId)}`);
    } catch (problem) {
      return asMessage(problem);
    }
  };

  const freeKey: Serve = async (request, address) => {
    try {
      const fields = await form(request);
      const made = await owners.freeKey(fields.get("email") ?? "", subjectOf(address));
      if ("mailed" in made) return html(views.recover({ problem: null, sent: "free" }));
      const test = cards.provider === "builtin";
      return html(views.key({ secret: made.secret, plan: "free", test, from: "free" }));
    } catch (problem) {
      return onPricing(problem);
    }
  };

  const requestLink: Serve = async (request, address) => {
    try {
      const fields = await form(request);
      await owners.requestLink(fields.get("email") ?? "", subjectOf(address));
      return html(views.recover({ problem: null, sent: "link" }));
    } catch (problem) {
      return refused(problem, (sentence) => views.recover({ problem: sentence, sent: null }));
    }
  };

  const showLink: Serve = async (request) => {
    const token = queryOf(request.url).get("token") ?? "";
    const accounts = await owners.look(token);
    if (accounts) return html(views.link({ token, accounts, problem: null }));
    const text = "This link was used before, or its time is over.";
    return html(views.recover({ problem: text, sent: null }), 404);
  };

  const useLink: Serve = async (request) => {
    try {
      const fields = await form(request);
      const token = fields.get("token") ?? "";
      const accountId = fields.get("account") ?? "";
      if (fields.get("action") === "stop") {
        await owners.stopRenewing({ token, accountId });
        const text =
          "The card will not be charged again. Your plan works on until the end of the paid month.";
        return html(views.message({ title: "The renewal is stopped", text }));
      }
      const revokeOthers = fields.get("others") !== "keep";
      const { secret } = await owners.replaceKey({ token, accountId, revokeOthers });
      return html(views.key({ secret, plan: "free", test: false, from: "link" }));
    } catch (problem) {
      return refused(problem, (sentence) => views.recover({ problem: sentence, sent: null }));
    }
  };

  return {
    "/pricing": { GET: () => html(views.pricing({ provider: cards.provider, problem: null })) },
    "/checkout": { POST: checkout },
    "/checkout/success": { GET: success },
    "/checkout/test/{session}": { GET: showTest, POST: decideTest },
    "/free-key": { POST: freeKey },
    "/recover": { GET: () => html(views.recover({ problem: null, sent: null })), POST: requestLink },
    "/recover/link": { GET: showLink, POST: useLink },
    "/stripe/webhook": {
      POST: async (request) => {
        const body = await readBytes(request, NOTICE_BYTES);
        await cards.notice(body, request.headers.get("stripe-signature"));
        return Response.json({ received: true }, { headers: { "cache-control": "no-store" } });
      },
    },
  };
}

function isPaid(plan: string): plan is PaidPlan {
  return PAID.includes(plan);
}

/** Ids of sessions need no encoding: one that is encoded is none of ours, and is not found. */
function lastOf(request: Request): string {
  const [path = ""] = targetOf(request.url).split(/[?#]/, 1);
  return path.split("/").at(-1) ?? "";
}

function seeOther(location: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}
