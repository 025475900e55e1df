import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { appendItems, forgetItems, readItems } from "./feed-items.ts";
import { BOOKS } from "./schema.ts";

test("old items are deleted in batches from the start of their own feed only", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-feed-items-"));
  const database = await openDatabase({ file: join(folder, "tracker.sqlite") });
  await migrate(database, 1, BOOKS);
  const rows = [1, 2, 3, 30, 4, 31].map((atMs, at) => ({
    eventId: `${at}`,
    chainId: 1,
    height: at,
    blockHash: "a",
    atMs,
    item: atMs,
  }));
  await database.write((tx) => appendItems(tx, "app", rows));
  await database.write((tx) =>
    appendItems(tx, "chain", [{ ...rows[0], eventId: "another" } as (typeof rows)[0]]),
  );
  const forget = () => database.write((tx) => forgetItems(tx, "app", 10, 2));
  expect([await forget(), await forget(), await forget()]).toEqual([2, 1, 1]);
  expect(await forget()).toBe(0);
  const left = await readItems<number>(database.read, "app", 0, 10);
  expect(left.items.map(({ item }) => item)).toEqual([30, 31]);
  expect([left.oldest, left.newest]).toEqual([4, 6]);
  expect((await readItems(database.read, "chain", 0, 10)).items).toHaveLength(1);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
