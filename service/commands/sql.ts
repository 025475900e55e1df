// `crowdtape sql "select …"`: DuckDB over the files of HISTORY that the manifest names, each table by its name. DuckDB is larger than all
// of this program, so it is used where the operator has it: the program, or its package for Node.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Refused } from "../../client/cli/refused.ts";
import { isS3 } from "../../kit/s3.ts";
import { readConfig } from "../config.ts";
import type { HistoryManifest } from "../history/manifest.ts";
import { openPlace } from "../history/place.ts";
import { HISTORY_TABLES } from "../history/tables.ts";

const PACKAGE = "@duckdb/node-api";
const MISSING = `DuckDB is not installed. Either of these brings it:
  npm install --no-save ${PACKAGE}
  the program duckdb from duckdb.org, anywhere on PATH`;

export interface SqlOptions {
  csv?: boolean;
  json?: boolean;
}

export async function sql(question: string, options: SqlOptions): Promise<void> {
  const { history } = readConfig();
  if (history === null) throw new Refused("HISTORY is not set. It names the folder with the closed days.");
  if (isS3(history))
    throw new Refused(
      "sql reads a folder. Copy the bucket first, such as by aws s3 sync, and set HISTORY to the copy.",
    );
  const place = openPlace(history);
  const views = viewsOf(await place.manifest(), place.address);
  if (views.length === 0) throw new Refused(`No day is closed in ${history} yet.`);
  const program = Bun.which("duckdb");
  const library = program === null ? findPackage() : null;
  if (program !== null) await byProgram(program, views, question, options);
  else if (library !== null) await byPackage(library, views, question, options);
  else throw new Refused(MISSING);
}

/** One view for each table that has a file; a day is its column `dt`. */
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
  views: readonly string[],
  question: string,
  { csv, json }: SqlOptions,
): Promise<void> {
  // By its input: a command line has no room for a year of files.
  const input = Buffer.from(`${views.join("\n")}\n${question.replace(/;?\s*$/, ";")}\n`);
  const form = json ? ["-json"] : csv ? ["-csv"] : [];
  const child = Bun.spawn([program, "-bail", ...form], { stdin: input, stdout: "inherit", stderr: "pipe" });
  const said = (await new Response(child.stderr).text()).trim();
  if ((await child.exited) !== 0) throw new Refused(said);
}

/** As much of the package as is used. */
interface DuckDb {
  DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckDbConnection> }> };
}
interface DuckDbConnection {
  run(text: string): Promise<unknown>;
  runAndReadAll(text: string): Promise<{ columnNames(): string[]; getRowsJson(): unknown[][] }>;
}

/** Next to this program, or in the folder that it is run in. Looked for by name: the runtime would download what it does not find. */
function findPackage(): string | null {
  const folders = [join(import.meta.dir, "..", ".."), process.cwd()];
  const found = folders
    .map((folder) => join(folder, "node_modules", PACKAGE))
    .find((each) => existsSync(each));
  return found ? createRequire(join(found, "package.json")).resolve(found) : null;
}

async function byPackage(
  path: string,
  views: readonly string[],
  question: string,
  { csv, json }: SqlOptions,
): Promise<void> {
  const { DuckDBInstance } = (await import(path)) as DuckDb;
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  for (const view of views) await connection.run(view);
  const read = await connection.runAndReadAll(question).catch((error: Error) => {
    throw new Refused(error.message);
  });
  const [names, rows] = [read.columnNames(), read.getRowsJson()];
  if (json) return console.log(JSON.stringify(rows.map((row) => rowObject(names, row))));
  const lines = [names, ...rows].map((row) => row.map((cell) => (cell === null ? "" : String(cell))));
  console.log(csv ? lines.map((line) => line.map(quoted).join(",")).join("\n") : aligned(lines));
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
