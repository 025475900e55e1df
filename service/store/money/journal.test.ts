// The journal's migration from stores that kept a row a charge, usage that is the same however much of it was rolled up,
// and rows that came with a dump from another server.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Database, Queries } from "../../../database/database.ts";
import { migrate } from "../../../database/migrate.ts";
import { openDatabase } from "../../../database/open.ts";
import { makeMonthsAhead } from "../../../database/partitions.ts";
import { raw, sql } from "../../../database/sql.ts";
import { sharedPostgres } from "../../../test/support/postgres.ts";
import { migrateStore, migrations } from "../migrations.ts";
import { MONTHLY } from "../months.ts";
import { findAccount } from "./accounts.ts";
import { appendRows, type Charge, findCharges, rowsOf } from "./journal.ts";
import { imbalances } from "./ledger.ts";
import { rollUp } from "./rollup.ts";
import { forgetJournal, sumUpHours, usageOf } from "./usage.ts";

const START = Date.UTC(2026, 0, 15, 10, 30);
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const folder = mkdtempSync(join(tmpdir(), "crowdtape-journal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let opened = 0;
const open = async (dialect: "sqlite" | "postgres"): Promise<Database> =>
  openDatabase(
    dialect === "sqlite"
      ? { file: join(folder, `${++opened}.sqlite`) }
      : { url: await (await sharedPostgres()).createDatabase() },
  );
const charge = (n: number, more: Partial<Charge> = {}): Charge => ({
  ...{ requestId: `req_${n}`, accountId: `acc_${n % 3}`, keyId: `key_${n % 2}`, routeId: `route_${n % 4}` },
  ...{ credits: 10 + n, resolutions: n % 5 === 0 ? 1 : 0, at: START + n * 40 * 60_000 },
  ...more,
});

for (const dialect of ["sqlite", "postgres"] as const) {
  describe(`the journal on ${dialect}`, () => {
    test("takes over a store that kept a row a charge: balances, books, usage and each charge", async () => {
      const db = await open(dialect);
      const older = migrations.filter(({ id }) => id < "030");
      await migrate(db, START, { record: "schema_migration", migrations: older });
      // Two months of charges, of which PostgreSQL keeps tables by month.
      if (dialect === "postgres") {
        await db.write(async (tx) => {
          await tx.run(
            raw(`CREATE TABLE charge_2026_01 PARTITION OF charge FOR VALUES
            FROM (${Date.UTC(2026, 0)}) TO (${Date.UTC(2026, 1)})`),
          );
          await tx.run(
            raw(`CREATE TABLE charge_2026_02 PARTITION OF charge FOR VALUES
            FROM (${Date.UTC(2026, 1)}) TO (${Date.UTC(2026, 2)})`),
          );
        });
      }
      const charges = Array.from({ length: 1_000 }, (_, n) => charge(n, n % 7 === 0 ? { at: START } : {}));
      const used = (id: string) =>
        charges.filter(({ accountId }) => accountId === id).reduce((sum, { credits }) => sum + credits, 0);
      await db.write(async (tx) => {
        for (const id of ["acc_0", "acc_1", "acc_2"]) {
          const resolved = charges.filter((one) => one.accountId === id && one.resolutions > 0).length;
          await tx.run(
            sql`INSERT INTO account (id, email, plan, anchor_at, period_start, period_end, grace_ms, next_change_at,
                  monthly_remaining, prepaid_remaining, resolutions_remaining, created_at)
                VALUES (${id}, 'a@b.example', 'free', 0, 0, 0, 0, 9000000000000, 77, 5, 1000, 0)`,
          );
          await tx.run(
            sql`INSERT INTO ledger_entry (account_id, kind, credits, resolutions, at)
                VALUES (${id}, 'month', ${used(id) + 82}, ${resolved + 1_000}, 0)`,
          );
        }
        for (const one of charges) {
          await tx.run(
            sql`INSERT INTO charge (request_id, account_id, key_id, route_id, credits, resolutions, at)
                VALUES (${one.requestId}, ${one.accountId}, ${one.keyId}, ${one.routeId}, ${one.credits},
                  ${one.resolutions}, ${one.at})`,
          );
        }
      });
      expect(await migrateStore(db, START)).toContain("030-journal");
      expect(await imbalances(db.read)).toEqual([]);
      expect(await findAccount(db.read, "acc_1")).toMatchObject({
        monthlyRemaining: 77,
        prepaidRemaining: 5,
      });
      expect(await usageOf(db.read, "acc_1", { from: 0, to: START * 2 }, "route")).toEqual(
        summed(charges, { from: 0, to: START * 2 }, "acc_1"),
      );
      const found = await findCharges(db.read, charges.slice(0, 50));
      expect(found.map(({ requestId }) => requestId).sort()).toEqual(
        charges
          .slice(0, 50)
          .map(({ requestId }) => requestId)
          .sort(),
      );
      await db.close();
    }, 180_000);

    test("gives the same usage for any range, whatever was rolled up or summed up to days", async () => {
      const db = await open(dialect);
      await migrateStore(db, START);
      await makeMonthsAhead(db, MONTHLY, START);
      if (dialect === "sqlite") await accountsFor(db);
      const charges = Array.from({ length: 240 }, (_, n) => charge(n, { at: START + n * 7 * 60_000 }));
      for (let n = 0; n < charges.length; n += 16) {
        const batch = charges.slice(n, n + 16);
        await db.write((tx) => appendRows(tx, rowsOf(`batch-${n}`, batch, batch)));
        if (n === 96) await db.write((tx) => rollUp(tx));
      }
      const time = fc.integer({ min: START - HOUR_MS, max: START + 2 * DAY_MS });
      const same = fc.asyncProperty(time, time, async (a, b) => {
        const range = { from: Math.min(a, b), to: Math.max(a, b) + 1 };
        expect(await usageOf(db.read, "acc_1", range, "route")).toEqual(summed(charges, range, "acc_1"));
      });
      await fc.assert(same, { numRuns: 40 });
      await db.write((tx) => rollUp(tx));
      await fc.assert(same, { numRuns: 40 });
      expect(await db.write((tx) => rollUp(tx))).toEqual({ charges: 0, more: false });
      const all = await usageOf(db.read, "acc_1", { from: 0, to: START * 2 }, "day");
      await db.write((tx) => sumUpHours(tx, START + 20 * DAY_MS, 1_000));
      expect(await usageOf(db.read, "acc_1", { from: 0, to: START * 2 }, "day")).toEqual(all);
      await db.close();
    }, 180_000);

    test("gives the same usage while charges are rolled up, summed up and forgotten between any two of its reads", async () => {
      const charges = Array.from({ length: 60 }, (_, n) => charge(n, { at: START + n * 7 * 60_000 }));
      const later = START + 50 * DAY_MS;
      const whole = { from: 0, to: START * 2 };
      const part = { from: START + 10 * 60_000, to: START + 5 * HOUR_MS + 17 * 60_000 };
      for (let place = 0, reached = true; reached; place++) {
        const db = await open(dialect);
        await migrateStore(db, START);
        await makeMonthsAhead(db, MONTHLY, START);
        if (dialect === "sqlite") await accountsFor(db);
        for (const [n, rolled] of [0, 20, 40].map((first) => [first, first === 0] as const)) {
          const batch = charges.slice(n, n + 20);
          await db.write((tx) => appendRows(tx, rowsOf(`batch-${n}`, batch, batch)));
          if (rolled) await db.write((tx) => rollUp(tx));
        }
        const tidy = async () => {
          await db.write((tx) => rollUp(tx));
          await db.write((tx) => sumUpHours(tx, later, 1_000));
          await forgetJournal(db, later, 1_000);
        };
        const interrupted = interruptedAt(db.read, place, tidy);
        const [all, some] = [
          await usageOf(interrupted.queries, "acc_1", whole, "route"),
          await usageOf(interrupted.queries, "acc_1", part, "route"),
        ];
        reached = interrupted.wasReached();
        expect(all).toEqual(summed(charges, whole, "acc_1"));
        // To the minute as long as there is a journal, then by whole days.
        const exactly = summed(charges, part, "acc_1");
        await tidy();
        const byDays = await usageOf(db.read, "acc_1", part, "route");
        expect(byDays).toEqual(summed(charges, whole, "acc_1"));
        // PostgreSQL rolls up what no running transaction could still precede, so a tidying may end between the two.
        const begunByDays = summed(charges, { ...part, from: whole.from }, "acc_1");
        const isLate = dialect === "postgres";
        expect([exactly, byDays, ...(isLate ? [begunByDays] : [])]).toContainEqual(some);
        if (!reached) expect(some).toEqual(exactly);
        await db.close();
      }
    }, 120_000);
  });
}

test("rows that came with a dump from a server with higher numbers are rolled up once, and so is what follows", async () => {
  const db = await open("postgres");
  await migrateStore(db, START);
  await makeMonthsAhead(db, MONTHLY, START);
  const [old, late, fresh] = [charge(0), charge(3), charge(6)];
  await db.write(async (tx) => {
    for (const [index, one] of [old, late].entries())
      await appendRows(tx, rowsOf(`before-${index}`, [one], [one]));
    // As a server far ahead left them: the first rolled up, the second not.
    await tx.run(raw("UPDATE journal SET position = 9000000000 WHERE batch_id = 'before-0'"));
    await tx.run(raw("UPDATE journal SET position = 9000000005 WHERE batch_id = 'before-1'"));
    await tx.run(raw("UPDATE ledger_state SET rolled_below = 9000000001"));
    await tx.run(
      sql`INSERT INTO usage_hour (hour, account_id, key_id, route_id, calls, credits, resolutions, last_at)
          VALUES (${START - (START % HOUR_MS)}, 'acc_0', ${old.keyId}, ${old.routeId}, 1, ${old.credits}, 1, ${old.at})`,
    );
  });
  await migrateStore(db, START);
  await db.write((tx) => appendRows(tx, rowsOf("after", [fresh], [fresh])));
  const range = { from: 0, to: START * 2 };
  const wanted = summed([old, late, fresh], range, "acc_0");
  expect(await usageOf(db.read, "acc_0", range, "route")).toEqual(wanted);
  expect((await db.write((tx) => rollUp(tx))).charges).toBe(2);
  expect(await usageOf(db.read, "acc_0", range, "route")).toEqual(wanted);
  await db.close();
}, 180_000);

/** The same reads, with something done before the one at this place. */
function interruptedAt(read: Queries, place: number, interruption: () => Promise<void>) {
  let reads = 0;
  const before = async () => {
    if (reads++ === place) await interruption();
  };
  const queries: Queries = {
    dialect: read.dialect,
    all: async (statement) => before().then(() => read.all(statement)),
    one: async (statement) => before().then(() => read.one(statement)),
    run: (statement) => read.run(statement),
  };
  return { queries, wasReached: () => reads > place };
}

/** On SQLite the rollup takes charges off balances, so there must be some. */
async function accountsFor(db: Database): Promise<void> {
  await db.write(async (tx) => {
    for (const id of ["acc_0", "acc_1", "acc_2"]) {
      await tx.run(
        sql`INSERT INTO account (id, email, plan, anchor_at, period_start, period_end, grace_ms, created_at)
            VALUES (${id}, 'a@b.example', 'free', 0, 0, 0, 0, 0)`,
      );
      await tx.run(
        sql`INSERT INTO balance (account_id, next_change_at, monthly_remaining, prepaid_remaining,
              resolutions_remaining, version) VALUES (${id}, 9000000000000, 100, 9000000, 1000, 0)`,
      );
    }
  });
}

function summed(charges: readonly Charge[], range: { from: number; to: number }, accountId: string) {
  const own = charges.filter(
    (one) => one.accountId === accountId && one.at >= range.from && one.at < range.to,
  );
  const groups = Object.entries(Object.groupBy(own, ({ routeId }) => routeId)).map(([group, rows = []]) => ({
    group,
    calls: rows.length,
    credits: rows.reduce((sum, { credits }) => sum + credits, 0),
    resolutions: rows.reduce((sum, { resolutions }) => sum + resolutions, 0),
  }));
  return groups.sort((a, b) => (a.group < b.group ? -1 : 1));
}
