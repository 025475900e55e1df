// Lets the rollup follow the journal: soon after charges, and sooner when they are many, so that what is not rolled up
// stays small. Any number of nodes may; the store lets one at a time.
import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Log } from "../../../kit/log.ts";
import { rollUp } from "../../store/money/rollup.ts";
import type { Tally } from "../../store/money/tally.ts";

export interface Rollups {
  /** So many charges were committed. */
  note(charges: number): void;
  /** Rolls up what is there, then stops. */
  close(): Promise<void>;
}

const ROLLUP_LIMITS = {
  /** What was charged is in the rows and in the usage of its hour this much later. */
  everyMs: 5_000,
  /** Or once so many were. The more accounts a rollup covers, the less each charge costs; the fewer, the less is looked through for usage. */
  chargesMax: 50_000,
  /** In one transaction: others wait for it, but the event loop does not. */
  transactionMax: 50_000,
} as const;

export function createRollups(parts: { db: Database; clock: Clock; log: Log; tally: Tally | null }): Rollups {
  const { db, clock, log, tally } = parts;
  const stopping = new AbortController();
  let charges = 0;
  let running: Promise<void> | null = null;
  let wake = new AbortController();

  /** The journal has what is rolled up, so that nobody need wait for these rows to be on the disk. */
  const rollUpOnce = () =>
    db.write((tx) => rollUp(tx, { chargesMax: ROLLUP_LIMITS.transactionMax, tally }), { flushAside: true });
  const rollUpAll = async () => {
    for (let more = true; more; ) ({ more } = await rollUpOnce());
  };
  const run = async () => {
    while (charges > 0 && !stopping.signal.aborted) {
      wake = new AbortController();
      if (charges < ROLLUP_LIMITS.chargesMax)
        await clock.sleep(ROLLUP_LIMITS.everyMs, AbortSignal.any([stopping.signal, wake.signal]));
      if (stopping.signal.aborted) break;
      charges = 0;
      await rollUpAll().catch((problem) => log.warn("charges were not rolled up", { problem }));
    }
    running = null;
  };
  return {
    note(committed) {
      charges += committed;
      if (charges >= ROLLUP_LIMITS.chargesMax) wake.abort();
      if (!stopping.signal.aborted) running ??= run();
    },
    async close() {
      stopping.abort();
      await running;
      await rollUpAll().catch((problem) => log.warn("charges were not rolled up", { problem }));
    },
  };
}
