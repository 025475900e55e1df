// Leases: at most one holder of a name at a time. Each new holder gets a higher term, and a write with an older term is
// refused inside its own transaction, so a stale holder that wakes up can't write.

import type { Database, Queries } from "../../../database/database.ts";
import { raw, sql } from "../../../database/sql.ts";
import type { Clock } from "../../../kit/clock.ts";
import { bind, type Repository, type RepositoryHandle } from "../repository.ts";

/** The writer's lease has passed to another holder; the writer that sees this must stop. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
  constructor(readonly lease: string) {
    super(`The lease "${lease}" is held by another.`);
  }
}

export interface Lease {
  name: string;
  holder: string;
  term: number;
  expiresAt: number;
}

interface LeaseRow {
  name: string;
  holder: string;
  term: number;
  expires_at: number;
}

/** The lease, or null while another holds it. A holder that acquires it again gets a new term immediately. */
async function acquireLease(
  tx: Queries,
  now: number,
  name: string,
  holder: string,
  lengthMs: number,
): Promise<Lease | null> {
  const row = await tx.one<LeaseRow>(
    sql`INSERT INTO lease (name, holder, term, expires_at) VALUES (${name}, ${holder}, 1, ${now + lengthMs})
      ON CONFLICT (name) DO UPDATE SET
        holder = excluded.holder, term = lease.term + 1, expires_at = excluded.expires_at
      WHERE lease.holder = excluded.holder OR lease.expires_at <= ${now}
      RETURNING name, holder, term, expires_at`,
  );
  return row && leaseOf(row);
}

/** The lease with its new expiry, or null when it is lost. */
async function renewLease(tx: Queries, now: number, lease: Lease, lengthMs: number): Promise<Lease | null> {
  const row = await tx.one<LeaseRow>(
    sql`UPDATE lease SET expires_at = ${now + lengthMs}
      WHERE name = ${lease.name} AND holder = ${lease.holder} AND term = ${lease.term}
      RETURNING name, holder, term, expires_at`,
  );
  return row && leaseOf(row);
}

async function releaseLease(tx: Queries, lease: Lease): Promise<void> {
  await tx.run(
    sql`UPDATE lease SET expires_at = 0
      WHERE name = ${lease.name} AND holder = ${lease.holder} AND term = ${lease.term}`,
  );
}

async function currentLease(queries: Queries, name: string): Promise<Lease | null> {
  const row = await queries.one<LeaseRow>(
    sql`SELECT name, holder, term, expires_at FROM lease WHERE name = ${name}`,
  );
  return row && leaseOf(row);
}

const leases = {
  reads: { current: currentLease },
  writes: { release: releaseLease },
} satisfies Repository;

export interface LeaseStore extends RepositoryHandle<typeof leases> {
  acquire(name: string, holder: string, lengthMs: number): Promise<Lease | null>;
  renew(lease: Lease, lengthMs: number): Promise<Lease | null>;
}

/** The time is read inside the transaction: one that had to wait must not write an outdated expiry. */
export function leasesOf(database: Database, clock: Clock): LeaseStore {
  return {
    ...bind(database, leases),
    acquire: (...rest) => database.write((tx) => acquireLease(tx, clock.now(), ...rest)),
    renew: (...rest) => database.write((tx) => renewLease(tx, clock.now(), ...rest)),
  };
}

/** Throws LeaseLost unless this is still the newest term; the lease can't change hands until `tx` ends. */
export async function holdLease(tx: Queries, lease: Pick<Lease, "name" | "term">): Promise<void> {
  const lock = raw(tx.dialect === "postgres" ? "FOR SHARE" : "");
  const row = await tx.one<{ term: number }>(sql`SELECT term FROM lease WHERE name = ${lease.name} ${lock}`);
  if (row?.term !== lease.term) throw new LeaseLost(lease.name);
}

function leaseOf(row: LeaseRow): Lease {
  return { name: row.name, holder: row.holder, term: row.term, expiresAt: row.expires_at };
}
