import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import type { Queries } from "./database.ts";
import { StoreUnavailable } from "./errors.ts";
import { openDatabase } from "./open.ts";
import { sql } from "./sql.ts";
import { databaseSuite } from "./suite.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-sqlite-"));
let files = 0;
const location = async () => {
  files += 1;
  return { file: join(folder, `database-${files}`, "crowdtape.db") };
};

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("SQLite", () => {
  databaseSuite({ location });

  test("flushes every commit, uses the write-ahead log, and keeps its file to itself", async () => {
    const at = await location();
    const db = await openDatabase(at);
    const setting = (name: "synchronous" | "journal_mode") =>
      db.write((tx) => tx.one<Record<string, unknown>>({ text: `PRAGMA ${name}`, values: [] }));
    expect(await setting("synchronous")).toEqual({ synchronous: 2 });
    expect(await setting("journal_mode")).toEqual({ journal_mode: "wal" });
    expect(statSync(at.file).mode & 0o077).toBe(0);
    await db.close();
  });

  test("flushes beside other work only where asked, and is back to its own way after it", async () => {
    const db = await openDatabase(await location());
    const level = (tx: Queries) =>
      tx.one<{ synchronous: number }>({ text: "PRAGMA synchronous", values: [] });
    const [NORMAL, FULL] = [{ synchronous: 1 }, { synchronous: 2 }];
    const aside = process.platform === "linux" ? NORMAL : FULL;
    expect(await db.write(level, { flushAside: true })).toEqual(aside);
    expect(await db.write(level)).toEqual(FULL);
    const failing = db.write((tx) => tx.run(sql`INSERT INTO nowhere VALUES (1)`), { flushAside: true });
    await expect(failing).rejects.toThrow();
    expect(await db.write(level)).toEqual(FULL);
    await db.write((tx) => tx.run(sql`CREATE TABLE thing (id BIGINT)`));
    const writes = [1, 2, 3].map((id) =>
      db.write((tx) => tx.run(sql`INSERT INTO thing VALUES (${id})`), { flushAside: true }),
    );
    expect(await Promise.all(writes)).toEqual([1, 1, 1]);
    expect(await db.read.one<{ n: number }>(sql`SELECT COUNT(*) AS n FROM thing`)).toEqual({ n: 3 });
    await db.close();
  });

  test("waits for another process's write without holding up this one", async () => {
    const at = await location();
    const db = await openDatabase(at);
    const other = new SQL({ adapter: "sqlite", filename: at.file });
    await other.unsafe("BEGIN IMMEDIATE");
    let written = false;
    const writing = db
      .write((tx) => tx.run(sql`CREATE TABLE thing (id BIGINT)`))
      .then(() => {
        written = true;
      });
    for (let turn = 0; turn < 5; turn++) await Bun.sleep(5);
    expect(written).toBe(false);
    await other.unsafe("COMMIT");
    await writing;
    await other.close();
    await db.close();
  });

  test("says that the disk is at fault when the file can't be opened", async () => {
    const opening = openDatabase({ file: join("/dev/null", "crowdtape.db") });
    await expect(opening).rejects.toBeInstanceOf(StoreUnavailable);
  });
});
