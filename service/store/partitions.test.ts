// Months on PostgreSQL: created ahead and on demand, by any number of nodes at once, and dropped whole without harm to
// concurrent readers and writers.

import { expect, test } from "bun:test";
import { SQL } from "bun";
import { dropMonth, makeMonths, monthsOf } from "../../database/partitions.ts";
import { raw, sql } from "../../database/sql.ts";
import { DAY_MS } from "../../kit/units.ts";
import { needing } from "../../test/support/needing.ts";
import { appEvent, fill, MIDNIGHT } from "../../test/support/nouns.ts";
import { sharedPostgres } from "../../test/support/postgres.ts";
import { rollUpAll } from "../../test/support/rolled-up.ts";
import { LOG_EVENT } from "./captured/months.ts";
import { appendRows, rowsOf } from "./money/journal.ts";
import { forgetJournal, sumUpHours, usageOf } from "./money/usage.ts";
import { openStore, type Store } from "./store.ts";
import { openTestStore, type SuiteStore, silent } from "./suite-support.ts";

const FEBRUARY = MIDNIGHT + 31 * DAY_MS;
const MARCH = FEBRUARY + 28 * DAY_MS;

const location = async () => ({ url: await (await sharedPostgres()).createDatabase() });
const months = async ({ database }: Pick<Store, "database">, table: string) => {
  const rows = await database.read.all<{ name: string }>(
    sql`SELECT part.relname AS name FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
        WHERE inhparent = CAST(CAST(${table} AS TEXT) AS REGCLASS) ORDER BY 1`,
  );
  return rows.map((row) => row.name.slice(table.length + 1));
};
const withStores = (count: number, body: (...stores: SuiteStore[]) => Promise<void>) => async () => {
  const first = await openTestStore({ location });
  const others: SuiteStore[] = [];
  for (let n = 1; n < count; n++) {
    const { clock, lease, location: at } = first;
    const store = await openStore({ location: at, clock, log: silent });
    others.push({ ...store, location: at, clock, lease });
  }
  try {
    await body(first, ...others);
  } finally {
    for (const store of [first, ...others]) await store.close();
  }
};

needing("postgres").describe("months", () => {
  test(
    "are created ahead when a store is opened and whenever it is prepared",
    withStores(1, async (store) => {
      const ahead = ["2026_01", "2026_02", "2026_03", "future", "past"];
      for (const table of ["log_event", "fill", "journal"]) expect(await months(store, table)).toEqual(ahead);
      await store.clock.advance(40 * DAY_MS);
      await store.prepare();
      await store.prepare();
      for (const table of ["log_event", "fill", "journal"])
        expect(await months(store, table)).toEqual([...ahead.slice(0, 3), "2026_04", "future", "past"]);
    }),
  );

  test(
    "that are missing are created by the first writer that needs them, many at once, each with its unique indexes",
    withStores(3, async (...stores) => {
      const at = [1, 2, 3, 4].map((n) => MARCH + n * 200 * DAY_MS);
      const writes = stores.flatMap((store, n) =>
        at.map((time, m) =>
          store.fills.save([
            fill({ swapId: `${n}-${m}`, at: time }),
            fill({ swapId: `same-${m}`, at: time }),
          ]),
        ),
      );
      const saved = await Promise.all(writes);
      expect(saved.flat()).toHaveLength(stores.length * at.length + at.length);
      const [store] = stores as [SuiteStore];
      expect((await months(store, "fill")).filter((name) => name.startsWith("20"))).toHaveLength(
        3 + at.length,
      );
      const duplicate = store.database.write((tx) =>
        tx.run(raw("INSERT INTO fill SELECT * FROM fill WHERE swap_id = 'same-0'")),
      );
      await expect(duplicate).rejects.toThrow("unique key exists");
    }),
  );

  test(
    "are dropped once by two nodes at once, while the log is written and read",
    withStores(2, async (store, other) => {
      for (const capturedAt of [MIDNIGHT, MIDNIGHT + DAY_MS, FEBRUARY]) {
        await store.log.append(store.lease, { events: [appEvent(), appEvent()], capturedAt });
      }
      let dropping = true;
      const writing = (async () => {
        while (dropping) await store.log.append(store.lease, { events: [appEvent()], capturedAt: FEBRUARY });
      })();
      const reading = (async () => {
        while (dropping) {
          const page = await other.log.page({ limit: 10 });
          const seqs = page.events.map((event) => event.seq);
          expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
        }
      })();
      const pruned = await Promise.all([store.log.prune(FEBRUARY, 1), other.log.prune(FEBRUARY, 1)]);
      dropping = false;
      await Promise.all([writing, reading]);
      expect(pruned.filter((rows) => rows > 0)).toHaveLength(1);
      expect(await months(store, "log_event")).toEqual(["2026_02", "2026_03", "future", "past"]);
      expect((await store.log.oldest()).seq).toBe(5);
    }),
  );

  test(
    "are left for later while they are read, and no reader or writer waits long",
    withStores(1, async (store) => {
      await store.log.append(store.lease, { events: [appEvent()], capturedAt: MIDNIGHT });
      const reader = new SQL((store.location as { url: string }).url, { max: 1 });
      const connection = await reader.reserve();
      await connection.unsafe("BEGIN; SELECT * FROM log_event");
      const dropping = store.log.prune(MARCH, 1);
      await store.log.append(store.lease, { events: [appEvent()], capturedAt: MARCH });
      expect((await store.log.page({ limit: 9 })).events).toHaveLength(2);
      await connection.unsafe("COMMIT");
      // If the reader took too long, the drop was left for later.
      expect((await dropping) || (await store.log.prune(MARCH, 1))).toBeGreaterThan(0);
      connection.release();
      await reader.close();
      expect((await store.log.page({ limit: 9 })).events).toHaveLength(1);
    }),
  );

  test(
    "of the journal are dropped once rolled up, and usage is the same at every moment, on two nodes at once",
    withStores(2, async (store, other) => {
      const at = [MIDNIGHT, MIDNIGHT + 5, MIDNIGHT + 3 * DAY_MS, FEBRUARY];
      const charges = at.map((time, n) => ({
        requestId: `r${n}`,
        accountId: "a",
        keyId: "k",
        routeId: "r",
        credits: 10 + n,
        resolutions: 0,
        at: time,
      }));
      await store.database.write((tx) => appendRows(tx, rowsOf("batch", charges, charges)));
      const usage = () => usageOf(other.database.read, "a", { from: 0, to: MARCH }, "day");
      const before = await usage();
      expect(before.map((row) => row.calls)).toEqual([2, 1, 1]);
      // A month that was not rolled up stays.
      expect(await forgetJournal(store.database, FEBRUARY, 100)).toBe(0);
      const going = Promise.all(
        [store, other].map(async ({ database }) => {
          await rollUpAll(database);
          await database.write((tx) => sumUpHours(tx, FEBRUARY, 1));
          return forgetJournal(database, FEBRUARY, 100);
        }),
      );
      let done = false;
      const over = going.finally(() => {
        done = true;
      });
      const seen = [before];
      while (!done) seen.push(await usage());
      await over;
      for (const each of seen) expect(each).toEqual(before);
      await rollUpAll(store.database);
      await forgetJournal(store.database, FEBRUARY, 100);
      expect(await months(store, "journal")).toEqual(["2026_02", "2026_03", "future", "past"]);
      expect(await usage()).toEqual(before);
      expect(await forgetJournal(store.database, FEBRUARY, 100)).toBe(0);
    }),
  );

  test(
    "whose final step fails stay as they were",
    withStores(1, async (store) => {
      await store.log.append(store.lease, { events: [appEvent()], capturedAt: MIDNIGHT });
      const failing = dropMonth(store.database, LOG_EVENT, MARCH, () => Promise.reject(new Error("no")));
      await expect(failing).rejects.toThrow("no");
      expect((await store.log.page({ limit: 9 })).events).toHaveLength(1);
      await store.database.write((tx) => makeMonths(tx, LOG_EVENT, [MIDNIGHT]));
      await monthsOf(store.database, LOG_EVENT).ensure([MIDNIGHT, MARCH + 400 * DAY_MS]);
      expect(await months(store, "log_event")).toContain("2027_04");
    }),
  );
});
