// `crowdtape roster`: the traders that the tracker follows. An import is all or nothing; a running tracker notices within
// seconds.

import { writeFile } from "node:fs/promises";
import { Refused } from "../../client/cli/refused.ts";
import type { Database } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { BOOKS } from "../../tracker/books/schema.ts";
import { BadRoster, parseRoster, writeCsv } from "../../tracker/roster/file.ts";
import { importRoster, readRoster, removeTraders } from "../../tracker/roster/roster.ts";
import {
  checkPins,
  createSigningKey,
  openSigned,
  savePins,
  signRoster,
} from "../../tracker/roster/signed.ts";
import { WAKE_PROVIDERS, wakeInstructions } from "../../tracker/wake.ts";
import { type Config, readConfig } from "../config.ts";
import { createKit, trackerLocation } from "../foundation.ts";
import { download } from "./download.ts";

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

const isUrl = (place: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(place);

async function textOf(place: string, { webhookTargets: targets }: Config): Promise<string> {
  if (isUrl(place)) return await download(place, { targets });
  const file = Bun.file(place);
  if (!(await file.exists())) throw new Refused(`There is no file ${place}.`);
  return await file.text();
}

export async function importFrom(place: string, { key }: { key?: string }): Promise<void> {
  await withBooks(async (database, now, config) => {
    const text = await textOf(place, config);
    try {
      const signed = await openSigned(text);
      const sources = [
        ...(isUrl(place) ? [`the roster at ${place}`] : []),
        ...(signed ? [`the roster "${signed.name}"`] : []),
      ];
      await checkPins(database.read, sources, signed, key);
      const report = await importRoster(database, parseRoster(signed?.text ?? text), now);
      if (signed) await savePins(database, sources, signed);
      console.log(`${report.added} added, ${report.changed} changed, ${report.unchanged} unchanged.`);
      if (signed) console.log(`"${signed.name}", signed by ${signed.key}.`);
    } catch (error) {
      if (error instanceof BadRoster) throw new Refused(`Nothing was imported:\n${error.message}`);
      throw error;
    }
  });
}

export async function exportAll({
  json,
  sign,
  name,
}: {
  json?: boolean;
  sign?: string;
  name?: string;
}): Promise<void> {
  if (sign !== undefined && name === undefined)
    throw new Refused("A signed roster has a name: --name, the same each time.");
  await withBooks(async (database, now) => {
    const traders = (await readRoster(database.read)).map(
      ({ userId: _, formerHandles: __, addedAt: ___, ...entry }) => entry,
    );
    if (sign !== undefined && name !== undefined)
      process.stdout.write(await signRoster(await signingKeyIn(sign), { name, traders }, now));
    else process.stdout.write(json ? `${JSON.stringify({ traders }, null, 2)}\n` : writeCsv(traders));
  });
}

/** Created on first use; anyone with the file can sign on its owner's behalf. */
async function signingKeyIn(path: string): Promise<string> {
  const file = Bun.file(path);
  if (await file.exists()) return await file.text();
  const key = await createSigningKey();
  await writeFile(path, `${key}\n`, { mode: 0o600, flag: "wx" });
  console.error(`A new key is in ${path}: keep it, and keep it to yourself.`);
  return key;
}

export async function listAll({ json }: { json?: boolean }): Promise<void> {
  await withBooks(async (database) => {
    const traders = await readRoster(database.read);
    if (json) return console.log(JSON.stringify(traders));
    for (const { handle, solana, evm } of traders)
      console.log(`${handle.padEnd(24)} ${solana.length} Solana, ${evm.length} EVM`);
    console.log(traders.length === 1 ? "1 trader" : `${traders.length} traders`);
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
    const address = url ?? config.publicUrl ?? "https://YOUR-HOST";
    console.log(
      wakeInstructions(
        provider,
        address,
        await readRoster(database.read),
        config.tracker.wakeSecret !== null,
      ),
    );
  });
}
