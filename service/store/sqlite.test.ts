import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "../../database/sql.ts";
import { appEvent, MIDNIGHT } from "../../test/support/nouns.ts";
import { readsOf, recordReads } from "../../test/support/store-reads.ts";
import { fillRows, rowsOf } from "../../test/support/store-rows.ts";
import { storeSuite } from "./suite.ts";
import { openTestStore } from "./suite-support.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-sqlite-"));
let files = 0;
const location = async () => {
  files += 1;
  return { file: join(folder, `store-${files}`, "crowdtape.sqlite") };
};

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the store on SQLite", () => {
  storeSuite({ location });

  test("prunes the log in steps as small as requested", async () => {
    const store = await openTestStore({ location });
    const events = Array.from({ length: 10 }, () => appEvent());
    await store.log.append(store.lease, { events, capturedAt: MIDNIGHT });
    await store.log.append(store.lease, { events: [appEvent()], capturedAt: MIDNIGHT + 100 });
    expect(await store.log.prune(MIDNIGHT + 1, 4)).toBe(4);
    expect(await store.log.oldest()).toEqual({ seq: 5, capturedAt: MIDNIGHT, isFirst: false });
    expect(await store.log.prune(MIDNIGHT + 1, 40)).toBe(6);
    expect(await store.log.prune(MIDNIGHT + 1, 40)).toBe(0);
    expect(await store.log.prune(MIDNIGHT + 101, 40)).toBe(1);
    expect(await store.log.oldest()).toEqual({ seq: 12, capturedAt: null, isFirst: false });
    const next = await store.log.append(store.lease, { events: [appEvent()], capturedAt: MIDNIGHT });
    expect(next.map((event) => event.seq)).toEqual([12]);
    await store.close();
  });

  test("with the statistics of a full store, reads sort only one token's or account's rows", async () => {
    const store = await openTestStore({ location });
    const rows = rowsOf(4_000);
    await fillRows(store, rows, { bodies: "short" });
    const { database, statements } = recordReads(store.database);
    const sorting = new Set<string>();
    for (const [name, read] of Object.entries(await readsOf(database, rows))) {
      statements.length = 0;
      await read();
      for (const statement of statements) {
        const plan = await store.database.read.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${statement}`);
        if (plan.some(({ detail }) => detail.includes("TEMP B-TREE"))) sorting.add(name);
      }
    }
    expect([...sorting].sort()).toEqual([
      "holder count",
      "holders",
      "token's theses captured",
      "usage of an account",
    ]);
    await store.close();
  }, 900_000);
});
