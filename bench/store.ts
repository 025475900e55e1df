// The store alone, on SQLite and on PostgreSQL with fsync: appending to the log (S6), the same pages at one size and
// at many times it (S7), and the cost of a batch of charges on PostgreSQL in one statement and in a transaction.
//   bun bench/store.ts [rows per table] [times] [engines, with a comma]     10,000 rows and 100 times as many by default

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseLocation } from "../database/open.ts";
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { HOUR_MS } from "../kit/units.ts";
import { createAccessChanges } from "../service/access/changes.ts";
import { chargeAtOnce, chargeInOrder, newBatch } from "../service/access/ledger/charge-batch.ts";
import type { ChargeOrder } from "../service/access/ledger/decide.ts";
import { createGrants } from "../service/access/ledger/grants.ts";
import { createViews } from "../service/access/ledger/views.ts";
import { openStore, type Store } from "../service/store/store.ts";
import { appEvent } from "../test/support/nouns.ts";
import { throwAwayPostgres } from "../test/support/postgres.ts";
import { PAGES, readsOf } from "../test/support/store-reads.ts";
import { fillRows, rowsOf } from "../test/support/store-rows.ts";

const few = Number(Bun.argv[2] ?? 10_000);
const times = Number(Bun.argv[3] ?? 100);
const engines = (Bun.argv[4] ?? "sqlite,postgres").split(",");
const APPENDED = 100_000;
const BATCH = 1_000;
/** Alternating between sizes and engines, because machines are noisy. */
const ROUNDS = 40;
const CALLS_A_ROUND = 10;

const clock = systemClock();
const log = createLog("warn", clock.now);
const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-"));
const server = await throwAwayPostgres({ fsync: true });
/** The fastest tenth: the time without any interference. */
const typical = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0;
const open = (location: DatabaseLocation) => openStore({ location, clock, log });
let files = 0;
const ENGINES: Record<string, () => Promise<DatabaseLocation>> = {
  sqlite: async () => ({ file: join(folder, `${++files}.sqlite`) }),
  postgres: async () => ({ url: await server.createDatabase() }),
};

async function append(store: Store): Promise<number> {
  const lease = await store.leases.acquire("bench", "bench", HOUR_MS);
  if (!lease) throw new Error("no lease");
  const batches = Array.from({ length: APPENDED / BATCH }, (_, n) =>
    Array.from({ length: BATCH }, (_, m) => appEvent({ userId: `user-${(n * 7 + m) % 2_000}` })),
  );
  const beganAt = performance.now();
  for (const events of batches) await store.log.append(lease, { events, capturedAt: clock.now() });
  return Math.round((APPENDED / (performance.now() - beganAt)) * 1_000);
}

async function pages(engine: string): Promise<void> {
  const sizes = [rowsOf(few), rowsOf(few * times)];
  const stores: Store[] = [];
  for (const size of sizes) {
    const store = await open((await ENGINES[engine]?.()) ?? { file: "" });
    await fillRows(store, size, { only: ["log_event", "position", "fill", "thesis"] });
    stores.push(store);
  }
  const [small, large] = await Promise.all(
    sizes.map((size, n) => readsOf((stores[n] as Store).database, size)),
  );
  const table: Record<string, Record<string, string>> = {};
  for (const name of PAGES) {
    const reads = [small?.[name], large?.[name]];
    const micros: number[][] = [[], []];
    for (let round = -2; round < ROUNDS; round++) {
      for (const [n, read] of reads.entries()) {
        const beganAt = performance.now();
        for (let call = 0; call < CALLS_A_ROUND; call++) await read?.();
        if (round >= 0) micros[n]?.push(((performance.now() - beganAt) * 1_000) / CALLS_A_ROUND);
      }
    }
    const [one = 0, many = 0] = micros.map(typical);
    table[name] = {
      [`${few.toLocaleString("en")} rows, µs`]: one.toFixed(0),
      [`${(few * times).toLocaleString("en")} rows, µs`]: many.toFixed(0),
      ratio: (many / one).toFixed(2),
    };
  }
  console.log(
    `\nS7 on ${engine}: a page of 50 at ${times}× the data (bar: 1.5), the fastest tenth of ${ROUNDS} rounds in turns`,
  );
  console.table(table);
  for (const store of stores) await store.close();
}

async function charges(): Promise<void> {
  const store = await open((await ENGINES.postgres?.()) ?? { file: "" });
  const database = store.database;
  const grants = createGrants({ database, clock, views: createViews(), changes: createAccessChanges() });
  const accounts = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const { id } = await grants.openAccount(`bench-${n}@example.com`);
      await grants.addPrepaid({ accountId: id, credits: 1e12, reference: `bench-${n}` });
      return id;
    }),
  );
  let made = 0;
  const batchOf = (size: number): ChargeOrder[] =>
    Array.from({ length: size }, () => ({
      requestId: `req_${++made}`,
      accountId: accounts[made % 8] ?? "",
      keyId: "key_1",
      routeId: "listAlerts",
      credits: 125,
      resolutions: 0,
      at: clock.now(),
      capOf: null,
    }));
  const ways = {
    "one statement": (batch: ChargeOrder[]) => chargeAtOnce(database, newBatch(batch), () => undefined),
    transaction: (batch: ChargeOrder[]) => database.write((tx) => chargeInOrder(tx, newBatch(batch), false)),
  };
  const table: Record<string, Record<string, string>> = {};
  for (const size of [1, 50, 500]) {
    const ms: Record<keyof typeof ways, number[]> = { "one statement": [], transaction: [] };
    for (let round = -5; round < 60; round++) {
      for (const name of Object.keys(ways) as (keyof typeof ways)[]) {
        const batch = batchOf(size);
        const beganAt = performance.now();
        await ways[name](batch);
        if (round >= 0) ms[name].push(performance.now() - beganAt);
      }
    }
    table[`${size} charges`] = Object.fromEntries(
      Object.entries(ms).map(([name, all]) => [`${name}, ms`, typical(all).toFixed(2)]),
    );
  }
  console.log("\na batch of charges on PostgreSQL, made durable; the fastest tenth of 60 in turns");
  console.table(table);
  await store.close();
}

const appended: Record<string, Record<string, string | number>> = {};
for (const [engine, bar] of [
  ["sqlite", 20_000],
  ["postgres", 10_000],
] as const) {
  if (!engines.includes(engine)) continue;
  const store = await open((await ENGINES[engine]?.()) ?? { file: "" });
  appended[engine] = { events: APPENDED, "events/s": await append(store), bar };
  await store.close();
}
console.log(`S6 append, dedupe and index in batches of ${BATCH}, durable`);
console.table(appended);
if (engines.includes("postgres")) await charges();
for (const engine of engines) await pages(engine);
await server.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
