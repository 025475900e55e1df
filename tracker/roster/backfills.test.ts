// A trader's history is read once for wallets watched all along, and again for those with a gap.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { type Clock, systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import type { Loop } from "../../kit/loop.ts";
import { eventually } from "../../test/support/eventually.ts";
import { BOOKS } from "../books/schema.ts";
import type { BackfillRequest, ChainReader } from "../chain.ts";
import { createBackfills } from "./backfills.ts";
import { createDirectory, type Directory } from "./directory.ts";
import { importRoster, removeTraders } from "./roster.ts";

const [ONE, TWO] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`];
const clock = systemClock();
/** Rests are as short as possible. */
const brisk: Clock = { now: clock.now, sleep: (_, signal) => clock.sleep(1, signal) };
const log = createLog("silent", clock.now);
const status = { head: 1, cursor: 1, final: 1, lagMs: 0, error: null, reason: null };

let folder: string;
let database: Database;
let directory: Directory;
let asked: BackfillRequest[];
let loop: Loop | null = null;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "crowdtape-backfills-"));
  database = await openDatabase({ file: join(folder, "tracker.sqlite") });
  await migrate(database, 1, BOOKS);
  directory = createDirectory(database, clock, log);
  asked = [];
});
afterEach(async () => {
  await loop?.stop();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Sets the roster to this, and runs rounds until one finds nothing to do. */
async function follow(evm: string[]): Promise<BackfillRequest[]> {
  if (evm.length > 0)
    await importRoster(database, [{ handle: "frog", displayName: "Frog", solana: [], evm }], 1);
  else await removeTraders(database, ["frog"], 2);
  await directory.refresh();
  let looks = 0;
  asked = [];
  const reader: ChainReader = {
    start() {},
    stop: async () => {},
    wake() {},
    status: () => {
      looks++;
      return status;
    },
    backfill: async (request) => void asked.push(request),
  };
  const readers = [{ chainId: 1, name: "ethereum", reader }];
  loop = createBackfills({ database, directory, readers, historyDays: 30, clock: brisk, log });
  loop.start();
  await eventually(() => looks > 1, "a round ended and another began");
  await loop.stop();
  return asked;
}

test("a wallet added to a trader later has its own history to read", async () => {
  const [first] = await follow([ONE]);
  expect(first?.wallets).toEqual([ONE]);
  expect(await follow([ONE])).toEqual([]);
  const [second] = await follow([ONE, TWO]);
  expect(second?.wallets).toEqual([ONE, TWO]);
  expect(second?.name).not.toBe(String(first?.name));
});

test("a trader or a wallet that comes back has a gap to read", async () => {
  await follow([ONE, TWO]);
  expect(await follow([ONE])).toHaveLength(1);
  expect(await follow([ONE, TWO])).toHaveLength(1);
  expect(await follow([])).toEqual([]);
  expect(await follow([ONE, TWO])).toHaveLength(1);
  expect(await follow([ONE, TWO])).toEqual([]);
});

test("a hundred wallets are read at once", async () => {
  const crowd = Array.from({ length: 150 }, (_, at) => ({
    handle: `frog${at}`,
    displayName: "Frog",
    solana: [],
    evm: [`0x${at.toString(16).padStart(40, "0")}`],
  }));
  await importRoster(database, crowd, 1);
  const requests = await follow([ONE]);
  expect(requests.map(({ wallets }) => wallets.length)).toEqual([100, 51]);
  expect(new Set(requests.flatMap(({ wallets }) => wallets)).size).toBe(151);
  expect(await follow([ONE])).toEqual([]);
});

test("an unreadable history does not block other traders or other chains", async () => {
  const frog = { handle: "frog", displayName: "Frog", solana: [], evm: [ONE] };
  await importRoster(database, [frog, { ...frog, handle: "toad", evm: [TWO] }], 1);
  await directory.refresh();
  const read: string[] = [];
  const readerOf = (name: string): ChainReader => ({
    start() {},
    stop: async () => {},
    wake() {},
    status: () => status,
    async backfill({ wallets }) {
      if (name === "sick" && wallets.includes(directory.traders()[0]?.evm[0] ?? "")) throw new Error("away");
      read.push(`${name} ${wallets.length}`);
    },
  });
  const readers = ["sick", "well"].map((name, at) => ({ chainId: at + 1, name, reader: readerOf(name) }));
  loop = createBackfills({ database, directory, readers, historyDays: 30, clock: brisk, log });
  loop.start();
  await eventually(() => read.length === 2, "all that can be read is");
  expect(read.toSorted()).toEqual(["sick 1", "well 2"]);
});
