// Leases: at most one holder of a name at a time. Each new holder gets a higher term, and a write that names an
// older term is refused inside its own transaction, so a holder that was only asleep can not write after all.

import type { Database, Queries } from "../../../database/database.ts";
import { LeaseLost } from "../../../database/errors.ts";
import { raw, sql } from "../../../database/sql.ts";
import type { Clock } from "../../../kit/clock.ts";

export interface Lease {
  name: string;
  holder: string;
  term: number;
  expiresAt: number;
}

export interface LeaseStore {
  /** The lease, or null while another holds it. A holder that asks again gets a new term at once. */
  acquire(name: string, holder: string, lengthMs: number): Promise<Lease | null>;
  /** The lease with its new expiry, or null when it is lost. */
  renew(lease: Lease, lengthMs: number): Promise<Lease | null>;
  release(lease: Lease): Promise<void>;
  current(name: string): Promise<Lease | null>;
}

interface LeaseRow {
  name: string;
  holder: string;
  term: number;
  expires_at: number;
}

export function leaseStore(db: Database, clock: Clock): LeaseStore {
  return {
    acquire: (name, holder, lengthMs) =>
      db.write(async (tx) => {
        const now = clock.now();
        const row = await tx.one<LeaseRow>(
          sql`INSERT INTO lease (name, holder, term, expires_at) VALUES (${name}, ${holder}, 1, ${now + lengthMs})
            ON CONFLICT (name) DO UPDATE SET
              holder = excluded.holder, term = lease.term + 1, expires_at = excluded.expires_at
            WHERE lease.holder = excluded.holder OR lease.expires_at <= ${now}
            RETURNING name, holder, term, expires_at`,
        );
        return row && leaseOf(row);
      }),
    renew: (lease, lengthMs) =>
      db.write(async (tx) => {
        const row = await tx.one<LeaseRow>(
          sql`UPDATE lease SET expires_at = ${clock.now() + lengthMs}
            WHERE name = ${lease.name} AND holder = ${lease.holder} AND term = ${lease.term}
            RETURNING name, holder, term, expires_at`,
        );
        return row && leaseOf(row);
      }),
    async release(lease) {
      await db.write((tx) =>
        tx.run(
          sql`UPDATE lease SET expires_at = 0
            WHERE name = ${lease.name} AND holder = ${lease.holder} AND term = ${lease.term}`,
        ),
      );
    },
    async current(name) {
      const row = await db.read.one<LeaseRow>(
        sql`SELECT name, holder, term, expires_at FROM lease WHERE name = ${name}`,
      );
      return row && leaseOf(row);
    },
  };
}

/** Throws LeaseLost unless this is still the newest term; the lease can not change hands until `tx` ends. */
export async function holdLease(tx: Queries, lease: Pick<Lease, "name" | "term">): Promise<void> {
  const lock = raw(tx.dialect === "postgres" ? "FOR SHARE" : "");
  const row = await tx.one<{ term: number }>(sql`SELECT term FROM lease WHERE name = ${lease.name} ${lock}`);
  if (row?.term !== lease.term) throw new LeaseLost(lease.name);
}

function leaseOf(row: LeaseRow): Lease {
  return { name: row.name, holder: row.holder, term: row.term, expiresAt: row.expires_at };
}
