// The store's own migrations: none forgotten, each applied once.
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { openDatabase } from "../../database/open.ts";
import { MIDNIGHT } from "../../test/support/nouns.ts";
import { migrateStore, migrations } from "./migrations.ts";
import type { StoreBench } from "./suite-support.ts";

export function migrationsSuite(bench: StoreBench): void {
  describe("the store's migrations", () => {
    test("are all in the index, in order, each named after its file", () => {
      const files = ["captured", "money"].flatMap((room) =>
        readdirSync(new URL(`./${room}/migrations/`, import.meta.url)),
      );
      expect(migrations.map((migration) => `${migration.id}.ts`)).toEqual(files.sort());
    });

    test("run once, and again change nothing", async () => {
      const database = await openDatabase(await bench.location());
      expect(await migrateStore(database, MIDNIGHT)).toEqual(migrations.map((migration) => migration.id));
      expect(await migrateStore(database, MIDNIGHT)).toEqual([]);
      await database.close();
    });
  });
}
