// `crowdtape roster`: the traders that the tracker follows. Import takes a whole file or nothing; a running tracker notices in seconds.

import { Refused } from "../../client/cli/refused.ts";
import type { Database } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { BOOKS } from "../../tracker/books/schema.ts";
import { BadRoster, parseRoster, writeCsv } from "../../tracker/roster/file.ts";
import { importRoster, readRoster, removeTraders } from "../../tracker/roster/roster.ts";
import { WAKE_PROVIDERS, wakeInstructions } from "../../tracker/wake.ts";
import { type Config, readConfig } from "../config.ts";
import { createKit, trackerLocation } from "../foundation.ts";

async function withBooks(
  work: (database: Database, now: number, config: Config) => Promise<void>,
): Promise<void> {
  const config = readConfig();
  const now = createKit({ logLevel: "warn" }).clock.now();
  const database = await openDatabase(trackerLocation(config));
  try {
    await migrate(database, now, BOOKS);
    await work(database, now, config);
  } finally {
    await database.close();
  }
}

export async function importFile(path: string): Promise<void> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new Refused(`There is no file ${path}.`);
  await withBooks(async (database, now) => {
    try {
      const report = await importRoster(database, parseRoster(await file.text()), now);
      console.log(`${report.added} added, ${report.changed} changed, ${report.unchanged} unchanged.`);
    } catch (error) {
      if (error instanceof BadRoster) throw new Refused(`Nothing was imported:\n${error.message}`);
      throw error;
    }
  });
}

export async function exportAll({ json }: { json?: boolean }): Promise<void> {
  await withBooks(async (database) => {
    const traders = (await readRoster(database.read)).map(({ handle, displayName, solana, evm }) => ({
      handle,
      displayName,
      solana,
      evm,
    }));
    process.stdout.write(json ? `${JSON.stringify({ traders }, null, 2)}\n` : writeCsv(traders));
  });
}

export async function listAll({ json }: { json?: boolean }): Promise<void> {
  await withBooks(async (database) => {
    const traders = await readRoster(database.read);
    if (json) return console.log(JSON.stringify(traders));
    for (const { handle, solana, evm } of traders)
      console.log(`${handle.padEnd(24)} ${solana.length} Solana, ${evm.length} EVM`);
    console.log(`${traders.length} traders`);
  });
}

export async function removeAll(handles: string[]): Promise<void> {
  await withBooks(async (database, now) => {
    const unknown = await removeTraders(database, handles, now);
    if (unknown.length > 0) throw new Refused(`No trader on the roster is called ${unknown.join(", ")}.`);
    console.log(`${handles.length} removed; what was booked stays.`);
  });
}

export async function explainWebhook(name: string, { url }: { url?: string }): Promise<void> {
  const provider = WAKE_PROVIDERS.find((each) => each === name);
  if (!provider) throw new Refused(`PROVIDER is one of ${WAKE_PROVIDERS.join(", ")}.`);
  await withBooks(async (database, _now, config) => {
    const traders = await readRoster(database.read);
    const wallets = traders.reduce((sum, { solana, evm }) => sum + solana.length + evm.length, 0);
    console.log(wakeInstructions(provider, url ?? config.publicUrl ?? "https://YOUR-HOST", wallets));
  });
}
