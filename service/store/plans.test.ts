// Every read of the store, on a PostgreSQL with rows in it: uses indexes, without scanning or sorting rows it does not
// return. `bench/plans.ts` shows the same at any size.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Sql } from "../../database/sql.ts";
import { systemClock } from "../../kit/clock.ts";
import { needing } from "../../test/support/needing.ts";
import { explain } from "../../test/support/plans.ts";
import { sharedPostgres } from "../../test/support/postgres.ts";
import { type Reads, readsOf, recordReads } from "../../test/support/store-reads.ts";
import { fillRows, rowsOf } from "../../test/support/store-rows.ts";
import { openStore, type Store } from "./store.ts";
import { silent } from "./suite-support.ts";

const ROWS = rowsOf(16_000);
/** More than any read touches, and less than a month of any table has. */
const TOUCHED_MAX = 2_600;
/** One trader's or token's rows are sorted where no index can help: by a sum of amounts. */
const SORTED_MAX = 200;

needing("postgres").describe("on PostgreSQL every read", () => {
  let store: Store;
  let reads: Reads;
  let statements: Sql[];
  beforeAll(async () => {
    const location = { url: await (await sharedPostgres()).createDatabase() };
    store = await openStore({ location, clock: systemClock(), log: silent });
    await fillRows(store, ROWS, { bodies: "short" });
    const recorded = recordReads(store.database);
    statements = recorded.statements;
    reads = await readsOf(recorded.database, ROWS);
  }, 900_000);
  afterAll(() => store.close());

  for (const mode of ["any", "these"] as const) {
    test(`is bounded, with a plan for ${mode === "any" ? "any values" : "the values at hand"}`, async () => {
      for (const [name, read] of Object.entries(reads)) {
        statements.length = 0;
        await read();
        expect(statements.length).toBeGreaterThan(0);
        for (const statement of new Map(statements.map((one) => [one.text, one])).values()) {
          const plan = await explain(store.database, statement, mode);
          const isBounded = plan.touched <= TOUCHED_MAX && plan.sorted <= SORTED_MAX;
          expect({ name, scanned: plan.scanned, unbounded: isBounded ? null : plan }).toEqual({
            name,
            scanned: [],
            unbounded: null,
          });
        }
      }
    }, 900_000);
  }
});
