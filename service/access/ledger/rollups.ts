// Keeps the rollup close behind the journal: soon after charges, and sooner when there are many, so that the unrolled tail
// stays small. Any number of nodes may run it; the store admits one at a time.
import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Log } from "../../../kit/log.ts";
import { createLoop } from "../../../kit/loop.ts";
import { rollUp } from "../../store/money/rollup.ts";
import { createSlicedRollup, type RollUpSlice } from "../../store/money/rollup-slices.ts";
import type { Tally } from "../../store/money/tally.ts";

export interface Rollups {
  /** This many charges were committed. */
  note(charges: number): void;
  /** Rolls up what is pending, then stops. */
  close(): Promise<void>;
}

const ROLLUP_LIMITS = {
  /** Charges reach the rows and the usage of their hour after this long. */
  everyMs: 5_000,
  /** Or once there are this many. The more accounts a rollup covers, the cheaper each charge; the fewer, the less must be scanned for usage. */
  chargesMax: 50_000,
} as const;

/** Where each node has its own connection for it: other charges do not wait. */
const CHARGES_PER_TRANSACTION_MAX = 50_000;

export function createRollups(parts: {
  database: Database;
  clock: Clock;
  log: Log;
  tally: Tally | null;
}): Rollups {
  const { database, clock, log, tally } = parts;
  let charges = 0;

  const rollUpSome: RollUpSlice = tally
    ? createSlicedRollup(tally)
    : (tx) => rollUp(tx, { chargesMax: CHARGES_PER_TRANSACTION_MAX });
  /** The journal already has this data, so no caller waits for these rows to be on disk. */
  const rollUpOnce = () => database.write(rollUpSome, { flushAside: true });
  const rollUpAll = async () => {
    for (let more = true; more; ) ({ more } = await rollUpOnce());
  };
  const failure = "charges were not rolled up";
  const loop = createLoop({
    failure,
    everyMs: ROLLUP_LIMITS.everyMs,
    first: "later",
    clock,
    log,
    async round() {
      const noted = charges;
      if (noted === 0) return;
      await rollUpAll();
      charges -= noted;
    },
  });
  return {
    note(committed) {
      charges += committed;
      loop.start();
      if (charges >= ROLLUP_LIMITS.chargesMax) loop.wake();
    },
    async close() {
      await loop.stop();
      await rollUpAll().catch((error) => log.warn(failure, { error }));
    },
  };
}
