// Usage is the same however much of it was rolled up, and rows may be restored from another server's dump.

import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Database, Queries } from "../../../database/database.ts";
import { openDatabase } from "../../../database/open.ts";
import { makeMonthsAhead } from "../../../database/partitions.ts";
import { raw, sql } from "../../../database/sql.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/units.ts";
import { onEngine } from "../../../test/support/needing.ts";
import { sharedPostgres } from "../../../test/support/postgres.ts";
import { rollUpAll } from "../../../test/support/rolled-up.ts";
import { countTurns } from "../../../test/support/turns.ts";
import { migrateStore } from "../migrations.ts";
import { MONTHLY } from "../months.ts";
import { appendRows, type Charge, rowsOf } from "./journal.ts";
import { forgetJournal, sumUpHours, usageOf } from "./usage.ts";

const START = Date.UTC(2026, 0, 15, 10, 30);
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
  requestId: `req_${n}`,
  accountId: `acc_${n % 3}`,
  keyId: `key_${n % 2}`,
  routeId: `route_${n % 4}`,
  credits: 10 + n,
  resolutions: n % 5 === 0 ? 1 : 0,
  at: START + n * 40 * MINUTE_MS,
  ...more,
});

for (const dialect of ["sqlite", "postgres"] as const) {
  onEngine(dialect).describe(`the journal on ${dialect}`, () => {
    test("gives the same usage for any range, whatever was rolled up or summed up to days", async () => {
      const database = await open(dialect);
      await migrateStore(database, START);
      await makeMonthsAhead(database, MONTHLY, START);
      if (dialect === "sqlite") await accountsFor(database);
      const charges = Array.from({ length: 240 }, (_, n) => charge(n, { at: START + n * 7 * MINUTE_MS }));
      for (let n = 0; n < charges.length; n += 16) {
        const batch = charges.slice(n, n + 16);
        await database.write((tx) => appendRows(tx, rowsOf(`batch-${n}`, batch, batch)));
        if (n === 96) await rollUpAll(database);
      }
      const time = fc.integer({ min: START - HOUR_MS, max: START + 2 * DAY_MS });
      const same = fc.asyncProperty(time, time, async (a, b) => {
        const range = { from: Math.min(a, b), to: Math.max(a, b) + 1 };
        expect(await usageOf(database.read, "acc_1", range, "route")).toEqual(
          summed(charges, range, "acc_1"),
        );
      });
      await fc.assert(same, { numRuns: 40 });
      await rollUpAll(database);
      await fc.assert(same, { numRuns: 40 });
      expect(await rollUpAll(database)).toBe(0);
      const all = await usageOf(database.read, "acc_1", { from: 0, to: START * 2 }, "day");
      await database.write((tx) => sumUpHours(tx, START + 20 * DAY_MS, 1_000));
      expect(await usageOf(database.read, "acc_1", { from: 0, to: START * 2 }, "day")).toEqual(all);
      await database.close();
    }, 900_000);

    test("gives the same usage while charges are rolled up, summed up and forgotten between any two of its reads", async () => {
      const charges = Array.from({ length: 60 }, (_, n) => charge(n, { at: START + n * 7 * MINUTE_MS }));
      const later = START + 50 * DAY_MS;
      const whole = { from: 0, to: START * 2 };
      const part = { from: START + 10 * MINUTE_MS, to: START + 5 * HOUR_MS + 17 * MINUTE_MS };
      for (let place = 0, reached = true; reached; place++) {
        const database = await open(dialect);
        await migrateStore(database, START);
        await makeMonthsAhead(database, MONTHLY, START);
        if (dialect === "sqlite") await accountsFor(database);
        for (const [n, rolled] of [0, 20, 40].map((first) => [first, first === 0] as const)) {
          const batch = charges.slice(n, n + 20);
          await database.write((tx) => appendRows(tx, rowsOf(`batch-${n}`, batch, batch)));
          if (rolled) await rollUpAll(database);
        }
        const tidy = async () => {
          await rollUpAll(database);
          await database.write((tx) => sumUpHours(tx, later, 1_000));
          await forgetJournal(database, later, 1_000);
        };
        const interrupted = interruptedAt(database.read, place, tidy);
        const [all, some] = [
          await usageOf(interrupted.queries, "acc_1", whole, "route"),
          await usageOf(interrupted.queries, "acc_1", part, "route"),
        ];
        reached = interrupted.wasReached();
        expect(all).toEqual(summed(charges, whole, "acc_1"));
        // Exact to the minute while the journal has it, then by whole days.
        const exactly = summed(charges, part, "acc_1");
        await tidy();
        const byDays = await usageOf(database.read, "acc_1", part, "route");
        expect(byDays).toEqual(summed(charges, whole, "acc_1"));
        // PostgreSQL rolls up only what no running transaction can still precede, so `tidy` may end between the two.
        const begunByDays = summed(charges, { ...part, from: whole.from }, "acc_1");
        const isLate = dialect === "postgres";
        expect([exactly, byDays, ...(isLate ? [begunByDays] : [])]).toContainEqual(some);
        if (!reached) expect(some).toEqual(exactly);
        await database.close();
      }
    }, 900_000);

    test("reads a few rows per turn, however few of them name the account", async () => {
      const database = await open(dialect);
      await migrateStore(database, START);
      await makeMonthsAhead(database, MONTHLY, START);
      if (dialect === "sqlite") await accountsFor(database);
      // One of the account's own, then many of another account's, in one hour.
      const charges = Array.from({ length: 200 }, (_, n) =>
        charge(n, { accountId: n === 0 ? "acc_1" : "acc_2", at: START + n * SECOND_MS }),
      );
      await database.write(async (tx) => {
        for (const [n, one] of charges.entries()) await appendRows(tx, rowsOf(`batch-${n}`, [one], [one]));
      });
      const part = { from: START, to: START + 20 * MINUTE_MS };
      const looked = async () => {
        const looks = recordedLooks(database.read);
        expect(await usageOf(looks.queries, "acc_1", part, "route")).toEqual(summed(charges, part, "acc_1"));
        return looks.end();
      };
      // 200 rows, at most 16 per turn while they are fresh, and then 64.
      expect(await looked()).toBeGreaterThan(200 / 16);
      await rollUpAll(database);
      expect(await looked()).toBeGreaterThan(200 / 64);
      await database.close();
    }, 900_000);
  });
}

onEngine("postgres").test(
  "rows from a dump of a server with higher numbers are rolled up once, and so are later ones",
  async () => {
    const database = await open("postgres");
    await migrateStore(database, START);
    await makeMonthsAhead(database, MONTHLY, START);
    const [old, late, fresh] = [charge(0), charge(3), charge(6)];
    await database.write(async (tx) => {
      for (const [index, one] of [old, late].entries())
        await appendRows(tx, rowsOf(`before-${index}`, [one], [one]));
      // As if left by a server that was far ahead: the first rolled up, the second not.
      await tx.run(raw("UPDATE journal SET position = 9000000000 WHERE batch_id = 'before-0'"));
      await tx.run(raw("UPDATE journal SET position = 9000000005 WHERE batch_id = 'before-1'"));
      await tx.run(raw("UPDATE ledger_state SET rolled_below = 9000000001"));
      await tx.run(
        sql`INSERT INTO usage_hour (hour, account_id, key_id, route_id, calls, credits, resolutions, last_at)
          VALUES (${START - (START % HOUR_MS)}, 'acc_0', ${old.keyId}, ${old.routeId}, 1, ${old.credits}, 1, ${old.at})`,
      );
    });
    await migrateStore(database, START);
    await database.write((tx) => appendRows(tx, rowsOf("after", [fresh], [fresh])));
    const range = { from: 0, to: START * 2 };
    const wanted = summed([old, late, fresh], range, "acc_0");
    expect(await usageOf(database.read, "acc_0", range, "route")).toEqual(wanted);
    expect(await rollUpAll(database)).toBe(2);
    expect(await usageOf(database.read, "acc_0", range, "route")).toEqual(wanted);
    await database.close();
  },
  900_000,
);

/** The same reads, counting the turns of the event loop in which they looked at the journal. */
function recordedLooks(read: Queries) {
  const turns = countTurns();
  const looks = new Set<number>();
  const queries: Queries = {
    ...read,
    all: (statement) => {
      if (statement.text.includes("FROM journal")) looks.add(turns.now());
      return read.all(statement);
    },
  };
  const end = () => {
    turns.stop();
    return looks.size;
  };
  return { queries, end };
}

/** The same reads, with an interruption before the one at this index. */
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
async function accountsFor(database: Database): Promise<void> {
  await database.write(async (tx) => {
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
