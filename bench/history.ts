// S20: closing a busy day into Parquet files, as `crowdtape history close` does it: time, memory and bytes per fill; and, if
// @duckdb/node-api or the program duckdb is installed, a query over them. Run: bun bench/history.ts [--quick]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { DAY_MS, HOUR_MS } from "../kit/units.ts";
import { openStore } from "../service/store/store.ts";
import { fill, MIDNIGHT } from "../test/support/nouns.ts";
import { ROOT } from "./kit/product.ts";
import { type Measured, suite } from "./kit/suite.ts";
import { timed } from "./kit/timed.ts";

const FILLS = { full: 500_000, quick: 100_000 };
const BATCH = 5_000;
const TRADERS = 1_000;
const RESIDENT_MB_MAX = 512;
const FILLS_PER_SECOND_MIN = 10_000;

/** A day of fills in its own store. */
async function fillStore(folder: string, count: number): Promise<void> {
  const clock = manualClock(MIDNIGHT + DAY_MS);
  const log = createLog("silent", clock.now);
  const store = await openStore({ location: { file: join(folder, "crowdtape.sqlite") }, clock, log });
  const users = Array.from({ length: TRADERS }, () => crypto.randomUUID());
  for (let from = 0; from < count; from += BATCH)
    await store.fills.save(
      Array.from({ length: BATCH }, (_, place) =>
        fill({
          at: MIDNIGHT + Math.floor(((from + place) / count) * (DAY_MS - HOUR_MS)),
          userId: String(users[(from + place) % TRADERS]),
          txHash: `tx${from + place}`,
        }),
      ),
    );
  await store.close();
}

const crowdtape = (words: string[], environment: Record<string, string>) =>
  timed([process.execPath, join(ROOT, "service", "cli.ts"), ...words], environment);

await suite(async ({ quick }): Promise<Measured> => {
  const count = quick ? FILLS.quick : FILLS.full;
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-history-bench-"));
  try {
    await fillStore(folder, count);
    const environment = {
      DATA_DIR: folder,
      HISTORY: join(folder, "history"),
      RETENTION_FILLS_DAYS: "3650",
    };
    const closed = await crowdtape(["history", "close"], environment);
    if (closed.code !== 0) throw new Error(closed.err);
    const again = await crowdtape(["history", "close"], environment);
    const question = "select side, count(*), sum(usd) from fills group by 1";
    const asked = await crowdtape(["sql", question], environment);
    const { files } = await Bun.file(join(folder, "history", "manifest.json")).json();
    const bytes = Number(files.find(({ table }: { table: string }) => table === "fills")?.bytes);
    const row = (what: string, run: typeof closed) => [
      what,
      run.code === 0 ? run.seconds.toFixed(1) : "–",
      run.code === 0 ? run.cpuSeconds.toFixed(1) : "–",
      run.code === 0 ? Math.round(run.residentMb) : "–",
    ];
    const rate = Math.round(count / closed.cpuSeconds);
    return {
      findings: [
        {
          bar: `at least ${FILLS_PER_SECOND_MIN.toLocaleString("en")} fills a second of CPU`,
          result: `${rate.toLocaleString("en")} a second`,
          met: rate >= FILLS_PER_SECOND_MIN,
        },
        {
          bar: `at most ${RESIDENT_MB_MAX} MB resident`,
          result: `${Math.round(closed.residentMb)} MB`,
          met: closed.residentMb <= RESIDENT_MB_MAX,
        },
      ],
      tables: [
        {
          title: `A day of ${count.toLocaleString("en")} fills; its fills take ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / count).toFixed(0)} bytes each`,
          columns: ["what", "s", "s of CPU", "MB resident"],
          rows: [
            row("close the day", closed),
            row("look whether it has changed", again),
            row("sum it up by DuckDB", asked),
          ],
        },
      ],
      ...(asked.code === 0 ? {} : { notes: ["DuckDB is not installed here, so nothing was asked."] }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
