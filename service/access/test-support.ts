// Databases and access objects for this folder's tests: a SQLite file or a PostgreSQL database of their own each.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../database/database.ts";
import { type DatabaseLocation, openDatabase } from "../../database/open.ts";
import type { Dialect } from "../../database/sql.ts";
import { type ManualClock, manualClock } from "../../kit/clock.ts";
import { createLog, type Log } from "../../kit/log.ts";
import { createStoreDatabase } from "../../test/support/postgres-store.ts";
import { type AccountData, createAccountData } from "../accounts/account-data.ts";
import { migrateStore } from "../store/migrations.ts";
import { lockAccounts, updateAccounts } from "../store/money/accounts.ts";
import { insertEntries } from "../store/money/ledger.ts";
import { type Access, type AccessParts, createAccess } from "./access.ts";
import { createMemoryRate } from "./limits/rate-memory.ts";

export const DIALECTS: readonly Dialect[] = ["sqlite", "postgres"];
export const START = Date.UTC(2026, 0, 15, 10, 30);
export const silent: Log = createLog("silent", () => START);

export interface TestStore {
  location: DatabaseLocation;
  folder: string;
  /** Another connection to the same data, as another node has. */
  open(): Promise<Database>;
  remove(): Promise<void>;
}

export async function testStore(dialect: Dialect): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-access-"));
  const location: DatabaseLocation =
    dialect === "sqlite" ? { file: join(folder, "test.sqlite") } : { url: await createStoreDatabase(START) };
  const opened: Database[] = [];
  const first = await openDatabase(location);
  await migrateStore(first, START);
  await first.close();
  return {
    location,
    folder,
    async open() {
      const database = await openDatabase(location);
      opened.push(database);
      return database;
    },
    async remove() {
      await Promise.all(opened.map((database) => database.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface TestAccess {
  access: Access;
  account: AccountData;
  clock: ManualClock;
  database: Database;
  store: TestStore;
  close(): Promise<void>;
}

export async function testAccess(
  dialect: Dialect = "sqlite",
  more: Partial<AccessParts> & { clock?: ManualClock; store?: TestStore } = {},
): Promise<TestAccess> {
  const clock = more.clock ?? manualClock(START);
  const store = more.store ?? (await testStore(dialect));
  const database = more.database ?? (await store.open());
  const access = createAccess({
    testKeys: () => true,
    database,
    log: silent,
    rate: createMemoryRate(clock),
    links: { upgradeUrl: "/pricing", topUp: "/pay/create" },
    ...more,
    clock,
  });
  return {
    access,
    account: createAccountData({ database, clock }),
    clock,
    database,
    store,
    async close() {
      await access.close();
      if (!more.store) await store.remove();
    },
  };
}

/** A key on an account of its own. */
export async function makeKey(
  access: Access,
  wanted: {
    plan?: "free" | "starter" | "growth" | "scale";
    prepaid?: number;
    monthlyCap?: number;
    createdAt?: number;
    requestsPerMinute?: number;
  } = {},
) {
  const account = await access.grants.openAccount("owner@example.com", wanted.createdAt);
  const accountId = account.id;
  const { plan = "free", prepaid = 0 } = wanted;
  if (plan !== "free") await access.grants.payForPlan({ accountId, plan, reference: `plan:${accountId}` });
  if (prepaid > 0)
    await access.grants.addPrepaid({ accountId, credits: prepaid, reference: `prepaid:${accountId}` });
  const { monthlyCap, createdAt, requestsPerMinute } = wanted;
  const made = await access.keys.create({
    accountId,
    name: "test",
    ...(monthlyCap === undefined ? {} : { monthlyCap }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
  });
  return { accountId, ...made };
}

/** Leaves an account with exactly this many credits, all monthly, by charging the rest in the store. */
export async function drainTo(database: Database, accountId: string, credits: number): Promise<void> {
  await database.write(async (tx) => {
    const [account] = await lockAccounts(tx, [accountId]);
    if (!account) throw new Error("There is no such account.");
    const taken = credits - account.monthlyRemaining;
    await insertEntries(tx, accountId, [
      { kind: "refund", credits: taken, resolutions: 0, reference: null, at: 0 },
    ]);
    await updateAccounts(tx, [{ ...account, monthlyRemaining: credits }]);
  });
}
