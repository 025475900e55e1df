import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copySqlite } from "./copy-sqlite.ts";

test("a copy contains every committed row, including those still in the write-ahead log", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-copy-"));
  const [file, target] = [join(folder, "a.sqlite"), join(folder, "b.sqlite")];
  const source = new Database(file);
  source.run("PRAGMA journal_mode = WAL");
  source.run("CREATE TABLE thing (x INTEGER)");
  source.run("INSERT INTO thing VALUES (1), (2)");
  await copySqlite(file, target);
  source.close();
  const copy = new Database(target);
  expect(copy.query("SELECT x FROM thing ORDER BY x").all()).toEqual([{ x: 1 }, { x: 2 }]);
  copy.close();
  rmSync(folder, { recursive: true, force: true });
});
