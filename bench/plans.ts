// PostgreSQL's plans for every read of the store at a given size: rows and pages touched, scans and sorts, for a plan made
// for the given values and for the generic one. Fails when a read is not bounded.
//   bun bench/plans.ts [rows a table] [tables, with commas]     10 million take about an hour for all tables
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { openStore } from "../service/store/store.ts";
import { explain } from "../test/support/plans.ts";
import { throwAwayPostgres } from "../test/support/postgres.ts";
import { readsOf, recordReads } from "../test/support/store-reads.ts";
import { fillRows, rowsOf } from "../test/support/store-rows.ts";

const rows = Number(Bun.argv[2] ?? 1_000_000);
const only = Bun.argv[3]?.split(",");
/** A page of 50, from each month, including the rows its filters discard. */
const TOUCHED_MAX = 20_000;

const clock = systemClock();
const server = await throwAwayPostgres();
const store = await openStore({
  location: { url: await server.createDatabase() },
  clock,
  log: createLog("warn", clock.now),
});
const beganAt = performance.now();
await fillRows(store, rowsOf(rows), { only, bodies: "short" });
console.log(
  `${rows.toLocaleString("en")} rows a table, made in ${Math.round((performance.now() - beganAt) / 1_000)} s`,
);

const { database, statements } = recordReads(store.database);
const reads = await readsOf(database, rowsOf(rows));
const table: Record<string, string | number>[] = [];
let unbounded = 0;
for (const [name, read] of Object.entries(reads)) {
  statements.length = 0;
  await read();
  if (only && !statements.some(({ text }) => only.some((table) => text.includes(`FROM ${table} `)))) continue;
  for (const statement of new Map(statements.map((one) => [one.text, one])).values()) {
    const these = await explain(store.database, statement, "these");
    const any = await explain(store.database, statement, "any");
    const wrong = [these, any].some((plan) => plan.scanned.length > 0 || plan.touched > TOUCHED_MAX);
    if (wrong) unbounded += 1;
    table.push({
      read: name,
      plan: these.nodes
        .filter((node) => node !== "Limit")
        .join(" ← ")
        .slice(0, 110),
      rows: `${these.touched} / ${any.touched}`,
      pages: `${these.pages} / ${any.pages}`,
      sorted: `${these.sorted} / ${any.sorted}`,
      "plan ms": `${these.planMs.toFixed(1)} / ${any.planMs.toFixed(1)}`,
      "run ms": `${these.runMs.toFixed(2)} / ${any.runMs.toFixed(2)}`,
      "": wrong ? `UNBOUNDED ${[...these.scanned, ...any.scanned].join(" ")}` : "",
    });
  }
}
console.log("each figure: planned for the values / planned for any values");
for (const row of table) console.log(Object.values(row).join(" | "));
console.log(unbounded === 0 ? "every read is bounded" : `${unbounded} reads are not bounded`);
await store.close();
await server.stop();
process.exit(unbounded === 0 ? 0 : 1);
