import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { nextTurn } from "../kit/turn.ts";
import { StoreUnavailable } from "./errors.ts";
import { openDatabase } from "./open.ts";
import { sql } from "./sql.ts";
import { databaseSuite } from "./suite.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-sqlite-"));
let files = 0;
const location = async () => {
  files += 1;
  return { file: join(folder, `database-${files}`, "crowdtape.sqlite") };
};

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("SQLite", () => {
  databaseSuite({ location });

  test("uses the write-ahead log and keeps its file to itself", async () => {
    const at = await location();
    const database = await openDatabase(at);
    const mode = await database.write((tx) => tx.one<object>({ text: "PRAGMA journal_mode", values: [] }));
    expect(mode).toEqual({ journal_mode: "wal" });
    expect(statSync(at.file).mode & 0o077).toBe(0);
    await database.close();
  });

  test("waits for another process's write without holding up this one", async () => {
    const at = await location();
    const database = await openDatabase(at);
    const other = new SQL({ adapter: "sqlite", filename: at.file });
    await other.unsafe("BEGIN IMMEDIATE");
    let written = false;
    const writing = database
      .write((tx) => tx.run(sql`CREATE TABLE thing (id BIGINT)`))
      .then(() => {
        written = true;
      });
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(written).toBe(false);
    await other.unsafe("COMMIT");
    await writing;
    await other.close();
    await database.close();
  });

  test("reports the store as unavailable when the file can't be opened", async () => {
    const opening = openDatabase({ file: join("/dev/null", "crowdtape.sqlite") });
    await expect(opening).rejects.toBeInstanceOf(StoreUnavailable);
  });
});
