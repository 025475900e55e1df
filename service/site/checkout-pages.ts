// The pages of plans and card checkouts, by path. A key is shown only in the response to the request that created it;
// errors are shown on the page, with the same wording as in the API.
import { fault } from "../../contract/errors.ts";
import { queryOf, targetOf } from "../../kit/target.ts";
import { addressSubject } from "../access/identity/address.ts";
import { emailOf } from "../access/identity/mailbox.ts";
import type { FormLimits } from "../access/limits/form-limits.ts";
import { readRequestBytes } from "../api/body.ts";
import type { PageHandler, SitePage } from "../api/page.ts";
import type { CardBilling } from "../billing/card/card.ts";
import type { PaidPlan } from "../billing/card/provider.ts";
import { type FormPages, NOTICE_BYTES_MAX, seeOther } from "./forms.ts";
import { html } from "./pages.ts";

export interface CheckoutPagesParts {
  cards: CardBilling;
  limits: FormLimits;
  forms: FormPages;
  /** The account of this key; throws a fault if it is unknown. */
  accountOfKey(secret: string): Promise<string>;
}

const PAID: readonly string[] = ["starter", "growth", "scale"] satisfies PaidPlan[];

export function checkoutPages(parts: CheckoutPagesParts): Record<string, SitePage> {
  const { cards, forms } = parts;
  return {
    "/pricing": { GET: () => html(forms.views.pricing({ provider: cards.provider, error: null })) },
    "/checkout": { POST: beginCheckout(parts) },
    "/checkout/success": { GET: showArrival(parts) },
    "/checkout/test/{session}": { GET: showTest(parts), POST: decideTest(parts) },
    "/stripe/webhook": {
      POST: async (request) => {
        const body = await readRequestBytes(request, NOTICE_BYTES_MAX);
        await cards.notice(body, request.headers.get("stripe-signature"));
        return Response.json({ received: true }, { headers: { "cache-control": "no-store" } });
      },
    },
  };
}

function beginCheckout({ cards, limits, forms, accountOfKey }: CheckoutPagesParts): PageHandler {
  return async (request, address) => {
    try {
      const fields = await forms.read(request);
      const plan = fields.get("plan") ?? "";
      if (!isPaid(plan)) throw fault("invalid_parameter", "There is no such plan.", { param: "plan" });
      const email = fields.get("email") ? emailOf(fields.get("email") ?? "") : null;
      const key = fields.get("key")?.trim();
      await limits.require("checkoutsPerAddress", addressSubject(address));
      const accountId = key ? await accountOfKey(key) : null;
      return seeOther(await cards.start({ plan, email, accountId }));
    } catch (error) {
      return forms.refused(error, (sentence) =>
        forms.views.pricing({ provider: cards.provider, error: sentence }),
      );
    }
  };
}

function showArrival({ cards, limits, forms }: CheckoutPagesParts): PageHandler {
  return async (request, address) => {
    try {
      await limits.require("arrivalsPerAddress", addressSubject(address));
      const sessionId = queryOf(request.url).get("session_id") ?? "";
      // A HEAD or a browser's prefetch must not use up the one showing.
      const look = request.method !== "GET" || request.headers.get("sec-purpose") !== null;
      const arrival = await cards.arrive(sessionId, look);
      return html(
        arrival.state === "key"
          ? forms.views.key({ ...arrival, from: "payment" })
          : forms.views.arrival(arrival),
      );
    } catch (error) {
      return forms.refusedAsMessage(error);
    }
  };
}

function showTest({ cards, forms }: CheckoutPagesParts): PageHandler {
  return async (request) => {
    try {
      const sessionId = lastOf(request);
      const { plan, email, status } = await cards.test(sessionId);
      if (status !== "open") return seeOther(`/checkout/success?session_id=${encodeURIComponent(sessionId)}`);
      return html(forms.views.testCheckout({ sessionId, plan: plan as PaidPlan, email, error: null }));
    } catch (error) {
      return forms.refusedAsMessage(error);
    }
  };
}

function decideTest({ cards, forms }: CheckoutPagesParts): PageHandler {
  return async (request) => {
    const sessionId = lastOf(request);
    try {
      const fields = await forms.read(request);
      const { plan } = await cards.test(sessionId);
      const typed = fields.get("email") ?? "";
      const again = (error: string) =>
        forms.views.testCheckout({ sessionId, plan: plan as PaidPlan, email: typed, error });
      if (fields.get("decision") !== "pay") {
        return html(again("The test card was declined, as you asked. Nothing was charged."), 402);
      }
      try {
        await cards.payTest(sessionId, emailOf(typed));
      } catch (error) {
        return forms.refused(error, again);
      }
      return seeOther(`/checkout/success?session_id=${encodeURIComponent(sessionId)}`);
    } catch (error) {
      return forms.refusedAsMessage(error);
    }
  };
}

function isPaid(plan: string): plan is PaidPlan {
  return PAID.includes(plan);
}

/** Session ids need no encoding: an encoded one is not ours and is not found. */
function lastOf(request: Request): string {
  const [path = ""] = targetOf(request.url).split(/[?#]/, 1);
  return path.split("/").at(-1) ?? "";
}
