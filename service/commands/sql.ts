// `crowdtape sql "select …"`: DuckDB over the HISTORY files in the manifest, each table by its name. DuckDB is larger than
// this whole program, so it is used if the operator has it installed: the program, or its package for Node.
import { existsSync, fstatSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Refused } from "../../client/cli/refused.ts";
import { isS3 } from "../../kit/s3.ts";
import { readConfig } from "../config.ts";
import { copyFiles } from "../history/copy.ts";
import type { HistoryFile, HistoryManifest } from "../history/manifest.ts";
import { openPlace } from "../history/place.ts";
import { HISTORY_TABLES } from "../history/tables.ts";

const PACKAGE = "@duckdb/node-api";
const MISSING = `DuckDB is not installed. Either of these brings it:
  npm install --no-save ${PACKAGE}
  the program duckdb from duckdb.org, anywhere on PATH`;

export interface SqlOptions {
  csv?: boolean;
  json?: boolean;
  /** The first and the last day to include. */
  from?: string;
  to?: string;
  /** DuckDB's memory limit, such as 4GB. */
  memory?: string;
}

export async function sql(question: string, options: SqlOptions): Promise<void> {
  const { history, dataFolder } = readConfig();
  if (history === null)
    throw new Refused("HISTORY is not set. It names the folder, or s3://BUCKET/NAME, with the closed days.");
  const program = Bun.which("duckdb");
  const library = program === null ? findPackage() : null;
  if (program === null && library === null) throw new Refused(MISSING);
  const place = openPlace(history);
  const manifest = await place.manifest();
  const files = chosenFiles(manifest.files, options);
  if (files.length === 0) throw new Refused(`No such day is closed in ${history} yet.`);
  let address = place.address;
  if (isS3(history)) {
    const folder = join(dataFolder, "history-copy");
    const asked = files.filter(({ table }) => new RegExp(`\\b${table}\\b`, "i").test(question));
    await copyFiles(place, manifest, asked, folder);
    address = (path) => join(folder, path);
    // A view needs its files: keep those of the tables that the query names.
    files.splice(0, files.length, ...asked);
  }
  const prepared = [...bounds(options.memory, dataFolder), ...viewsOf({ files }, address)];
  if (program !== null) await byProgram(program, prepared, question, options);
  else if (library !== null) await byPackage(library, prepared, question, options);
}

/** It runs next to a service, and by default would use 80 % of the machine's memory. */
const MEMORY = "1GB";

/** Data that does not fit spills to disk. */
export function bounds(memory = MEMORY, dataFolder: string): string[] {
  if (!/^[1-9]\d{0,5}(MB|GB)$/.test(memory)) throw new Refused("--memory is a size, such as 512MB or 4GB.");
  const folder = join(dataFolder, "sql-aside").replaceAll("'", "''");
  return [`SET memory_limit = '${memory}';`, `SET temp_directory = '${folder}';`];
}

const DATE = /^\d{4}-\d\d-\d\d$/;

function chosenFiles(files: readonly HistoryFile[], { from = "0000-00-00", to = "9999-99-99" }: SqlOptions) {
  if (!DATE.test(from) || !DATE.test(to)) throw new Refused("--from and --to are days, such as 2026-11-15.");
  return files.filter(({ date }) => date >= from && date <= to);
}

/** One view per table that has a file; the day is its column `dt`. */
export function viewsOf(
  { files }: Pick<HistoryManifest, "files">,
  address: (path: string) => string,
): string[] {
  return HISTORY_TABLES.flatMap((table) => {
    const own = files.filter((file) => file.table === table);
    if (own.length === 0) return [];
    const list = own.map(({ path }) => `'${address(path).replaceAll("'", "''")}'`).join(",");
    return [
      `CREATE VIEW ${table} AS SELECT * FROM read_parquet([${list}], hive_partitioning = true, union_by_name = true);`,
    ];
  });
}

async function byProgram(
  program: string,
  prepared: readonly string[],
  question: string,
  { csv, json }: SqlOptions,
): Promise<void> {
  // Via stdin: a command line is too short for a year of files.
  const input = Buffer.from(`${prepared.join("\n")}\n${question.replace(/;?\s*$/, ";")}\n`);
  const form = json ? ["-json"] : csv ? ["-csv"] : [];
  const child = Bun.spawn([program, "-bail", ...form], { stdin: input, stdout: "inherit", stderr: "pipe" });
  const said = (await new Response(child.stderr).text()).trim();
  if ((await child.exited) !== 0) throw new Refused(said);
}

/** The part of the package that is used. */
interface DuckDb {
  DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckDbConnection> }> };
}
interface DuckDbConnection {
  run(text: string): Promise<unknown>;
  stream(text: string): Promise<{ columnNames(): string[]; yieldRowsJson(): AsyncIterable<unknown[][]> }>;
}

/** Next to this program, or in the current folder. Found by explicit path: the runtime would download a missing package. */
function findPackage(): string | null {
  const folders = [join(import.meta.dir, "..", ".."), process.cwd()];
  const found = folders
    .map((folder) => join(folder, "node_modules", PACKAGE))
    .find((each) => existsSync(each));
  return found ? createRequire(join(found, "package.json")).resolve(found) : null;
}

async function byPackage(
  path: string,
  prepared: readonly string[],
  question: string,
  { csv, json }: SqlOptions,
): Promise<void> {
  const { DuckDBInstance } = (await import(path)) as DuckDb;
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  for (const statement of prepared) await connection.run(statement);
  const refuse = (error: Error): void => {
    // The reader closed the pipe.
    if (!/broken pipe/i.test(error.message)) throw new Refused(error.message);
  };
  if (csv && SELECTS.test(question) && process.platform !== "win32" && !fstatSync(1).isSocket())
    // DuckDB's own writer is far faster. It opens its output by name, which a socket, as parent processes may pass, lacks.
    return void (await connection
      .run(`COPY (${question.replace(/;?\s*$/, "")}) TO '/dev/stdout' (FORMAT csv, HEADER)`)
      .catch(refuse));
  const show = json ? showJson : csv ? showCsv : showTable;
  await connection
    .stream(question)
    .then((answer) => show(answer.columnNames(), answer.yieldRowsJson()))
    .catch(refuse);
}

const SELECTS = /^\s*(select|with|from)\b/i;

type Rows = AsyncIterable<unknown[][]>;

/** Waits for the reader: a result may be larger than memory. */
const say = (text: string) => new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
const cellText = (cell: unknown) => (cell === null ? "" : String(cell));

async function showJson(names: readonly string[], answer: Rows): Promise<void> {
  let before = "[";
  for await (const rows of answer) {
    if (rows.length === 0) continue;
    await say(before + rows.map((row) => JSON.stringify(rowObject(names, row))).join(",\n"));
    before = ",\n";
  }
  await say(before === "[" ? "[]\n" : "]\n");
}

async function showCsv(names: readonly string[], answer: Rows): Promise<void> {
  const lineOf = (row: readonly unknown[]) => `${row.map((cell) => quoted(cellText(cell))).join(",")}\n`;
  await say(lineOf(names));
  for await (const rows of answer) await say(rows.map(lineOf).join(""));
}

/** Columns are as wide as their widest cell, so all rows are held in memory: as many as a person will read. */
const SHOWN_ROWS_MAX = 10_000;

async function showTable(names: readonly string[], answer: Rows): Promise<void> {
  const lines: string[][] = [[...names]];
  for await (const rows of answer) {
    lines.push(...rows.map((row) => row.map(cellText)));
    if (lines.length > SHOWN_ROWS_MAX) break;
  }
  const isCut = lines.length > SHOWN_ROWS_MAX;
  await say(`${aligned(lines.slice(0, SHOWN_ROWS_MAX))}\n${isCut ? "… more rows; --csv gives all\n" : ""}`);
}

const rowObject = (names: readonly string[], row: readonly unknown[]) =>
  Object.fromEntries(names.map((name, place) => [name, row[place]]));

const quoted = (cell: string) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

function aligned(lines: readonly string[][]): string {
  const widths = (lines[0] ?? []).map((_, place) =>
    Math.max(...lines.map((line) => line[place]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, place) => cell.padEnd(widths[place] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
