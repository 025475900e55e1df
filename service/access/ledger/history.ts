// Retention: a charge and the usage of its hour for 35 days (on PostgreSQL a charge until its whole month
// is that old), then its day's sum for good; tickets and kept answers until they expire. Charges never wait long behind
// this: it uses small transactions, and PostgreSQL drops a month as one table.

import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Log } from "../../../kit/log.ts";
import { createLoop } from "../../../kit/loop.ts";
import { DAY_MS, HOUR_MS } from "../../../kit/units.ts";
import { deleteExpiredAnswers } from "../../store/money/idempotency.ts";
import { rollUp } from "../../store/money/rollup.ts";
import { deleteExpiredTickets } from "../../store/money/tickets.ts";
import { forgetJournal, sumUpHours } from "../../store/money/usage.ts";
import { startOfDay } from "./months.ts";

export const CHARGES_KEPT_DAYS = 35;
/** Rows in one transaction: a few milliseconds, which on SQLite are the thread's. */
const ROWS_PER_STEP_MAX = 250;

export interface History {
  /** Deletes everything that is due, once. */
  tidy(): Promise<{ hours: number; batches: number; tickets: number; answers: number }>;
  /** Runs every hour until closed. Any number of nodes may run it. */
  start(): void;
  close(): Promise<void>;
}

export function createHistory({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Log;
}): History {
  const tidy = async (signal?: AbortSignal) => {
    const untilNone = async (step: () => Promise<number>): Promise<number> => {
      let total = 0;
      for (let done = await step(); done > 0 && !signal?.aborted; done = await step()) total += done;
      return total;
    };
    const before = startOfDay(clock.now()) - CHARGES_KEPT_DAYS * DAY_MS;
    await database.write((tx) => rollUp(tx));
    const hours = await untilNone(() => database.write((tx) => sumUpHours(tx, before, ROWS_PER_STEP_MAX)));
    const batches = await untilNone(() => forgetJournal(database, before, ROWS_PER_STEP_MAX));
    const tickets = await untilNone(() =>
      database.write((tx) => deleteExpiredTickets(tx, clock.now(), ROWS_PER_STEP_MAX)),
    );
    const answers = await untilNone(() =>
      database.write((tx) => deleteExpiredAnswers(tx, clock.now(), ROWS_PER_STEP_MAX)),
    );
    return { hours, batches, tickets, answers };
  };
  const failure = "history was not tidied";
  const loop = createLoop({ failure, everyMs: HOUR_MS, clock, log, round: tidy });
  return { tidy: () => tidy(), start: loop.start, close: loop.stop };
}
