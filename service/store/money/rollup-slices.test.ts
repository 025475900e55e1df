// Whether a rollup stops between any two slices, continues, is overtaken or dies: every reader sees each charge once.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Database } from "../../../database/database.ts";
import { openDatabase } from "../../../database/open.ts";
import { raw, sql } from "../../../database/sql.ts";
import { MINUTE_MS } from "../../../kit/units.ts";
import { migrateStore } from "../migrations.ts";
import { findAccount } from "./accounts.ts";
import { appendRows, type Charge, rowsOf } from "./journal.ts";
import { imbalances, insertEntries } from "./ledger.ts";
import { ledgerState, rollUp } from "./rollup.ts";
import { createSlicedRollup } from "./rollup-slices.ts";
import { createTally } from "./tally.ts";
import { usageOf } from "./usage.ts";

const START = Date.UTC(2026, 0, 15, 10, 30);
const ALL_TIME = { from: 0, to: 2 * START };
const IDS = ["acc_A", "acc_Z", "acc_a", "acc_m", "acc_z"];
const GIVEN = { monthly: 100, prepaid: 1_000_000, resolutions: 1_000 };

const folder = mkdtempSync(join(tmpdir(), "crowdtape-slices-"));
let database: Database;
beforeAll(async () => {
  database = await openDatabase({ file: join(folder, "slices.sqlite") });
  await migrateStore(database, START);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startOver(): Promise<void> {
  await database.write(async (tx) => {
    for (const table of ["journal", "usage_hour", "ledger_entry", "balance", "account"])
      await tx.run(raw(`DELETE FROM ${table}`));
    await tx.run(raw("UPDATE ledger_state SET rolled_below = 1, sliced_below = 0, sliced_through = ''"));
    for (const id of IDS) {
      await tx.run(
        sql`INSERT INTO account (id, email, plan, anchor_at, period_start, period_end, grace_ms, created_at)
            VALUES (${id}, 'a@b.example', 'free', 0, 0, 0, 0, 0)`,
      );
      await tx.run(
        sql`INSERT INTO balance (account_id, next_change_at, monthly_remaining, prepaid_remaining,
              resolutions_remaining, version)
            VALUES (${id}, 9000000000000, ${GIVEN.monthly}, ${GIVEN.prepaid}, ${GIVEN.resolutions}, 0)`,
      );
      const credits = GIVEN.monthly + GIVEN.prepaid;
      const entry = {
        kind: "month",
        credits,
        resolutions: GIVEN.resolutions,
        reference: null,
        at: 0,
      } as const;
      await insertEntries(tx, id, [entry]);
    }
  });
}

class Stopped extends Error {}

/** A process that charges and rolls up, two accounts at a time; another one takes over where it was killed. */
function createProcess() {
  const tally = createTally();
  const slice = createSlicedRollup(tally, 2);
  const stopped = (error: unknown) => {
    if (!(error instanceof Stopped)) throw error;
  };
  return {
    charge: (batchId: string, charges: readonly Charge[]) =>
      database.write(async (tx) => {
        const state = await ledgerState(tx);
        await appendRows(tx, rowsOf(batchId, charges, charges));
        const { head } = await ledgerState(tx);
        tally.note(state, { head, batchId }, charges);
      }),
    slice: () => database.write(slice),
    failedSlice: () =>
      database
        .write(async (tx) => {
          await slice(tx);
          throw new Stopped();
        })
        .catch(stopped),
    rollUp: (chargesMax?: number) =>
      database.write((tx) => rollUp(tx, chargesMax === undefined ? { tally } : { tally, chargesMax })),
  };
}

const STEPS = ["charge", "slice", "failedSlice", "killed", "rollUp", "rollUpSome", "othersRollUp"] as const;
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant("charge" as const) },
  { weight: 6, arbitrary: fc.constant("slice" as const) },
  { weight: 3, arbitrary: fc.constantFrom(...STEPS) },
);

test("each charge is seen once, whatever happens between two slices", async () => {
  const seen = { sliced: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      await startOver();
      let process = createProcess();
      const charges: Charge[] = [];
      for (const one of ["charge" as const, ...steps]) {
        if (one === "charge") {
          const batch = Array.from({ length: 7 }, (_, n) => chargeOf(charges.length + n));
          await process.charge(`batch-${charges.length}`, batch);
          charges.push(...batch);
        } else if (one === "killed") process = createProcess();
        else if (one === "rollUpSome") await process.rollUp(1);
        else if (one === "othersRollUp") await database.write((tx) => rollUp(tx));
        else await process[one]();
        if ((await ledgerState(database.read)).slicedThrough !== "") seen.sliced += 1;
        await expectAllOf(charges);
      }
      for (let more = true; more; ) ({ more } = await process.slice());
      await expectAllOf(charges);
      expect(await ledgerState(database.read)).toMatchObject({ slicedThrough: "" });
    }),
    { seed: 24, numRuns: 40 },
  );
  // Otherwise nothing was checked in between.
  expect(seen.sliced).toBeGreaterThan(40);
}, 900_000);

const chargeOf = (n: number): Charge => ({
  requestId: `req_${n}`,
  accountId: IDS[(n * n + 3 * n) % IDS.length] ?? "",
  keyId: `key_${n % 2}`,
  routeId: `route_${n % 3}`,
  credits: 1 + (n % 40),
  resolutions: n % 4 === 0 ? 1 : 0,
  at: START + n * 2 * MINUTE_MS,
});

async function expectAllOf(charges: readonly Charge[]): Promise<void> {
  expect(await imbalances(database.read)).toEqual([]);
  for (const id of IDS) {
    const own = charges.filter(({ accountId }) => accountId === id);
    const credits = own.reduce((sum, one) => sum + one.credits, 0);
    const account = await findAccount(database.read, id);
    expect(account).toMatchObject({
      monthlyRemaining: Math.max(0, GIVEN.monthly - credits),
      prepaidRemaining: GIVEN.prepaid - Math.max(0, credits - GIVEN.monthly),
      resolutionsRemaining: GIVEN.resolutions - own.reduce((sum, one) => sum + one.resolutions, 0),
    });
    const usage = await usageOf(database.read, id, ALL_TIME, "day");
    const total = (pick: (row: (typeof usage)[number]) => number) =>
      usage.reduce((sum, row) => sum + pick(row), 0);
    expect([total((row) => row.calls), total((row) => row.credits)]).toEqual([own.length, credits]);
  }
}
