// Charges whose commit was cut off and whose request was answered with a free 503. If such a charge turns out to be
// stored, it is given back once the store answers again, each once.
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import { lockAccounts, updateAccounts } from "../store/accounts.ts";
import type { Database } from "../store/database.ts";
import { type Charge, findCharges, findEntry, insertEntries } from "../store/ledger.ts";
import { advance } from "./renewal.ts";

export interface Reversals {
  add(charges: readonly Charge[]): void;
  /** Tries once more, then stops. */
  close(): Promise<void>;
}

/** An outage in which more commits than this were cut off is not one that a queue repairs; the rest is logged. */
const DOUBTFUL_AT_MOST = 20_000;
const TRY_EVERY_MS = 1_000;

export function createReversals({ db, clock, log }: { db: Database; clock: Clock; log: Log }): Reversals {
  const doubtful = new Map<string, Charge>();
  const stop = new AbortController();
  let running: Promise<void> | null = null;

  const reverseAll = async () => {
    for (const charge of [...doubtful.values()]) {
      const reversed = await reverse(db, charge, clock.now());
      doubtful.delete(charge.requestId);
      if (reversed)
        log.info("a charge of an unanswered call was given back", { requestId: charge.requestId });
    }
  };
  const run = async () => {
    while (doubtful.size > 0 && !stop.signal.aborted) {
      await clock.sleep(TRY_EVERY_MS, stop.signal);
      await reverseAll().catch((problem) => log.warn("charges in doubt wait for the store", { problem }));
    }
    running = null;
  };
  return {
    add(charges) {
      for (const charge of charges) {
        if (doubtful.size >= DOUBTFUL_AT_MOST) {
          log.error("a charge stays in doubt", { requestId: charge.requestId });
          continue;
        }
        doubtful.set(charge.requestId, charge);
      }
      running ??= run();
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}

/** Gives a stored charge back, to the prepaid credits because its month may be over. Says whether it did. */
export function reverse(db: Database, charge: Charge, at: number): Promise<boolean> {
  const reference = `reversal:${charge.requestId}`;
  return db.write(async (tx) => {
    const [held] = await lockAccounts(tx, [charge.accountId]);
    const [stored] = await findCharges(tx, [charge]);
    if (!held || !stored || (await findEntry(tx, reference))) return false;
    const { account, entries } = advance(held, at);
    const { credits, resolutions } = stored;
    await updateAccounts(tx, [
      {
        ...account,
        prepaidRemaining: account.prepaidRemaining + credits,
        resolutionsRemaining: account.resolutionsRemaining + resolutions,
      },
    ]);
    await insertEntries(tx, account.id, [
      ...entries,
      { kind: "reversal", credits, resolutions, reference, at },
    ]);
    return true;
  });
}
