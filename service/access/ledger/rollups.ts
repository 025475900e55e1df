// Lets the rollup follow the journal: soon after charges, and sooner when they are many, so that what is not rolled up
// stays small. Any number of nodes may; the store lets one at a time.
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
  /** Rolls up what is there, then stops. */
  close(): Promise<void>;
}

const ROLLUP_LIMITS = {
  /** What was charged is in the rows and in the usage of its hour this much later. */
  everyMs: 5_000,
  /** Or once this many were. The more accounts a rollup covers, the less each charge costs; the fewer, the less is looked through for usage. */
  chargesMax: 50_000,
} as const;

/** Where each node has a connection of its own for it: others' charges do not wait. */
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
  /** The journal has what is rolled up, so that no caller waits for these rows to be on the disk. */
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
