// How the store's suite opens stores, and how it inspects the plans of their statements.

import { expect } from "bun:test";
import type { Database, Queries } from "../../database/database.ts";
import type { DatabaseLocation } from "../../database/open.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { type ManualClock, manualClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { MIDNIGHT } from "../../test/support/nouns.ts";
import type { Lease } from "./captured/lease.ts";
import { openStore, type Store } from "./store.ts";

export interface StoreBench {
  /** An empty database of its own. */
  location(): Promise<DatabaseLocation>;
  /** One that was already opened at midnight, where opening takes long. */
  openedLocation?(): Promise<DatabaseLocation>;
}

export interface SuiteStore extends Store {
  location: DatabaseLocation;
  clock: ManualClock;
  lease: Lease;
}

export const silent = createLog("silent", () => 0);
const LEASE_MS = 60_000;

/** A store that holds the writer's lease. */
export async function openTestStore(bench: StoreBench): Promise<SuiteStore> {
  const location = await (bench.openedLocation ?? bench.location)();
  const clock = manualClock(MIDNIGHT);
  const store = await openStore({ location, clock, log: silent });
  const lease = await store.leases.acquire("writer", "test", LEASE_MS);
  if (!lease) throw new Error("a new database has no other writer");
  return { ...store, location, clock, lease };
}

/** Runs a test's body on a fresh store. */
export function withStore(
  bench: StoreBench,
  body: (store: SuiteStore) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const store = await openTestStore(bench);
    try {
      await body(store);
    } finally {
      await store.close();
    }
  };
}

/** The database, recording every read's statement. */
export function recording(database: Database): { database: Database; statements: Sql[] } {
  const statements: Sql[] = [];
  const read: Queries = {
    dialect: database.dialect,
    all: (statement) => database.read.all(note(statement)),
    one: (statement) => database.read.one(note(statement)),
    run: (statement) => database.read.run(note(statement)),
  };
  const note = (statement: Sql) => {
    statements.push(statement);
    return statement;
  };
  return { database: { ...database, read }, statements };
}

/** The plan as text. */
async function planOf(database: Database, statement: Sql): Promise<string> {
  if (database.dialect === "sqlite") {
    const rows = await database.read.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${statement}`);
    return rows.map((row) => row.detail).join("\n");
  }
  const rows = await database.read.all<Record<string, string>>(sql`EXPLAIN ${statement}`);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

/**
 * A page must cost the same at any table size: no scan, no sort, and the index that its filter calls for. PostgreSQL's
 * choice of index depends on how full its tables are, so that part is checked on SQLite only.
 */
export async function expectBounded(database: Database, statement: Sql, index: string): Promise<void> {
  const plan = await planOf(database, statement);
  expect(plan).not.toMatch(UNBOUNDED_PLAN);
  if (database.dialect !== "sqlite") return;
  expect(plan).toContain(index);
  // A bound on position must end the index range, not be checked row by row.
  for (const bound of ["<", ">"]) {
    if (statement.text.includes(`seq ${bound}`)) expect(plan).toMatch(new RegExp(`(seq|rowid)${bound}\\?`));
  }
}

// A merge of sorted months names its sort key; only a node that sorts is refused.
// `looked` is the result of a bounded look.
const UNBOUNDED_PLAN = /SCAN (?!.*USING|looked)|TEMP B-TREE|Seq Scan|Sort {2}\(/;
