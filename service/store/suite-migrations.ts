// The store's own migrations: none forgotten, each applied once.
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { makeMonths } from "../../database/partitions.ts";
import { sql } from "../../database/sql.ts";
import { appEvent, chainTrade, MIDNIGHT, position } from "../../test/support/nouns.ts";
import { readPage } from "./captured/log-page.ts";
import { LOG_EVENT } from "./captured/months.ts";
import { findPosition } from "./captured/positions.ts";
import { migrateStore, migrations } from "./migrations.ts";
import type { Bench } from "./suite-support.ts";

export function migrationsSuite(bench: Bench): void {
  describe("the store's migrations", () => {
    test("are all in the index, in order, each named after its file", () => {
      const files = ["captured", "money"].flatMap((room) =>
        readdirSync(new URL(`./${room}/migrations/`, import.meta.url)),
      );
      expect(migrations.map((migration) => `${migration.id}.ts`)).toEqual(files.sort());
    });

    test("bring a store of the first version up to date: its rows are found and read as before", async () => {
      const db = await openDatabase(await bench.location());
      const schema = { record: "schema_migration", migrations: migrations.filter(({ id }) => id < "007") };
      await migrate(db, MIDNIGHT, schema);
      const [shown, told] = [appEvent({ userId: "owl" }), chainTrade({ userId: "owl" })];
      const old = position({ userId: "owl" });
      await db.write(async (tx) => {
        await makeMonths(tx, LOG_EVENT, [MIDNIGHT]);
        for (const [n, event] of [shown, told].entries())
          await tx.run(
            sql`INSERT INTO log_event (seq, event_id, feed, kind, at, captured_at, actor, body) VALUES (${n + 1},
              ${event.eventId}, ${event.feed}, ${event.kind}, ${event.at}, ${MIDNIGHT}, 'owl', ${JSON.stringify(event)})`,
          );
        await tx.run(
          sql`INSERT INTO position (trade_id, user_id, network_id, token_key, status, held_amount, value_usd, pnl_usd,
              last_activity_at, captured_at, body)
            VALUES (${old.tradeId}, 'owl', 1, 't', 'open', 1, 1, 1, 1, 1, ${JSON.stringify(old)})`,
        );
      });
      await migrateStore(db, MIDNIGHT);
      const page = await readPage(db.read, { limit: 9, userId: "owl" });
      expect(page.events).toEqual([{ ...shown, seq: 1, capturedAt: MIDNIGHT }]);
      expect(await findPosition(db.read, old.tradeId)).toEqual(old);
      await db.close();
    });

    test("run once, and again change nothing", async () => {
      const db = await openDatabase(await bench.location());
      expect(await migrateStore(db, MIDNIGHT)).toEqual(migrations.map((migration) => migration.id));
      expect(await migrateStore(db, MIDNIGHT)).toEqual([]);
      await db.close();
    });
  });
}
