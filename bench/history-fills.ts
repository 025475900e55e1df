// S20b: N fills in daily files, as they would accumulate in HISTORY over a long time, and the cost of `crowdtape sql` over
// them: five queries, one trader's fills from first to last, and exports as CSV through a pipe and as one Parquet file. It
// needs @duckdb/node-api in the folder that it is run in, which also writes the files; our own writer is measured with one day
// of them. Run: npm run bench -- history --fills 1000000
import { linkSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS } from "../kit/units.ts";
import { dateOf } from "../service/history/day.ts";
import { emptyManifest, type HistoryFile, MANIFEST_FILE, pathOf } from "../service/history/manifest.ts";
import { writeParquet } from "../service/history/parquet.ts";
import { fillRow, SCHEMA_VERSION } from "../service/history/tables.ts";
import { fill, MIDNIGHT } from "../test/support/nouns.ts";
import { ROOT } from "./kit/product.ts";
import { timed } from "./kit/timed.ts";

const DAYS = 100;
const TRADERS = 5_000;
const TOKENS = 2_000;
const WRITTEN_MAX = 100_000;
/** Beyond this many fills, days repeat the rows of the first ones under other dates: files are read all the same. */
const MADE_MAX = 10_000_000;
/** For a larger export only its last days are measured. */
const EXPORTED_MAX = 10_000_000;

interface Connection {
  run(text: string): Promise<unknown>;
}

const at = process.argv.indexOf("--fills");
const count = Number(process.argv[at + 1]);
if (at < 0 || !(count >= DAYS && count <= 1_000_000_000)) {
  console.error(`usage: npm run bench -- history --fills N, from ${DAYS} to 1000000000`);
  process.exit(2);
}
const aDay = Math.floor(count / DAYS);
const madeDays = Math.min(DAYS, Math.ceil(MADE_MAX / aDay));
const given = process.argv.find((word) => word.startsWith("--make="))?.slice("--make=".length);
const folder = given ?? mkdtempSync(join(tmpdir(), "crowdtape-fills-bench-"));
const history = join(folder, "history");

/** A few traders make most of the trades, and a few tokens are traded most. */
const fillsOf = (day: number) => `SELECT
    epoch_ms(${MIDNIGHT + day * DAY_MS} + (n * ${DAY_MS - 1}) // ${aDay}) AS ts,
    md5('swap' || i) AS swapId, md5('trade' || trader || ' ' || token) AS tradeId, md5('user' || trader) AS userId,
    CASE WHEN h % 100 < 55 THEN 'buy' ELSE 'sell' END AS side, 1399811149::BIGINT AS chainId,
    md5('token' || token) AS tokenAddress, 'T' || token AS tokenSymbol,
    (h % 100000) / 7.0 AS amount, (h % 500000) / 100.0 AS usd, (h % 1000) / 1000.0 AS priceUsd, (h % 100) / 100.0 AS feeUsd,
    'So11111111111111111111111111111111111111112' AS otherAddress, 'SOL' AS otherSymbol, (h % 1000) / 100.0 AS otherAmount,
    md5('tx' || i) || md5('hash' || i) AS txHash, i::BIGINT AS block, md5('event' || i) AS eventId, i::BIGINT AS seq
  FROM (SELECT n, i, h, floor(pow((h % 1000003) / 1000003.0, 3) * ${TRADERS})::INT AS trader,
      floor(pow((h // 1000003 % 1000003) / 1000003.0, 3) * ${TOKENS})::INT AS token
    FROM (SELECT range AS n, range + ${day * aDay} AS i, hash(range + ${day * aDay}) AS h FROM range(${aDay})))`;

async function writeDays(): Promise<number> {
  const { DuckDBInstance } = createRequire(join(process.cwd(), "package.json"))("@duckdb/node-api");
  const connection: Connection = await (await DuckDBInstance.create(":memory:")).connect();
  const files: HistoryFile[] = [];
  for (let day = 0; day < DAYS; day++) {
    const date = dateOf(MIDNIGHT + day * DAY_MS);
    const path = pathOf("fills", date, 1);
    const file = join(history, path);
    mkdirSync(join(file, ".."), { recursive: true });
    const first = files[day % madeDays];
    if (first) linkSync(join(history, first.path), file);
    else
      await connection.run(
        `COPY (${fillsOf(day)}) TO '${file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 50000)`,
      );
    const own = { table: "fills", date, version: 1, path, rows: aDay, bytes: statSync(file).size } as const;
    files.push({ ...own, sha256: "", schemaVersion: SCHEMA_VERSION, closedAt: date, source: "" });
  }
  await Bun.write(join(history, MANIFEST_FILE), JSON.stringify({ ...emptyManifest(), files }));
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function writtenByUs(): Promise<{ rows: number; seconds: number; bytes: number }> {
  const rows = Math.min(aDay, WRITTEN_MAX);
  const made = Array.from({ length: rows }, (_, n) =>
    fillRow(fill({ at: MIDNIGHT + n, txHash: `tx${n}` }), { eventId: `event ${n}`, seq: n }),
  );
  const before = process.cpuUsage();
  const { bytes } = await writeParquet(join(folder, "own.parquet"), "fills", made);
  const { user, system } = process.cpuUsage(before);
  return { rows, bytes, seconds: (user + system) / 1_000_000 };
}

const [token, trader] = ["md5('token' || 100)", "md5('user' || 500)"];
const QUESTIONS = {
  "sum by side": "select side, count(*), sum(usd) from fills group by 1",
  "ten largest tokens":
    "select tokenSymbol, sum(usd) usd, count(distinct userId) from fills group by 1 order by 2 desc limit 10",
  "traders and volume by day": "select dt, count(distinct userId), sum(usd) from fills group by 1 order by 1",
  "largest fills of a day": `select * from fills where dt = '${dateOf(MIDNIGHT + 7 * DAY_MS)}' order by usd desc limit 10`,
  "first buyers of a token": `select userId, min(ts) from fills where tokenAddress = ${token} and side = 'buy' group by 1 order by 2 limit 20`,
  "one trader, first to last": `select * from fills where userId = ${trader} order by ts`,
};

const days = count <= EXPORTED_MAX ? DAYS : Math.ceil((EXPORTED_MAX / count) * DAYS);
const since = dateOf(MIDNIGHT + (DAYS - days) * DAY_MS);
const exported = join(folder, "export.parquet");
const environment = { HISTORY: history, DATA_DIR: folder };
const command = (words: string[]) => [process.execPath, join(ROOT, "service", "cli.ts"), ...words];
/** As in a terminal: anything that reads the output gets a pipe. */
const piped = (words: string[]) => ["sh", "-c", '"$@" | wc -c', "sh", ...command(words)];
/** In its own process: a child's peak size includes its parent's at the time of the fork. */
async function make(): Promise<void> {
  const own = await writtenByUs();
  const beganAt = performance.now();
  const bytes = await writeDays();
  console.log(
    `${(aDay * DAYS).toLocaleString("en")} fills in ${DAYS} files, ${(bytes / 1e6).toFixed(0)} MB, made in ${((performance.now() - beganAt) / 1_000).toFixed(0)} s`,
  );
  console.log(
    `our own writer: ${Math.round(own.rows / own.seconds).toLocaleString("en")} fills a second of CPU, ${Math.round(own.bytes / own.rows)} bytes each`,
  );
}

if (given !== undefined) {
  await make();
  process.exit(0);
}
try {
  const made = await timed([process.execPath, ...process.argv.slice(1), `--make=${folder}`], {});
  if (made.code !== 0) throw new Error(made.err);
  console.log(made.out.trim());
  const runs: [string, string[]][] = [
    ...Object.entries(QUESTIONS).map(([what, text]): [string, string[]] => [
      what,
      command(["sql", text, "--json"]),
    ]),
    [`${days} days as CSV, through a pipe`, piped(["sql", "select * from fills", "--csv", "--from", since])],
    [
      `buys of ${days} days into one Parquet file`,
      command([
        "sql",
        `copy (from fills where side = 'buy') to '${exported}' (compression zstd)`,
        "--from",
        since,
      ]),
    ],
  ];
  const rows: Record<string, string | number>[] = [];
  for (const [what, words] of runs) {
    const run = await timed(words, environment);
    if (run.code !== 0 || run.err !== "") throw new Error(run.err);
    const [s, cpu] = [run.seconds, run.cpuSeconds].map((each) => each.toFixed(1));
    rows.push({
      what,
      s: String(s),
      "s of CPU": String(cpu),
      "MB resident": Math.round(run.residentMb),
      out: run.bytes < 100 ? run.out.trim().replace("\n", " ") : `${run.bytes} bytes`,
    });
    console.log(rows.at(-1));
  }
  console.table(rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
