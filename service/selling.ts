// What sells and mails: billing and accounts, each handed what it needs of the others.
import type { Database } from "../database/database.ts";
import type { BillingViews } from "../web/pricing/pages.ts";
import type { Access } from "./access/access.ts";
import { createFormLimits } from "./access/limits/form-limits.ts";
import { createAccounts, type MailSettings, openOutbox } from "./accounts/accounts.ts";
import { accountPages } from "./api/account-pages.ts";
import { checkoutPages } from "./api/checkout-pages.ts";
import { createFormPages } from "./api/forms.ts";
import type { Page } from "./api/pages.ts";
import { type BillingSettings, createBilling } from "./billing/billing.ts";
import { type Config, SIMULATOR } from "./config.ts";
import type { Kit } from "./service.ts";

type SellingConfig = MailSettings & Omit<BillingSettings, "simulated"> & Pick<Config, "upstream">;

/** Mail, billing and accounts, each handed what it needs of the others. */
export function openSelling(
  config: SellingConfig,
  kit: Kit,
  parts: { database: Database; access: Access; publicUrl: () => string; views: BillingViews },
) {
  const { access, publicUrl, views } = parts;
  const shared = { ...kit, ...parts };
  const outbox = openOutbox({ ...shared, settings: config });
  const simulated = config.upstream === SIMULATOR;
  const billing = createBilling({ ...shared, settings: { ...config, simulated }, letters: outbox });
  const { cards, payments } = billing;
  const limits = createFormLimits(shared);
  const accounts = createAccounts({
    ...{ ...shared, outbox, limits },
    renewals: { renews: cards.renews, stop: cards.stopRenewing },
    testKeys: cards.provider === "builtin",
    mailsLeave: config.smtpUrl !== null,
  });
  const forms = createFormPages({ publicUrl, log: kit.log, views });
  const accountOfKey = async (secret: string) => (await access.identifyKey(secret)).accountId;
  return {
    cards,
    payments,
    outbox,
    accountData: accounts.data,
    pages: {
      ...checkoutPages({ cards, limits, forms, accountOfKey }),
      ...accountPages({
        ...{ owners: accounts.owners, forms, provider: cards.provider },
        mailsLeave: config.smtpUrl !== null,
      }),
    } satisfies Record<string, Page>,
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
