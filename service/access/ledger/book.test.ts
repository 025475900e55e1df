// Balances in memory next to other processes: grants, refunds, rollups and a second charger on the same SQLite file.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Database } from "../../../database/database.ts";
import { systemClock } from "../../../kit/clock.ts";
import { findAccount, remainingOf } from "../../store/money/accounts.ts";
import { imbalances } from "../../store/money/ledger.ts";
import { rollUp } from "../../store/money/rollup.ts";
import { makeKey, START, silent, type TestStore, testAccess, testStore } from "../test-support.ts";
import type { ChargeOrder } from "./decide.ts";
import { createLedger } from "./ledger.ts";
import { createViews } from "./views.ts";

let store: TestStore;
let database: Database;
let verbs: Database;
beforeAll(async () => {
  store = await testStore("sqlite");
  [database, verbs] = [await store.open(), await store.open()];
});
afterAll(() => store.remove());

let made = 0;
const order = (accountId: string, credits: number): ChargeOrder => ({
  requestId: `req_${++made}`,
  accountId,
  keyId: "key_1",
  routeId: "leaderboard",
  credits,
  resolutions: 0,
  at: START,
  capOf: null,
});
const ledgerOn = (of: Database) =>
  createLedger({ database: of, clock: systemClock(), log: silent, views: createViews() });

test("charges touch no balance's row until the rollup, and every reader sees them at once", async () => {
  const { access } = await testAccess("sqlite", { store, database });
  const { accountId } = await makeKey(access);
  const ledger = ledgerOn(database);
  const row = async () => {
    const text = "SELECT monthly_remaining AS n FROM balance WHERE account_id = ?";
    return (await verbs.read.one<{ n: number }>({ text, values: [accountId] }))?.n;
  };
  const before = await row();
  await Promise.all([1, 2, 3].map(() => ledger.charge(order(accountId, 250))));
  expect(await row()).toBe(before);
  const seen = await findAccount(verbs.read, accountId);
  expect(seen && remainingOf(seen)).toBe((before ?? 0) - 750);
  await verbs.write((tx) => rollUp(tx));
  expect(await row()).toBe((before ?? 0) - 750);
  expect((await ledger.charge(order(accountId, 250))).remaining).toBe((before ?? 0) - 1_000);
  await ledger.close();
  expect(await row()).toBe((before ?? 0) - 1_000);
});

test("whatever a second process grants, takes, charges or rolls up in between, nothing is spent twice or lost", async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ act: fc.constant("charge" as const), credits: fc.nat(900) }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant("elsewhere" as const), credits: fc.nat(900) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        act: fc.constant("grant" as const),
        credits: fc.integer({ min: 1, max: 2_000 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        act: fc.constant("refund" as const),
        credits: fc.integer({ min: 1, max: 900 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("rollUp" as const), credits: fc.constant(0) }) },
  );
  const [here, there] = [
    await testAccess("sqlite", { store, database }),
    await testAccess("sqlite", { store, database: verbs }),
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { accountId } = await makeKey(here.access);
      const [one, two] = [ledgerOn(database), ledgerOn(verbs)];
      let left = remainingOf((await here.access.grants.account(accountId)) as never);
      const drained = await one.charge(order(accountId, left - 2_000));
      expect(drained.refused).toBeNull();
      left = 2_000;
      for (const { act, credits } of steps) {
        if (act === "charge" || act === "elsewhere") {
          const result = await (act === "charge" ? one : two).charge(order(accountId, credits));
          expect(result.refused).toBe(credits <= left ? null : "credits_exhausted");
          if (credits <= left) left -= credits;
          expect(result.remaining).toBe(left);
        } else if (act === "grant") {
          await there.access.grants.addPrepaid({ accountId, credits, reference: `g${++made}` });
          left += credits;
        } else if (act === "refund") {
          const { grants } = there.access;
          left -= (await grants.takeBackPrepaid({ accountId, credits, reference: `r${++made}` })).taken;
        } else await verbs.write((tx) => rollUp(tx));
        const seen = [
          await findAccount(verbs.read, accountId),
          await one.account(accountId),
          await two.account(accountId),
        ];
        expect(seen.map((account) => account && remainingOf(account))).toEqual([left, left, left]);
      }
      await Promise.all([one.close(), two.close()]);
      expect(await imbalances(database.read)).toEqual([]);
    }),
    { numRuns: 25 },
  );
  await Promise.all([here.close(), there.close()]);
}, 900_000);
