// The pages where people without a login get a key and replace a lost one. A key is shown only in the response to the
// request that created it.
import { queryOf } from "../../kit/target.ts";
import { KEY_AGAIN_PATH } from "../../web/pricing/checkout.tsx";
import type { Owners } from "../accounts/owners.ts";
import type { PageHandler, SitePage } from "../api/page.ts";
import type { CardBilling } from "../billing/card/card.ts";
import type { FormPages } from "./forms.ts";
import { html } from "./pages.ts";

export interface AccountPagesParts {
  owners: Owners;
  forms: FormPages;
  /** The card provider: the page that offers the free key also offers the plans. */
  provider: CardBilling["provider"];
  /** False: mails are written to files that only the operator sees, and the page says so. */
  mailsLeave: boolean;
}

export function accountPages(parts: AccountPagesParts): Record<string, SitePage> {
  const { forms } = parts;
  return {
    "/free-key": { POST: giveFreeKey(parts) },
    [KEY_AGAIN_PATH]: { GET: () => html(forms.views.keyAgain(SHOWN_ONCE)) },
    "/recover": {
      GET: () => html(forms.views.recover({ error: null, sent: null, mailsLeave: parts.mailsLeave })),
      POST: requestLink(parts),
    },
    "/recover/link": { GET: showLink(parts), POST: followLink(parts) },
  };
}

const SHOWN_ONCE =
  "A key is shown when it is made, and can't be shown again. If you do not have yours, replace it by your e-mail address.";

function giveFreeKey({ owners, forms, provider, mailsLeave }: AccountPagesParts): PageHandler {
  return async (request, address) => {
    try {
      const fields = await forms.read(request);
      const made = await owners.freeKey(fields.get("email") ?? "", address);
      if ("mailed" in made) {
        const sent = made.mailed === "link" ? "freeKey" : "free";
        return html(forms.views.recover({ error: null, sent, mailsLeave }));
      }
      const test = provider === "builtin";
      return html(forms.views.key({ secret: made.secret, plan: "free", test, from: "free" }));
    } catch (error) {
      return forms.refused(error, (sentence) => forms.views.pricing({ provider, error: sentence }));
    }
  };
}

function requestLink({ owners, forms, mailsLeave }: AccountPagesParts): PageHandler {
  return async (request, address) => {
    try {
      const fields = await forms.read(request);
      await owners.requestLink(fields.get("email") ?? "", address);
      return html(forms.views.recover({ error: null, sent: "link", mailsLeave }));
    } catch (error) {
      return forms.refused(error, (sentence) =>
        forms.views.recover({ error: sentence, sent: null, mailsLeave }),
      );
    }
  };
}

function showLink({ owners, forms, mailsLeave }: AccountPagesParts): PageHandler {
  return async (request) => {
    const token = queryOf(request.url).get("token") ?? "";
    const accounts = await owners.look(token);
    if (accounts) return html(forms.views.link({ token, accounts, error: null }));
    const text = "This link was already used, or has expired.";
    return html(forms.views.recover({ error: text, sent: null, mailsLeave }), 404);
  };
}

function followLink({ owners, forms, mailsLeave }: AccountPagesParts): PageHandler {
  return async (request) => {
    try {
      const fields = await forms.read(request);
      const token = fields.get("token") ?? "";
      const accountId = fields.get("account") ?? "";
      if (fields.get("action") === "stop") {
        await owners.stopRenewing({ token, accountId });
        const text =
          "The card will not be charged again. Your plan works on until the end of the paid month.";
        return html(forms.views.message({ title: "The renewal is stopped", text }));
      }
      const revokeOthers = fields.get("others") !== "keep";
      const { secret } = await owners.replaceKey({ token, accountId, revokeOthers });
      return html(forms.views.key({ secret, plan: "free", test: false, from: "link" }));
    } catch (error) {
      return forms.refused(error, (sentence) =>
        forms.views.recover({ error: sentence, sent: null, mailsLeave }),
      );
    }
  };
}
