// S7: the same pages of alerts, theses, trades and the leaderboard from a store and from one with a hundred times the rows, in
// turns, on both engines. Run: bun bench/pages.ts [--quick]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseLocation } from "../database/open.ts";
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { openStore, type Store } from "../service/store/store.ts";
import { throwAwayPostgres } from "../test/support/postgres.ts";
import { PAGES, readsOf } from "../test/support/store-reads.ts";
import { fillRows, rowsOf } from "../test/support/store-rows.ts";
import { figure, spreadOf } from "./kit/rounds.ts";
import { type BarFinding, type Measured, type ResultTable, suite } from "./kit/suite.ts";

const TIMES = 100;
/** Enough that every page is full even in the small store. */
const ROWS = 10_000;
const TABLES = ["log_event", "position", "fill", "thesis"];
const ROUNDS = 40;
const CALLS_A_ROUND = 10;
const RATIO_MAX = 1.5;

const clock = systemClock();
const log = createLog("warn", clock.now);

/** The median of the rounds' ratios is steadier than the ratio of two medians. */
async function compare(
  small: () => Promise<unknown>,
  large: () => Promise<unknown>,
): Promise<{ micros: [number, number]; ratio: number }> {
  const took: [number[], number[]] = [[], []];
  for (let round = -2; round < ROUNDS; round++) {
    for (const [index, read] of [small, large].entries()) {
      const beganAt = performance.now();
      for (let call = 0; call < CALLS_A_ROUND; call++) await read();
      if (round >= 0) took[index]?.push(((performance.now() - beganAt) * 1_000) / CALLS_A_ROUND);
    }
  }
  const ratios = took[0].map((one, index) => (took[1][index] ?? Number.NaN) / one);
  return {
    micros: [spreadOf(took[0]).median, spreadOf(took[1]).median],
    ratio: spreadOf(ratios).median,
  };
}

async function measure(name: string, location: () => Promise<DatabaseLocation>) {
  const stores: Store[] = [];
  const reads = [];
  for (const rows of [ROWS, ROWS * TIMES]) {
    const store = await openStore({ location: await location(), clock, log });
    stores.push(store);
    await fillRows(store, rowsOf(rows), { only: TABLES });
    reads.push(await readsOf(store.database, rowsOf(rows)));
  }
  const rows: string[][] = [];
  let worst = { page: "", ratio: 0 };
  for (const page of PAGES) {
    const [small, large] = reads.map((one) => one[page]);
    if (!small || !large) throw new Error(`there is no read of ${page}`);
    const { micros, ratio } = await compare(small, large);
    rows.push([page, figure(micros[0], 0), figure(micros[1], 0), figure(ratio)]);
    if (ratio > worst.ratio) worst = { page, ratio };
  }
  for (const store of stores) await store.close();
  const table: ResultTable = {
    title: `${name}: a page of 50, medians of ${ROUNDS} rounds in turns`,
    columns: ["page", `µs at ${figure(ROWS, 0)} rows`, `µs at ${figure(ROWS * TIMES, 0)} rows`, "ratio"],
    rows,
  };
  const finding: BarFinding = {
    bar: `at most ${RATIO_MAX} × the time on ${name}`,
    result: `at most ${figure(worst.ratio)} × (${worst.page})`,
    met: worst.ratio <= RATIO_MAX,
  };
  return { table, finding };
}

await suite(async (): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-pages-"));
  let made = 0;
  const sqlite = await measure("SQLite", async () => ({ file: join(folder, `${++made}.sqlite`) }));
  rmSync(folder, { recursive: true, force: true });
  const server = await throwAwayPostgres({ fsync: true });
  const postgres = await measure("PostgreSQL", async () => ({ url: await server.createDatabase() }));
  await server.stop();
  return {
    findings: [sqlite.finding, postgres.finding],
    tables: [sqlite.table, postgres.table],
  };
});
