// The state after a power cut, with a disk that forgets whatever was not flushed. Linux only: elsewhere SQLite does its own
// flushes.

import { Database as Connection } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Random, seededRandom } from "../kit/random.ts";
import { nextTurn } from "../kit/turn.ts";
import { eventually } from "../test/support/eventually.ts";
import type { Database } from "./database.ts";
import { StoreUnavailable } from "./errors.ts";
import type { FlushFile } from "./flushes.ts";
import { sql } from "./sql.ts";
import { openSqlite } from "./sqlite.ts";

const SEED = Bun.env.SEED ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);
const folder = mkdtempSync(join(tmpdir(), "crowdtape-durability-"));
let files = 0;
const newFile = () => join(folder, `${++files}.sqlite`);
const isLog = (descriptor: number) => readlinkSync(`/proc/self/fd/${descriptor}`).endsWith("-wal");

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One page each, so that a mix of old and new pages shows. */
const ROW = "x".repeat(3_000);
const ACCOUNTS = 400;
const insert = (
  database: Database,
  ids: readonly number[],
  flushAside: boolean,
  moves: [number, number][] = [],
) =>
  database.write(
    async (tx) => {
      for (const id of ids) await tx.run(sql`INSERT INTO thing VALUES (${id}, ${ROW})`);
      for (const [from, to] of moves) {
        await tx.run(sql`UPDATE account SET balance = balance - 1 WHERE id = ${from}`);
        await tx.run(sql`UPDATE account SET balance = balance + 1 WHERE id = ${to}`);
      }
    },
    { flushAside },
  );

async function withTable(file: string, flushFile: FlushFile, accounts = 0): Promise<Database> {
  const database = await openSqlite({ file }, flushFile);
  await database.write(async (tx) => {
    await tx.run(sql`CREATE TABLE thing (id BIGINT PRIMARY KEY, body TEXT)`);
    await tx.run(sql`CREATE TABLE account (id INTEGER PRIMARY KEY, balance BIGINT, body TEXT)`);
    for (let id = 0; id < accounts; id++) await tx.run(sql`INSERT INTO account VALUES (${id}, ${0}, ${ROW})`);
  });
  return database;
}

/** Keeps each file's contents as of its last flush. */
function forgetfulDisk(file: string, random: Random, atFlush: (which: "log" | "file") => void) {
  const kept = { log: `${file}-kept-log`, file: `${file}-kept` };
  const flushes = { log: 0, file: 0 };
  const flushFile: FlushFile = async (descriptor) => {
    const which = isLog(descriptor) ? "log" : "file";
    const now = `${kept[which]}-now`;
    // SQLite flushed it on creation.
    if (!existsSync(kept.file)) copyFileSync(file, kept.file);
    copyFileSync(which === "log" ? `${file}-wal` : file, now);
    atFlush(which);
    for (let turns = random.below(which === "log" ? 40 : 10); turns > 0; turns--) await nextTurn();
    copyFileSync(now, kept[which]);
    flushes[which]++;
  };
  /** Every state in which a cut now may leave the two files: unflushed data may be there or not. */
  const cuts = () =>
    [kept.file, file].flatMap((home) => [kept.log, `${file}-wal`].map((log) => ({ home, log })));
  return { flushFile, flushes, cuts };
}

function rowsAfter({ home, log }: { home: string; log: string }): Set<number> {
  const found = newFile();
  copyFileSync(home, found);
  if (existsSync(log)) copyFileSync(log, `${found}-wal`);
  const connection = new Connection(found);
  try {
    expect(connection.query("PRAGMA quick_check").all()).toEqual([{ quick_check: "ok" }]);
    const sum = connection.query("SELECT SUM(balance) AS sum FROM account").get();
    expect(sum).toEqual({ sum: 0 });
    const rows = connection.query("SELECT id FROM thing").all() as { id: number }[];
    return new Set(rows.map(({ id }) => id));
  } finally {
    connection.close();
    for (const end of ["", "-wal", "-shm"]) rmSync(`${found}${end}`, { force: true });
  }
}

describe.if(process.platform === "linux")("a SQLite file", () => {
  test("has every acknowledged write after a power cut at any moment, checkpoints included", async () => {
    const random = seededRandom(SEED);
    const file = newFile();
    const acknowledged = new Set<number>();
    let cuts = 0;
    const disk = forgetfulDisk(file, random, (which) => {
      if (acknowledged.size > 0 && random.chance(which === "log" ? 0.02 : 0.6)) cut();
    });
    const cut = () => {
      cuts++;
      for (const left of disk.cuts()) {
        const found = rowsAfter(left);
        expect([...acknowledged].filter((id) => !found.has(id))).toEqual([]);
      }
    };
    const database = await withTable(file, disk.flushFile, ACCOUNTS);
    let id = 0;
    const writing = async () => {
      while (id < 2_400) {
        const ids = Array.from({ length: 1 + random.below(20) }, () => ++id);
        const moves = ids.map((): [number, number] => [random.below(ACCOUNTS), random.below(ACCOUNTS)]);
        await insert(database, ids, random.chance(0.8), moves);
        for (const one of ids) acknowledged.add(one);
        if (random.chance(0.03)) cut();
      }
    };
    await Promise.all([writing(), writing(), writing(), writing()]);
    expect(cuts).toBeGreaterThan(5);
    // Several times around: the log stays smaller than the total written.
    expect(disk.flushes.file).toBeGreaterThan(5);
    expect(statSync(`${file}-wal`).size).toBeLessThan(16 * 1024 ** 2);
    await database.close();
  }, 900_000);

  test("shows no reader a write that a power cut could still undo, unless the writer allowed it", async () => {
    const waiting: (() => void)[] = [];
    let isHeld = false;
    const database = await withTable(newFile(), async () => {
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    });
    const seen = async () => (await database.read.all(sql`SELECT id FROM thing`)).length;
    isHeld = true;
    const careful = insert(database, [1], false);
    const next = insert(database, [2], true);
    await eventually(() => waiting.length > 0, "the first write is flushed");
    expect(await seen()).toBe(0);
    waiting.shift()?.();
    await careful;
    expect(await seen()).toBeGreaterThan(0);
    await eventually(() => waiting.length > 0, "the next write is flushed");
    expect(await seen()).toBe(2);
    isHeld = false;
    waiting.shift()?.();
    await next;
    await database.close();
  });

  test("accepts no write after a failed flush: earlier writes might be incomplete", async () => {
    let fails = false;
    const database = await withTable(newFile(), async () => {
      if (fails) throw new Error("the disk is gone");
    });
    await insert(database, [1], true);
    fails = true;
    for (const isAside of [true, false]) {
      const refused = await insert(database, [isAside ? 2 : 3], isAside).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StoreUnavailable);
      expect((refused as StoreUnavailable).outcomeUnknown).toBe(isAside);
    }
    fails = false;
    await expect(insert(database, [4], false)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await database.read.all(sql`SELECT id FROM thing WHERE id <> 2`)).toEqual([{ id: 1 }]);
    await database.close();
  });

  test("resets its log only once the pages that a killed process copied are on disk", async () => {
    const file = newFile();
    const header = () => readFileSync(`${file}-wal`).subarray(0, 32).toString("hex");
    const atFlush: string[] = [];
    const database = await withTable(file, async (descriptor) => {
      if (!isLog(descriptor)) atFlush.push(header());
    });
    await insert(database, [1, 2, 3], false);
    const killed = new Connection(file);
    killed.run("PRAGMA synchronous = OFF");
    killed.run("PRAGMA wal_checkpoint(PASSIVE)");
    const before = header();
    expect(atFlush).toEqual([]);
    await insert(database, [4], false);
    expect(atFlush).toEqual([before]);
    expect(header()).not.toBe(before);
    await insert(database, [5], true);
    expect(atFlush).toHaveLength(1);
    killed.close();
    await database.close();
  });

  test("does not flush again and again while another process reads an old state", async () => {
    const file = newFile();
    const disk = { file: 0 };
    const database = await withTable(file, async (descriptor) => {
      if (!isLog(descriptor)) disk.file++;
    });
    const other = new Connection(file);
    other.run("BEGIN");
    other.query("SELECT COUNT(*) FROM thing").get();
    for (let id = 0; id < 3_000; id += 10)
      await insert(
        database,
        [...Array(10).keys()].map((one) => id + one),
        true,
      );
    expect(disk.file).toBeGreaterThan(0);
    expect(disk.file).toBeLessThan(12);
    other.run("COMMIT");
    for (let id = 3_000; id < 6_000; id += 10)
      await insert(
        database,
        [...Array(10).keys()].map((one) => id + one),
        true,
      );
    other.run("BEGIN");
    const [[, log, home] = []] = other.query<number[], []>("PRAGMA wal_checkpoint(NOOP)").values();
    expect(Number(log) - Number(home)).toBeLessThan(2_200);
    other.close();
    await database.close();
  });
});
