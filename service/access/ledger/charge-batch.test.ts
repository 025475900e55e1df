import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Database } from "../../../database/database.ts";
import { monthsOf } from "../../../database/partitions.ts";
import { DAY_MS } from "../../../kit/units.ts";
import { needing } from "../../../test/support/needing.ts";
import { findAccount } from "../../store/money/accounts.ts";
import { chargesIn, chargesOfAccount, storedRows } from "../../store/money/journal.ts";
import { imbalances } from "../../store/money/ledger.ts";
import { chargeFitting } from "../../store/money/ledger-batch.ts";
import { JOURNAL } from "../../store/money/months.ts";
import { drainTo, makeKey, START, type TestStore, testAccess, testStore } from "../test-support.ts";
import { chargeAtOnce, chargeInOrder, namesOf, newBatch, Repeated } from "./charge-batch.ts";
import type { ChargeOrder, ChargeResult, Decision } from "./decide.ts";

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER };

interface Wanted {
  account: number;
  request: number;
  credits: number;
  resolutions: number;
}

/** An id and its time are made in one moment, so a repeated request has the time of the first. */
const dayOf = (request: number) => [0, 0, 0, 1, 33][request % 5] ?? 0;

needing("postgres").describe("a batch in one statement", () => {
  let store: TestStore;
  let database: Database;
  beforeAll(async () => {
    store = await testStore("postgres");
    database = await store.open();
    await monthsOf(database, JOURNAL).ensure([START, START + DAY_MS, START + 33 * DAY_MS]);
  });
  afterAll(() => store.remove());

  const accounts = async (left: readonly { monthly: number; prepaid: number; capped: boolean }[]) => {
    const { access } = await testAccess("postgres", { store, database });
    return Promise.all(
      left.map(async ({ monthly, prepaid, capped }) => {
        const made = await makeKey(access, { prepaid, ...(capped ? { monthlyCap: 700 } : {}) });
        await drainTo(database, made.accountId, monthly);
        return { accountId: made.accountId, capOf: capped ? made.key.lineage : null };
      }),
    );
  };

  const inOrder = (orders: readonly ChargeOrder[]): Promise<Decision> =>
    database.write((tx) => chargeInOrder(tx, newBatch(orders), false));

  /** One statement for what fits, the general way for the rest: as the ledger does. */
  const quickly = async (batch: ChargeOrder[]): Promise<(ChargeResult | undefined)[]> => {
    const { orders, decision, rest } = await chargeAtOnce(database, newBatch(batch), () => undefined);
    const results = new Map(orders.map((order, index) => [order, decision.results[index]]));
    if (rest.length > 0) {
      const slow = await inOrder(rest);
      for (const [index, order] of rest.entries()) results.set(order, slow.results[index]);
    }
    return batch.map((order) => results.get(order));
  };
  const generally = async (batch: ChargeOrder[]): Promise<(ChargeResult | undefined)[]> =>
    (await inOrder(batch)).results;

  const wanted = fc.record({
    account: fc.nat(2),
    // Few ids, so that some are repeated within a batch.
    request: fc.nat(30),
    credits: fc.constantFrom(0, 1, 10, 125, 250, 900, 2_500),
    resolutions: fc.constantFrom(0, 0, 0, 1, 60),
  });
  const world = fc.record({
    left: fc.array(
      fc.record({
        monthly: fc.constantFrom(0, 300, 5_000, 250_000),
        prepaid: fc.constantFrom(0, 700, 100_000),
        capped: fc.constantFrom(false, false, true),
      }),
      { minLength: 3, maxLength: 3 },
    ),
    batches: fc.array(fc.array(wanted, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }),
  });

  test("answers and leaves exactly what deciding in order of arrival does, whatever fits and whatever is repeated", async () => {
    let worlds = 0;
    await fc.assert(
      fc.asyncProperty(world, async ({ left, batches }) => {
        worlds += 1;
        const twins = [await accounts(left), await accounts(left)];
        const play = async (twin: 0 | 1, charge: typeof quickly) => {
          const answers: unknown[] = [];
          for (const [index, batch] of batches.entries()) {
            const name = `${worlds}-${twin}-${index}`;
            const orders = batch.map((one) => orderOf(one, name, twins[twin]?.[one.account]));
            const results = await charge(orders);
            answers.push(
              results.map((result) => result && [result.refused, result.remaining, result.capUsed]),
            );
          }
          const ends = (twins[twin] ?? []).map(async ({ accountId }) => {
            const account = await findAccount(database.read, accountId);
            const charges = await chargesOfAccount(database.read, accountId, EVER, 999);
            const { monthlyRemaining, prepaidRemaining, resolutionsRemaining, periodStart } = account ?? {};
            return {
              monthlyRemaining,
              prepaidRemaining,
              resolutionsRemaining,
              periodStart,
              charges: charges
                .map(({ requestId, credits, at }) => [requestId.split(":")[1], credits, at])
                .sort(),
            };
          });
          return { answers, ends: await Promise.all(ends) };
        };
        expect(await play(0, quickly)).toEqual(await play(1, generally));
      }),
      { numRuns: 60 },
    );
    expect(await imbalances(database.read)).toEqual([]);
  }, 900_000);

  function orderOf(
    one: Wanted,
    world: string,
    of?: { accountId: string; capOf: string | null },
  ): ChargeOrder {
    const { accountId, capOf } = of ?? { accountId: "", capOf: null };
    return {
      requestId: `${world}:${one.account}-${one.request}`,
      accountId,
      keyId: 'a "key" \\',
      routeId: "r,{}",
      credits: one.credits,
      resolutions: one.resolutions,
      at: START + dayOf(one.request) * DAY_MS,
      capOf,
    };
  }

  test("charges once when it is sent many times at once, and tells the others that it is there", async () => {
    const [one] = await accounts([{ monthly: 10_000, prepaid: 0, capped: false }]);
    const accountId = one?.accountId ?? "";
    const batch = Array.from({ length: 20 }, (_, request) => ({
      ...orderOf({ account: 0, request, credits: 100, resolutions: 0 }, "again", { accountId, capOf: null }),
      at: START,
    }));
    const other = await store.open();
    const named = newBatch(batch);
    const [name = { at: 0, batchId: "" }] = namesOf(named);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => chargeFitting(n % 2 ? database : other, name, batch)),
    );
    expect(answers.filter((answer) => answer === null)).toHaveLength(5);
    // Sent once more the general way, it is noticed too, whatever is left to pay it with.
    await drainTo(database, accountId, 8_000);
    const again = database.write((tx) => chargeInOrder(tx, named, true));
    await expect(again).rejects.toBeInstanceOf(Repeated);
    const [row] = await storedRows(database.read, [name]);
    expect(row && chargesIn(row).map(({ requestId }) => requestId)).toEqual(
      batch.map(({ requestId }) => requestId),
    );
    expect(await findAccount(database.read, accountId)).toMatchObject({ monthlyRemaining: 8_000 });
    expect(await imbalances(database.read)).toEqual([]);
  });

  test("nodes that charge the same accounts at once take exactly what they journal, down to the last credit", async () => {
    const made = await accounts(
      Array.from({ length: 12 }, (_, n) => ({ monthly: 40 + n, prepaid: 7 * n, capped: false })),
    );
    const nodes = await Promise.all([store.open(), store.open(), store.open()]);
    const answers = await Promise.all(
      nodes.flatMap((node, which) =>
        Array.from({ length: 12 }, async (_, n) => {
          // Each in an order of its own, which must not matter.
          const turned = made.map((__, index) => made[(index + which + n) % made.length]);
          const orders = turned.map((of, index) => ({
            ...orderOf({ account: index, request: n * 5, credits: 3, resolutions: 0 }, `race-${which}`, of),
            at: START,
          }));
          const batch = newBatch(orders);
          const [name = { at: 0, batchId: "" }] = namesOf(batch);
          return chargeFitting(node, name, orders);
        }),
      ),
    );
    const left: number[] = [];
    for (const [n, { accountId }] of made.entries()) {
      const charged = answers.filter((answer) => answer?.some((one) => one.accountId === accountId)).length;
      const account = await findAccount(database.read, accountId);
      const all = 40 + n + 7 * n;
      left.push((account?.monthlyRemaining ?? 0) + (account?.prepaidRemaining ?? 0));
      expect(left.at(-1)).toBe(all - 3 * charged);
      expect(charged).toBe(Math.min(36, Math.floor(all / 3)));
      const charges = await chargesOfAccount(database.read, accountId, EVER, 999);
      expect(charges).toHaveLength(charged);
    }
    expect(Math.min(...left)).toBeLessThan(3);
    expect(await imbalances(database.read)).toEqual([]);
  });
});
