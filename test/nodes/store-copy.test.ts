// `crowdtape store copy`: a whole store moves between engines with nothing lost, doubled or changed.

import { expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tablesOf } from "../../database/catalog.ts";
import { openDatabase } from "../../database/open.ts";
import { raw } from "../../database/sql.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { DAY_MS } from "../../kit/units.ts";
import { createAccess } from "../../service/access/access.ts";
import { createMemoryRate } from "../../service/access/limits/rate-memory.ts";
import { CopyRefused, copyStore } from "../../service/store/copy.ts";
import { migrateStore } from "../../service/store/migrations.ts";
import { openStore, type Store } from "../../service/store/store.ts";
import { needing } from "../support/needing.ts";
import { appEvent, chainTrade, fill, MIDNIGHT, position, trader } from "../support/nouns.ts";
import { sharedPostgres } from "../support/postgres.ts";

const { afterAll, beforeAll, test } = needing("postgres");

const clock = systemClock();
const log = createLog("silent", clock.now);
const root = join(import.meta.dir, "..", "..");
/** More than one page of the copy, so that paging is exercised. */
const EVENTS = 4_500;

const folder = mkdtempSync(join(tmpdir(), "crowdtape-copy-"));
const file = join(folder, "crowdtape.sqlite");
let secret = "";

beforeAll(async () => {
  const store = await openStore({ location: { file }, clock, log });
  await fillStore(store);
  await store.close();
}, 900_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function fillStore(store: Store): Promise<void> {
  const lease = await store.leases.acquire("log-writer", "test", 60_000);
  if (!lease) throw new Error("no lease");
  const events = Array.from({ length: EVENTS }, (_, n) =>
    n % 3 === 0 ? chainTrade() : appEvent({ text: n % 5 === 0 ? "100% sure? 'quoted' \\ 🚀\n" : null }),
  );
  await store.log.append(lease, {
    events,
    capturedAt: clock.now(),
    positions: [{ source: "test", feed: "app", position: 77 }],
  });
  await store.leases.release(lease);
  await store.traders.save([trader({ handle: "Ansem" }), trader()], clock.now());
  await store.positions.save([position({ costBasisUsd: 0.1 + 0.2, realizedPnlUsd: -1e-7 })], clock.now());
  // Months ago, and at an impossible time: each must be stored on PostgreSQL too.
  const times = [MIDNIGHT - 200 * DAY_MS, 1, 9_000_000_000_000_000];
  await store.fills.save([fill({ priceUsd: 1 / 3e9 }), ...times.map((at) => fill({ at }))]);
  const access = accessOf(store);
  const account = await access.grants.openAccount("a@b.example");
  const paid = { accountId: account.id, plan: "growth", reference: "ref-1" } as const;
  await access.grants.payForPlan(paid);
  ({ secret } = await access.keys.create({ accountId: account.id, name: "näme" }));
  const caller = await access.identifyKey(secret);
  for (let n = 0; n < 20; n++) {
    const admission = await access.admit(caller, ROUTE, 1);
    await admission.finish({ requestId: `req_${n}`, units: 1, outcome: "hit" });
    admission.release();
  }
  await access.close();
}

const ROUTE = {
  id: "search",
  access: "key",
  price: { credits: 250, unit: "call", miss: 250, missFree: false, resolution: false },
} as never;

function accessOf(store: Store) {
  const links = { upgradeUrl: "/pricing", topUp: "/pay/create" };
  return createAccess({
    testKeys: () => true,
    database: store.database,
    clock,
    log,
    rate: createMemoryRate(clock),
    links,
    metrics: createMetrics(),
  });
}

async function crowdtape(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn([process.execPath, "service/cli.ts", ...argv], {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

/** Every row of every table, by its key. */
async function contents(location: { file: string } | { url: string }) {
  const database = await openDatabase(location);
  const tables: Record<string, unknown[]> = {};
  for (const { name, columns: all } of await tablesOf(database.read)) {
    // The positions of the journal's rows and its rollup are counted differently by each engine.
    if (name === "schema_migration" || name === "ledger_state") continue;
    const columns = all.filter((column) => column !== "position" || name !== "journal");
    const rows = await database.read.all<Record<string, unknown>>(
      raw(`SELECT ${columns.join(", ")} FROM ${name}`),
    );
    tables[name] = rows.map((row) => JSON.stringify(columns.toSorted().map((column) => row[column]))).sort();
  }
  await database.close();
  return tables;
}

test("one command copies every row from SQLite to PostgreSQL, and both continue alike", async () => {
  const url = await (await sharedPostgres()).createDatabase();
  const done = await crowdtape("store", "copy", "--from", `sqlite:${folder}`, "--to", url);
  expect(done).toMatchObject({ code: 0, err: "" });
  expect(done.out).toContain(`log_event: ${EVENTS} rows`);
  const [before, after] = [await contents({ file }), await contents({ url })];
  expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
  for (const name of Object.keys(before)) expect({ [name]: after[name] }).toEqual({ [name]: before[name] });

  const store = await openStore({ location: { url }, clock, log });
  expect((await store.log.head()).seq).toBe(EVENTS);
  const access = accessOf(store);
  const caller = await access.identifyKey(secret);
  // A new ledger entry must not get a copied one's number.
  await access.grants.addPrepaid({ accountId: caller.accountId, credits: 5, reference: "after-the-copy" });
  expect(await access.imbalances()).toEqual([]);
  await access.close();
  await store.close();
}, 900_000);

test("copying back from PostgreSQL to SQLite changes nothing either", async () => {
  const url = await (await sharedPostgres()).createDatabase();
  const back = join(folder, "back");
  expect(await crowdtape("store", "copy", "--from", `sqlite:${folder}`, "--to", url)).toMatchObject({
    code: 0,
  });
  expect(await crowdtape("store", "copy", "--from", url, "--to", `sqlite:${back}`)).toMatchObject({
    code: 0,
  });
  expect(await contents({ file: join(back, "crowdtape.sqlite") })).toEqual(await contents({ file }));
}, 900_000);

test("a target with rows is refused with a sentence and left as it was", async () => {
  const url = await (await sharedPostgres()).createDatabase();
  const store = await openStore({ location: { url }, clock, log });
  await store.traders.save([trader()], clock.now());
  await store.close();
  const before = await contents({ url });
  const done = await crowdtape("store", "copy", "--from", `sqlite:${folder}`, "--to", url);
  expect(done.code).toBe(1);
  expect(done.err).toContain("The target is not empty: it has rows in trader");
  expect(await contents({ url })).toEqual(before);
}, 900_000);

test("a source that a service writes to is refused, and so is a missing one", async () => {
  const url = await (await sharedPostgres()).createDatabase();
  const live = join(folder, "live");
  const store = await openStore({ location: { file: join(live, "crowdtape.sqlite") }, clock, log });
  await store.leases.acquire("log-writer", "a service", 600_000);
  const busy = await crowdtape("store", "copy", "--from", `sqlite:${live}`, "--to", url);
  await store.close();
  expect(busy.code).toBe(1);
  expect(busy.err).toContain("A service still writes to the source.");
  const missing = await crowdtape(
    "store",
    "copy",
    "--from",
    `sqlite:${join(folder, "nowhere")}`,
    "--to",
    url,
  );
  expect(missing.err).toContain("There is no store in");
  expect((await crowdtape("store", "copy")).err).toContain("--from must be sqlite:FOLDER or postgres://");
}, 900_000);

test("a copy that does not match its source leaves the target empty", async () => {
  const url = await (await sharedPostgres()).createDatabase();
  const [from, to] = [await openDatabase({ file }), await openDatabase({ url })];
  await migrateStore(to, clock.now());
  // The source loses a row of every page, as if something wrote to it meanwhile.
  const losing = {
    ...from,
    read: {
      ...from.read,
      all: async <R>(s: never) =>
        (await from.read.all<R>(s)).filter((row) => !("swap_id" in (row as object))),
    },
  };
  await expect(copyStore({ from: losing, to, now: clock.now() })).rejects.toBeInstanceOf(CopyRefused);
  expect(await to.read.all(raw("SELECT seq FROM log_event LIMIT 1"))).toEqual([]);
  await Promise.all([from.close(), to.close()]);
}, 900_000);

test("a restored store starts a new epoch at the same position", async () => {
  const url = await (await sharedPostgres()).createDatabase();
  const store = await openStore({ location: { url }, clock, log });
  const before = await store.log.head();
  const env = { ...Bun.env, DATABASE_URL: url };
  const child = Bun.spawn([process.execPath, "service/cli.ts", "store", "new-epoch"], {
    cwd: root,
    env,
    stdout: "ignore",
  });
  expect(await child.exited).toBe(0);
  const after = await store.log.head();
  await store.close();
  expect(after.seq).toBe(before.seq);
  expect(after.epoch).not.toBe(before.epoch);
}, 900_000);
