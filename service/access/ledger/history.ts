// How long things are kept: a charge for 35 days (on PostgreSQL until its whole month is that old), then its day's sum
// for good; tickets and kept answers until they are over. Charges never wait long behind this: it works in small
// transactions, and PostgreSQL drops a month as one table.

import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Log } from "../../../kit/log.ts";
import { deleteExpiredAnswers } from "../../store/money/idempotency.ts";
import { deleteExpiredTickets } from "../../store/money/tickets.ts";
import { accountIdsAfter, rollUpCharges, rollUpMonth } from "../../store/money/usage.ts";
import { DAY_MS, startOfDay } from "./months.ts";

export const CHARGES_KEPT_DAYS = 35;
/** Charges in one transaction: some ten milliseconds of the writer's time. */
const ROLLED_PER_STEP_MAX = 1_000;
const DELETED_PER_STEP_MAX = 1_000;
const ACCOUNTS_PER_PAGE_MAX = 500;
const TIDY_EVERY_MS = 60 * 60 * 1000;

export interface History {
  /** Everything that is due, once. */
  tidy(): Promise<{ charges: number; tickets: number; answers: number }>;
  /** Tidies every hour until closed. Any number of nodes may. */
  start(): void;
  close(): Promise<void>;
}

export function createHistory({ db, clock, log }: { db: Database; clock: Clock; log: Log }): History {
  const stop = new AbortController();
  let running: Promise<void> | null = null;

  const rollUp = async (): Promise<number> => {
    const before = startOfDay(clock.now()) - CHARGES_KEPT_DAYS * DAY_MS;
    let rolled = 0;
    if (db.dialect === "postgres") {
      for (let month: number | null = 0; month !== null; month = await rollUpMonth(db, before))
        rolled += month;
      return rolled;
    }
    for (let after = ""; !stop.signal.aborted; ) {
      const ids = await accountIdsAfter(db.read, after, ACCOUNTS_PER_PAGE_MAX);
      const last = ids[ids.length - 1];
      if (last === undefined) break;
      after = last;
      for (const accountId of ids) {
        rolled += await untilNone(() =>
          db.write((tx) => rollUpCharges(tx, accountId, before, ROLLED_PER_STEP_MAX)),
        );
      }
    }
    return rolled;
  };
  const untilNone = async (step: () => Promise<number>): Promise<number> => {
    let total = 0;
    for (let done = await step(); done > 0 && !stop.signal.aborted; done = await step()) total += done;
    return total;
  };

  const tidy = async () => {
    const charges = await rollUp();
    const tickets = await db.write((tx) => deleteExpiredTickets(tx, clock.now()));
    const answers = await untilNone(() =>
      db.write((tx) => deleteExpiredAnswers(tx, clock.now(), DELETED_PER_STEP_MAX)),
    );
    return { charges, tickets, answers };
  };
  const run = async () => {
    while (!stop.signal.aborted) {
      await tidy().catch((problem) => log.warn("history could not be tidied", { problem }));
      await clock.sleep(TIDY_EVERY_MS, stop.signal);
    }
  };
  return {
    tidy,
    start() {
      running ??= run();
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}
