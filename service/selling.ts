// The part of the composition root that sells: mail, billing and accounts, which do not know each other, are each handed
// what they need of the others, and the API the pages of all three.
import type { Database } from "../database/database.ts";
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import type { Metrics } from "../kit/metrics.ts";
import type { Random } from "../kit/random.ts";
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

type SellingConfig = MailSettings & Omit<BillingSettings, "simulated"> & Pick<Config, "upstream">;

export function openSelling(
  config: SellingConfig,
  kit: { clock: Clock; log: Log; metrics: Metrics; random: Random },
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
