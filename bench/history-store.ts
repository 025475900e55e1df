// S20c: N fills in a store, over 100 days or --days, with the log of the last quarter of them, made by the database itself; and what it takes
// to read the log from first to last, to export fills as CSV by the route's own pages, to answer what following a trader of N / 500 fills
// would have earned, and to close days into files. Each in a process of its own, so that each has its own largest size.
// Run: npm run bench -- history --store 10000000 [--days 100] [--postgres]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { throwAwayPostgres } from "../test/support/postgres.ts";
import { TASKS } from "./history-store-task.ts";
import { ROOT } from "./kit/product.ts";
import { type TimedRun, timed } from "./kit/timed.ts";

const given = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const [count, days] = [given("--store", 0), given("--days", 100)];
if (!(count >= days && count <= 100_000_000 && days >= 1 && days <= 1_000)) {
  console.error(
    "usage: npm run bench -- history --store N [--days N] [--postgres], of at most 100000000 fills",
  );
  process.exit(2);
}
/** Days that are closed: a tenth of all. */
const CLOSED_DAYS = 10;

const server = process.argv.includes("--postgres") ? await throwAwayPostgres({ fsync: true }) : null;
const folder = mkdtempSync(join(tmpdir(), "crowdtape-store-bench-"));
try {
  const url = server && (await server.createDatabase());
  const environment = {
    DATA_DIR: folder,
    ...(url === null ? {} : { DATABASE_URL: url }),
    HISTORY: join(folder, "history"),
    RETENTION_FILLS_DAYS: String(CLOSED_DAYS + 1),
  };
  const bun = (...words: string[]) => timed([process.execPath, ...words], environment);
  const making = await bun(join(import.meta.dir, "history-store-rows.ts"), String(count), String(days));
  if (making.code !== 0) throw new Error(making.err);
  const made = JSON.parse(making.out);
  console.log(
    `${made.fills.toLocaleString("en")} fills over ${days} days and ${made.events.toLocaleString("en")} events of the last quarter, ${(made.bytes / 1e9).toFixed(1)} GB, made in ${making.seconds.toFixed(0)} s`,
  );
  const rows: Record<string, string | number>[] = [];
  const add = (what: string, done: number, run: TimedRun, note: string) => {
    if (run.code !== 0) throw new Error(run.err);
    const [s, cpu] = [run.seconds.toFixed(1), run.cpuSeconds.toFixed(1)];
    rows.push({ what, rows: done, s, "s of CPU": cpu, "MB resident": Math.round(run.residentMb), note });
    console.log(rows.at(-1));
  };
  for (const [task, { what }] of Object.entries(TASKS)) {
    const run = await bun(join(import.meta.dir, "history-store-task.ts"), task);
    const { done, note } = run.code === 0 ? JSON.parse(run.out) : { done: 0, note: "" };
    add(what, done, run, note);
  }
  const closed = await bun(join(ROOT, "service", "cli.ts"), "history", "close");
  const files = [...closed.out.matchAll(/^fills.*?: (\d+) rows, (\d+) bytes$/gm)];
  const [closedRows, bytes] = [1, 2].map((place) =>
    files.reduce((sum, file) => sum + Number(file[place]), 0),
  );
  add(`close ${files.length} days into files`, closedRows ?? 0, closed, `${bytes} bytes of fills`);
  console.table(rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
}
