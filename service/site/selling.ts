// Wires up sales: mail, billing and accounts don't know each other, and each gets what it needs from the others; the pages
// of all three come from here.
import { WEBHOOK } from "../../contract/webhooks.ts";
import type { Database, Queries } from "../../database/database.ts";
import type { Kit } from "../../kit/kit.ts";
import type { BillingViews } from "../../web/pricing/pages.ts";
import type { Access } from "../access/access.ts";
import { createFormLimits } from "../access/limits/form-limits.ts";
import { createAccounts, type MailSettings, openOutbox } from "../accounts/accounts.ts";
import { type BillingSettings, createBilling } from "../billing/billing.ts";
import { accountPages } from "./account-pages.ts";
import { checkoutPages } from "./checkout-pages.ts";
import { createFormPages } from "./forms.ts";
import { createPagePace, pacedPages } from "./page-pace.ts";

interface GivenUpWebhook {
  id: string;
  url: string;
  failingSince: number | null;
}

export function openSelling(
  settings: MailSettings & BillingSettings,
  kit: Kit,
  parts: { database: Database; access: Access; publicUrl: () => string; views: BillingViews },
) {
  const { access, publicUrl, views } = parts;
  const shared = { ...kit, ...parts };
  const outbox = openOutbox({ ...shared, settings });
  const billing = createBilling({ ...shared, settings, letters: outbox });
  const { cards, payments } = billing;
  const limits = createFormLimits(shared);
  const accounts = createAccounts({
    ...shared,
    outbox,
    limits,
    renewals: { renews: cards.renews, stop: cards.stopRenewing },
    testKeys: cards.provider === "builtin",
    mailsLeave: settings.smtpUrl !== null,
  });
  const forms = createFormPages({ publicUrl, log: kit.log, views });
  const accountOfKey = async (secret: string) => (await access.identifyKey(secret)).accountId;
  return {
    cards,
    payments,
    outbox,
    /** Mails the owner of an abandoned webhook: once each time, whichever node gave up on it. */
    tellOwner: (tx: Queries, webhook: GivenUpWebhook, email: string) =>
      outbox.queueWebhook(tx, {
        mailId: `webhook:${webhook.id}:${webhook.failingSince ?? 0}`,
        recipient: email,
        webhookId: webhook.id,
        days: WEBHOOK.retryDays,
        host: URL.parse(webhook.url)?.host ?? "your endpoint",
      }),
    accountData: accounts.data,
    pages: pacedPages(
      {
        ...checkoutPages({ cards, limits, forms, accountOfKey }),
        ...accountPages({
          owners: accounts.owners,
          forms,
          provider: cards.provider,
          mailsLeave: settings.smtpUrl !== null,
        }),
      },
      createPagePace(access),
    ),
    start() {
      outbox.start();
      billing.start();
    },
    async stop() {
      await billing.stop();
      await outbox.stop();
    },
  };
}
