// S20d: the breakdown of the processor time for closing a day of N fills: checking whether it has changed, reading and
// building rows, writing Parquet; and the time DuckDB needs to write the same fills, for each way of passing them in. For that
// it needs @duckdb/node-api in the folder that it is run in. Ids and hashes are as varied as real ones, because a writer's
// time depends on that. Run: npm run bench -- history --parts 250000
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS } from "../kit/units.ts";
import { atTheDesk } from "../service/commands/operator.ts";
import { openAside } from "../service/history/aside.ts";
import { dateOf, dayRows, sourcesOf, spanOf } from "../service/history/day.ts";
import { writeParquet } from "../service/history/parquet.ts";
import { type CellType, COLUMNS, HISTORY_TABLES, type HistoryCell } from "../service/history/tables.ts";
import { endsAt } from "./history-store-rows.ts";
import { timed } from "./kit/timed.ts";

/** The log covers the last quarter of the fills: the last of these days. */
const DAYS = 4;
const GROUP_ROWS = 50_000;
const CHUNK_ROWS = 2_048;

const count = Number(process.argv[process.argv.indexOf("--parts") + 1]);
if (!(count >= CHUNK_ROWS && count <= 2_000_000)) {
  console.error(`usage: npm run bench -- history --parts N, from ${CHUNK_ROWS} to 2000000`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "crowdtape-parts-bench-"));
const parts: Record<string, string | number>[] = [];

async function measured<T>(what: string, work: () => Promise<T>, note = (_: T) => ""): Promise<T> {
  Bun.gc(true);
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  parts.push({ what, "s of CPU": ((user + system) / 1_000_000).toFixed(2), note: note(result) });
  return result;
}

const isHash = ({ name }: { name: string }) => ["swapId", "txHash", "eventId"].includes(name);
const hashed = (cell: unknown) => new Bun.CryptoHasher("sha256").update(String(cell)).digest("hex");

async function closeInParts(): Promise<HistoryCell[][]> {
  return atTheDesk(async ({ store, kit }) => {
    const day = spanOf(dateOf(endsAt(kit.clock.now()) - DAY_MS));
    const aside = openAside(join(folder, "aside.sqlite"));
    const rowsOf = dayRows(store, day, aside);
    await measured("look whether the day has changed", () => sourcesOf(store, day));
    let fills: HistoryCell[][] = [];
    for (const table of HISTORY_TABLES) {
      const note = (rows: unknown[]) => `${rows.length} rows`;
      const rows = await measured(`read ${table}`, () => Array.fromAsync(rowsOf(table)), note);
      const different =
        table === "fills"
          ? rows.map((row) => row.map((cell, place) => (isHash(at(place)) ? hashed(cell) : cell)))
          : rows;
      if (table === "fills") fills = different;
      const write = () => writeParquet(join(folder, "own.parquet"), table, different);
      await measured(`write ${table}`, write, ({ bytes }) => `${bytes} bytes`);
    }
    aside.close();
    return fills;
  });
}

const at = (place: number) => COLUMNS.fills[place] as (typeof COLUMNS.fills)[number];
const TYPES: Record<CellType, string> = {
  TIMESTAMP: "TIMESTAMP_MS",
  STRING: "VARCHAR",
  DOUBLE: "DOUBLE",
  INT64: "BIGINT",
  BOOLEAN: "BOOLEAN",
};
const TEXT_COLUMNS = COLUMNS.fills.map(
  ({ name, type }) => `'${name}': '${type === "TIMESTAMP" ? "BIGINT" : TYPES[type]}'`,
);
const CELLS = COLUMNS.fills.map(({ name, type }) =>
  type === "TIMESTAMP" ? `make_timestamp_ms(${name})` : name,
);

/** Through a text file, in the cheapest way each format allows. */
const FORMS = {
  csv: {
    line: (row: HistoryCell[]) =>
      row
        .map((cell) => (typeof cell === "string" ? `"${cell.replaceAll('"', '""')}"` : (cell ?? "")))
        .join(","),
    read: (file: string) =>
      `read_csv('${file}', columns = {${TEXT_COLUMNS}}, header = false, quote = '"', escape = '"', auto_detect = false)`,
  },
  json: {
    line: (row: HistoryCell[]) =>
      JSON.stringify(Object.fromEntries(row.map((cell, place) => [at(place).name, cell]))),
    read: (file: string) => `read_json('${file}', columns = {${TEXT_COLUMNS}}, format = 'newline_delimited')`,
  },
};

async function writeByDuckDb(fills: HistoryCell[][]): Promise<void> {
  const duck = createRequire(join(process.cwd(), "package.json"))("@duckdb/node-api");
  const connection = await (await duck.DuckDBInstance.create(":memory:")).connect();
  await connection.run("SET threads = 1");
  const file = join(folder, "duck.parquet");
  const copy = (from: string) =>
    connection.run(
      `COPY (${from}) TO '${file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${GROUP_ROWS})`,
    );
  const note = () => `${statSync(file).size} bytes`;
  for (const [form, { line, read }] of Object.entries(FORMS)) {
    const text = join(folder, `fills.${form}`);
    await measured(
      `DuckDB, write fills by ${form}`,
      async () => {
        const writer = Bun.file(text).writer();
        for (const row of fills) writer.write(`${line(row)}\n`);
        await writer.end();
        await copy(`SELECT ${CELLS} FROM ${read(text)}`);
      },
      note,
    );
  }
  await measured(
    "DuckDB, write fills by chunks of columns",
    async () => {
      await connection.run(
        `CREATE TABLE fills (${COLUMNS.fills.map(({ name, type }) => `${name} ${TYPES[type]}`)})`,
      );
      const appender = await connection.createAppender("fills");
      const types = COLUMNS.fills.map(({ type }) => duck[TYPES[type]]);
      const cellOf = (type: CellType, cell: HistoryCell) => {
        if (cell === null || (type !== "TIMESTAMP" && type !== "INT64")) return cell;
        const whole = BigInt(cell);
        return type === "INT64" ? whole : new duck.DuckDBTimestampMillisecondsValue(whole);
      };
      for (let from = 0; from < fills.length; from += CHUNK_ROWS) {
        const rows = fills.slice(from, from + CHUNK_ROWS);
        const chunk = duck.DuckDBDataChunk.create(types, rows.length);
        chunk.setColumns(
          COLUMNS.fills.map(({ type }, place) => rows.map((row) => cellOf(type, row[place] ?? null))),
        );
        appender.appendDataChunk(chunk);
      }
      appender.closeSync();
      await copy("FROM fills");
    },
    note,
  );
  await measured("DuckDB, of that the writing alone", () => copy("FROM fills"), note);
}

try {
  const environment = { DATA_DIR: folder };
  Object.assign(process.env, environment);
  const program = join(import.meta.dir, "history-store-rows.ts");
  const made = await timed([process.execPath, program, String(count * DAYS), String(DAYS)], environment);
  if (made.code !== 0) throw new Error(made.err);
  await writeByDuckDb(await closeInParts());
} finally {
  console.table(parts);
  rmSync(folder, { recursive: true, force: true });
}
