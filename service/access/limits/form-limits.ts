// How often a form may be used: from one IP address, and for one mailbox. The database counts, so the limits
// hold across nodes and restarts; the subject is stored as a hash.

import { createHash } from "node:crypto";
import { fault } from "../../../contract/errors.ts";
import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import { DAY_MS, HOUR_MS } from "../../../kit/units.ts";
import { type FormLimit, forgetUses, takeUse } from "../../store/money/free-accounts.ts";

export const FORM_LIMITS = {
  /** A home or an office makes a few; a farm of them needs many addresses. */
  freeKeysPerAddress: { uses: 5, windowMs: DAY_MS },
  walletsPerAddress: { uses: 5, windowMs: DAY_MS },
  /** Each asks the card provider. */
  checkoutsPerAddress: { uses: 30, windowMs: HOUR_MS },
  /** Pages of a payment that is on its way reload themselves every few seconds. */
  arrivalsPerAddress: { uses: 600, windowMs: HOUR_MS },
  /** An IPv6 customer often has a whole /48: as many as a dozen homes. */
  freeKeysPerSite: { uses: 20, windowMs: DAY_MS },
  linksPerAddress: { uses: 10, windowMs: HOUR_MS },
  /** Nobody can flood a mailbox through us. */
  linksPerMailbox: { uses: 3, windowMs: HOUR_MS },
} as const satisfies Record<string, FormLimit>;

/** Longer than the longest window. */
const FORGOTTEN_AFTER_MS = 2 * DAY_MS;
const FORGOTTEN_PER_USE_MAX = 100;

export interface FormLimits {
  /** Counts one use; false when there were too many. */
  take(limit: keyof typeof FORM_LIMITS, subject: string): Promise<boolean>;
  /** The same, but throws a fault that says when to retry. */
  require(limit: keyof typeof FORM_LIMITS, subject: string): Promise<void>;
}

export function createFormLimits({ database, clock }: { database: Database; clock: Clock }): FormLimits {
  const count = (limit: keyof typeof FORM_LIMITS, subject: string) => {
    const now = clock.now();
    const name = createHash("sha256").update(`${limit} ${subject}`).digest("hex");
    return database.write(async (tx) => {
      await forgetUses(tx, now - FORGOTTEN_AFTER_MS, FORGOTTEN_PER_USE_MAX);
      return takeUse(tx, name, FORM_LIMITS[limit], now);
    });
  };
  return {
    take: async (limit, subject) => (await count(limit, subject)) === null,
    async require(limit, subject) {
      const until = await count(limit, subject);
      if (until === null) return;
      const { uses, windowMs } = FORM_LIMITS[limit];
      const window = windowMs === DAY_MS ? "a day" : "an hour";
      throw fault("rate_limited", `At most ${uses} times ${window} from one address. Try again later.`, {
        retryAfterSeconds: Math.ceil((until - clock.now()) / 1_000),
      });
    },
  };
}
