import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Fault } from "../../../contract/errors.ts";
import { PLANS } from "../../../contract/plans.ts";
import type { Database } from "../../../database/database.ts";
import { StoreUnavailable } from "../../../database/errors.ts";
import { type ManualClock, manualClock, systemClock } from "../../../kit/clock.ts";
import { DAY_MS } from "../../../kit/units.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { onEngine } from "../../../test/support/needing.ts";
import { findAccount, lockAccounts, remainingOf, updateAccounts } from "../../store/money/accounts.ts";
import { findCharges } from "../../store/money/journal.ts";
import { imbalances, insertEntries } from "../../store/money/ledger.ts";
import {
  DIALECTS,
  drainTo,
  makeKey,
  START,
  silent,
  type TestStore,
  testAccess,
  testStore,
} from "../test-support.ts";
import type { ChargeOrder } from "./decide.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { reverse } from "./reversals.ts";
import { createViews } from "./views.ts";

let made = 0;
const order = (accountId: string, more: Partial<ChargeOrder> = {}): ChargeOrder => ({
  requestId: `req_${++made}_${crypto.randomUUID()}`,
  accountId,
  keyId: "key_1",
  routeId: "leaderboard",
  credits: 250,
  resolutions: 0,
  at: START,
  capOf: null,
  ...more,
});

for (const dialect of DIALECTS) {
  onEngine(dialect).describe(`the ledger on ${dialect}`, () => {
    let store: TestStore;
    let database: Database;
    beforeAll(async () => {
      store = await testStore(dialect);
      database = await store.open();
    });
    afterAll(() => store.remove());

    const newAccount = async (wanted: Parameters<typeof makeKey>[1] = {}) => {
      const { access } = await testAccess(dialect, { store, database });
      return makeKey(access, wanted);
    };
    const node = (of: Database = database, limits = {}): Ledger =>
      createLedger({ database: of, clock: systemClock(), log: silent, views: createViews(), limits });
    const balance = async (accountId: string) => {
      const account = await findAccount(database.read, accountId);
      if (!account) throw new Error("no account");
      return account;
    };

    test("the last 100 units, 500 calls at once on two nodes: exactly 100 succeed and nothing is left", async () => {
      const { accountId } = await newAccount();
      await drainTo(database, accountId, 100 * 250 + 249);
      const nodes = [node(await store.open(), { batchMax: 37 }), node(await store.open(), { batchMax: 53 })];
      const orders = Array.from({ length: 500 }, () => order(accountId));
      const results = await Promise.all(orders.map((one, index) => nodes[index % 2]?.charge(one)));
      expect(results.filter((result) => result?.refused === null)).toHaveLength(100);
      const refused = results.filter((result) => result?.refused === "credits_exhausted");
      expect(refused).toHaveLength(400);
      expect(remainingOf(await balance(accountId))).toBe(249);
      const stored = await findCharges(database.read, orders);
      const paid = orders.filter((_, index) => results[index]?.refused === null).map((one) => one.requestId);
      expect(stored.map((charge) => charge.requestId).sort()).toEqual(paid.sort());
      expect(await imbalances(database.read)).toEqual([]);
      await Promise.all(nodes.map((one) => one.close()));
    });

    test("accounts that cross each other's batches on two nodes neither deadlock nor mix", async () => {
      const accounts = await Promise.all(Array.from({ length: 6 }, () => newAccount()));
      for (const { accountId } of accounts) await drainTo(database, accountId, 40 * 250);
      const nodes = [node(await store.open(), { batchMax: 20 }), node(await store.open(), { batchMax: 20 })];
      const orders = Array.from({ length: 600 }, (_, index) =>
        order(accounts[(index * 7 + (index % 2)) % 6]?.accountId ?? ""),
      );
      const results = await Promise.all(orders.map((one, index) => nodes[index % 2]?.charge(one)));
      for (const { accountId } of accounts) {
        const mine = orders.flatMap((one, index) => (one.accountId === accountId ? [results[index]] : []));
        expect(mine.filter((result) => result?.refused === null)).toHaveLength(Math.min(40, mine.length));
      }
      expect(await imbalances(database.read)).toEqual([]);
    });

    test("a batch is paid in order of arrival, and a small charge fits after a large one did not", async () => {
      const { accountId } = await newAccount();
      await drainTo(database, accountId, 1_000);
      const ledger = node();
      const costs = [600, 500, 250, 250, 150, 1];
      const results = await Promise.all(costs.map((credits) => ledger.charge(order(accountId, { credits }))));
      expect(results.map((result) => result.refused === null)).toEqual([
        true,
        false,
        true,
        false,
        true,
        false,
      ]);
      expect(remainingOf(await balance(accountId))).toBe(0);
    });

    test("one request id of a batch is charged once", async () => {
      const { accountId } = await newAccount();
      const before = remainingOf(await balance(accountId));
      const one = order(accountId);
      const other = order(accountId);
      const ledger = node();
      const twice = await Promise.all([ledger.charge(one), ledger.charge(one), ledger.charge(other)]);
      expect(twice.every((result) => result.refused === null)).toBe(true);
      expect(remainingOf(await balance(accountId))).toBe(before - 500);
      expect(await imbalances(database.read)).toEqual([]);
    });

    test("monthly credits go first, then prepaid ones", async () => {
      const { accountId } = await newAccount({ prepaid: 1_000 });
      await drainTo(database, accountId, 100);
      const result = await node().charge(order(accountId));
      expect([result.account.monthlyRemaining, result.account.prepaidRemaining]).toEqual([0, 850]);
    });

    test("resolutions run out by themselves and leave the credits alone", async () => {
      const { accountId } = await newAccount();
      await database.write(async (tx) => {
        const accounts = await lockAccounts(tx, [accountId]);
        await updateAccounts(
          tx,
          accounts.map((account) => ({ ...account, resolutionsRemaining: 2 })),
        );
        const resolutions = 2 - PLANS.free.resolutionsPerMonth;
        await insertEntries(tx, accountId, [
          { kind: "refund", credits: 0, resolutions, reference: null, at: 0 },
        ]);
      });
      const ledger = node();
      const results = await Promise.all(
        [1, 2, 3].map(() => ledger.charge(order(accountId, { credits: 10, resolutions: 1 }))),
      );
      expect(results.map((result) => result.refused ?? "paid")).toEqual([
        "paid",
        "paid",
        "resolutions_exhausted",
      ]);
      expect(remainingOf(await balance(accountId))).toBe(PLANS.free.creditsPerMonth - 20);
      expect(await imbalances(database.read)).toEqual([]);
    });

    test("a key's monthly cap is exact on two nodes and starts over in the next month", async () => {
      const { accountId, key } = await newAccount({ monthlyCap: 1_000 });
      const capped = (at: number) => order(accountId, { keyId: key.id, capOf: key.lineage, at });
      const nodes = [node(await store.open()), node(await store.open())];
      const now = await Promise.all(
        Array.from({ length: 10 }, (_, i) => nodes[i % 2]?.charge(capped(START))),
      );
      expect(now.filter((result) => result?.refused === null)).toHaveLength(4);
      expect(now.filter((result) => result?.refused === "key_cap_reached")).toHaveLength(6);
      expect((await nodes[0]?.charge(order(accountId, { keyId: "another" })))?.refused).toBeNull();
      const later = await Promise.all(
        Array.from({ length: 6 }, () => nodes[1]?.charge(capped(START + 32 * DAY_MS))),
      );
      expect(later.filter((result) => result?.refused === null)).toHaveLength(4);
      expect(await imbalances(database.read)).toEqual([]);
    });

    test("the first charge after the plan's day renews the account, once, on both nodes at once", async () => {
      const { accountId } = await newAccount();
      await drainTo(database, accountId, 0);
      const nodes = [node(await store.open()), node(await store.open())];
      expect((await nodes[0]?.charge(order(accountId)))?.refused).toBe("credits_exhausted");
      const at = START + 32 * DAY_MS;
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, i) => nodes[i % 2]?.charge(order(accountId, { at }))),
      );
      expect(results.every((result) => result?.refused === null)).toBe(true);
      expect(remainingOf(await balance(accountId))).toBe(PLANS.free.creditsPerMonth - 20 * 250);
      expect(await imbalances(database.read)).toEqual([]);
    });

    test("the schema itself refuses a balance below zero and a cap overdrawn", async () => {
      const { accountId, key } = await newAccount({ monthlyCap: 10 });
      for (const column of ["monthly_remaining", "prepaid_remaining", "resolutions_remaining"]) {
        const text = `UPDATE balance SET ${column} = -1 WHERE account_id = ?`;
        await expect(database.write((tx) => tx.run({ text, values: [accountId] }))).rejects.toThrow();
      }
      const text = "UPDATE api_key SET cap_used = 11 WHERE id = ?";
      await expect(database.write((tx) => tx.run({ text, values: [key.id] }))).rejects.toThrow();
    });

    test("a stored charge of a call that got no answer is given back once", async () => {
      const { accountId } = await newAccount();
      const before = remainingOf(await balance(accountId));
      const one = order(accountId, { resolutions: 1 });
      expect(await reverse(database, one, START)).toBe(false);
      await node().charge(one);
      expect(await reverse(database, one, START)).toBe(true);
      expect(await reverse(database, one, START)).toBe(false);
      expect(remainingOf(await balance(accountId))).toBe(before);
      expect(await imbalances(database.read)).toEqual([]);
    });
  });
}

describe("the ledger's queue", () => {
  const failing = (write: Database["write"]): Database => ({
    dialect: "sqlite",
    read: { dialect: "sqlite", all: async () => [], one: async () => null, run: async () => 0 },
    readsAreBehind: () => null,
    write,
    single: async () => [],
    close: async () => {},
  });

  test("charges of one turn of the event loop share one transaction", async () => {
    const { access, database, close } = await testAccess();
    const { accountId } = await makeKey(access);
    let commits = 0;
    const counting: Database = {
      ...database,
      write: (work, options) => {
        commits++;
        return database.write(work, options);
      },
    };
    const ledger = createLedger({
      database: counting,
      clock: systemClock(),
      log: silent,
      views: createViews(),
    });
    await Promise.all(Array.from({ length: 200 }, () => ledger.charge(order(accountId))));
    expect(commits).toBe(1);
    await ledger.close();
    await close();
  });

  test("past its bound a charge is refused as unavailable, counted, and costs nothing", async () => {
    let refused = 0;
    const ledger = createLedger({
      database: failing(() => new Promise(() => {})),
      clock: systemClock(),
      log: silent,
      views: createViews(),
      limits: { waitingMax: 3 },
      metrics: { refused: () => refused++, committed: () => {} },
    });
    const waiting = [1, 2, 3].map(() => ledger.charge(order("acc")));
    expect(ledger.waiting()).toBe(3);
    const error = await ledger.charge(order("acc")).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Fault);
    expect((error as Fault).code).toBe("unavailable");
    expect(refused).toBe(1);
    expect(waiting).toHaveLength(3);
  });

  test("a store that stays away is a free 503; one that comes back in time is not noticed", async () => {
    const clock = manualClock(START);
    let away = true;
    const real = await testAccess("sqlite", { clock });
    const { accountId } = await makeKey(real.access);
    const ledger = createLedger({
      database: {
        ...real.database,
        write: (work, options) => (away ? reject() : real.database.write(work, options)),
      },
      clock,
      log: silent,
      views: createViews(),
    });
    const reject = () => Promise.reject(new StoreUnavailable("connection", false));
    const settled = (promise: Promise<unknown>) => promise.then(() => "paid").catch((p: Fault) => p.code);
    const first = settled(ledger.charge(order(accountId)));
    expect(await passing(clock, first)).toBe("unavailable");
    const second = settled(ledger.charge(order(accountId)));
    await clock.advance(300);
    away = false;
    expect(await passing(clock, second)).toBe("paid");
    await ledger.close();
    expect(await imbalances(real.database.read)).toEqual([]);
    await real.close();
  });

  test("a commit that was cut off after it was stored is charged once, or given back with its 503", async () => {
    const clock = manualClock(START);
    const real = await testAccess("sqlite", { clock });
    const { accountId } = await makeKey(real.access);
    const balance = async () => remainingOf((await findAccount(real.database.read, accountId)) ?? never());
    const before = await balance();
    let cuts = 1;
    const cutting: Database = {
      ...real.database,
      write: async (work) => {
        if (cuts === Number.POSITIVE_INFINITY && written) throw new StoreUnavailable("connection", false);
        isWriting = true;
        const result = await real.database.write(work).finally(() => {
          isWriting = false;
        });
        written = true;
        if (cuts-- > 0) throw new StoreUnavailable("connection", true);
        return result;
      },
    };
    let written = false;
    let isWriting = false;
    // A disk may take its time: retries are not used up by that.
    const mayPass = () => !isWriting;
    const ledger = createLedger({ database: cutting, clock, log: silent, views: createViews() });
    const retried = ledger.charge(order(accountId));
    expect((await passing(clock, retried, mayPass)).refused).toBeNull();
    expect(await balance()).toBe(before - 250);

    cuts = Number.POSITIVE_INFINITY;
    written = false;
    const lost = ledger.charge(order(accountId)).catch((error: Fault) => error.code);
    expect(await passing(clock, lost, mayPass)).toBe("unavailable");
    expect(await balance()).toBe(before - 500);
    cuts = 0;
    const isGivenBack = async () => (await balance()) === before - 250;
    await passing(clock, eventually(isGivenBack, "the charge is given back"), mayPass);
    await ledger.close();
    expect(await imbalances(real.database.read)).toEqual([]);
    await real.close();
  });
});

/** Real time for each step of the clock: retries would be used up before the store has answered otherwise. */
const STEP_REAL_MS = 1;

/** Lets time go by until it is done: what the store does takes real time, and retries wait on the clock. */
async function passing<T>(clock: ManualClock, work: Promise<T>, mayPass = () => true): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  while (!isDone) {
    if (mayPass()) await clock.advance(100);
    await Bun.sleep(STEP_REAL_MS);
  }
  return work;
}

function never(): never {
  throw new Error("no account");
}
