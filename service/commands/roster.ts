// `crowdtape roster`: whom the tracker follows. Import takes a whole file or nothing; a running tracker notices in seconds.

import type { Database } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { BOOKS } from "../../tracker/books/schema.ts";
import { BadRoster, parseRoster, writeCsv } from "../../tracker/roster/file.ts";
import { importRoster, readRoster, removeTraders } from "../../tracker/roster/roster.ts";
import { WAKE_PROVIDERS, wakeInstructions } from "../../tracker/wake.ts";
import { type Config, readConfig } from "../config.ts";
import { createKit } from "../foundation.ts";
import { trackerLocation } from "../tracker-location.ts";
import { readArguments } from "./arguments.ts";
import { CommandRefused } from "./run.ts";

const USAGE =
  "Say: crowdtape roster import FILE | export [--json] | list [--json] | remove HANDLE… | webhook PROVIDER [--url URL]";

export async function roster([verb, ...argv]: string[]): Promise<void> {
  const { values, positionals } = readArguments(
    argv,
    { json: { type: "boolean" }, url: { type: "string" } },
    true,
  );
  const config = readConfig();
  const { clock } = createKit({ logLevel: "warn" });
  await withBooks(config, clock.now(), async (db) => {
    if (verb === "import" && positionals.length === 1)
      return importFile(db, positionals[0] ?? "", clock.now());
    if (verb === "export" && positionals.length === 0) return exportAll(db, values.json ?? false);
    if (verb === "list" && positionals.length === 0) return listAll(db, values.json ?? false);
    if (verb === "remove" && positionals.length > 0) return remove(db, positionals, clock.now());
    if (verb === "webhook" && positionals.length === 1)
      return webhook(db, positionals[0] ?? "", values.url ?? config.publicUrl ?? "https://YOUR-HOST");
    throw new CommandRefused(USAGE);
  });
}

async function withBooks(config: Config, now: number, work: (db: Database) => Promise<void>): Promise<void> {
  const db = await openDatabase(trackerLocation(config));
  try {
    await migrate(db, now, BOOKS);
    await work(db);
  } finally {
    await db.close();
  }
}

async function importFile(db: Database, path: string, now: number): Promise<void> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new CommandRefused(`There is no file ${path}.`);
  try {
    const report = await importRoster(db, parseRoster(await file.text()), now);
    console.log(`${report.added} added, ${report.changed} changed, ${report.unchanged} unchanged.`);
  } catch (problem) {
    if (problem instanceof BadRoster) throw new CommandRefused(`Nothing was imported:\n${problem.message}`);
    throw problem;
  }
}

async function exportAll(db: Database, json: boolean): Promise<void> {
  const traders = (await readRoster(db.read)).map(({ handle, displayName, solana, evm }) => ({
    ...{ handle, displayName, solana, evm },
  }));
  process.stdout.write(json ? `${JSON.stringify({ traders }, null, 2)}\n` : writeCsv(traders));
}

async function listAll(db: Database, json: boolean): Promise<void> {
  const traders = await readRoster(db.read);
  if (json) return console.log(JSON.stringify(traders));
  for (const { handle, solana, evm } of traders)
    console.log(`${handle.padEnd(24)} ${solana.length} Solana, ${evm.length} EVM`);
  console.log(`${traders.length} traders`);
}

async function remove(db: Database, handles: string[], now: number): Promise<void> {
  const unknown = await removeTraders(db, handles, now);
  if (unknown.length > 0) throw new CommandRefused(`Nobody on the roster is called ${unknown.join(", ")}.`);
  console.log(`${handles.length} removed; what was booked stays.`);
}

async function webhook(db: Database, name: string, url: string): Promise<void> {
  const provider = WAKE_PROVIDERS.find((each) => each === name);
  if (!provider) throw new CommandRefused(`PROVIDER is one of ${WAKE_PROVIDERS.join(", ")}.`);
  const traders = await readRoster(db.read);
  const wallets = traders.reduce((sum, { solana, evm }) => sum + solana.length + evm.length, 0);
  console.log(wakeInstructions(provider, url, wallets));
}
