// History from a read replica. A read goes there only while the replica is known to have everything committed up to a
// few seconds ago, everything this node wrote through the same view, and, if a read names a mark, everything up to it. In
// any other case, and whenever the replica fails, the primary answers, so a reader never sees an error or a gap for it.

import type { Kit } from "../kit/kit.ts";
import { createLoop } from "../kit/loop.ts";
import { type Database, type Queries, queriesOver } from "./database.ts";
import { openPostgres, type PostgresLimits } from "./postgres.ts";
import { raw, type Sql, sql } from "./sql.ts";

export interface Replica {
  /** The primary, whose reads may come from the replica. Writes of one view hold back reads of that view only. */
  historyOf(primary: Database): Database;
  /** Where everything up to this mark can be read. */
  upTo(mark: number, primary: Queries): Queries;
  state(): "used" | "behind" | "away";
  close(): Promise<void>;
}

export interface ReplicaLimits {
  /** How old the replica's data may be; pages and boards are seconds old anyway. */
  behindAtMostMs: number;
  /** How often its progress is checked, and so how soon a recovered replica is used again. */
  checkEveryMs: number;
}

const LIMITS: ReplicaLimits = { behindAtMostMs: 5_000, checkEveryMs: 1_000 };
// The primary must still be able to answer within the caller's deadline after the replica did not.
const WAITS: PostgresLimits = { statementMs: 2_000, silenceMs: 2_500, transactionMs: 5_000 };

export interface ReplicaParts extends Pick<Kit, "clock" | "log"> {
  url: string;
  primary: Database;
  /** One row with a number `mark` that only grows, committed together with what it counts. */
  mark: Sql;
  limits?: Partial<ReplicaLimits>;
}

export async function openReplica(parts: ReplicaParts): Promise<Replica> {
  const { url, primary, clock, log, mark } = parts;
  const { behindAtMostMs, checkEveryMs } = { ...LIMITS, ...parts.limits };
  const replica = await openPostgres(url, WAITS);
  let state: ReturnType<Replica["state"]> = "behind";
  /** Everything committed by this time is there. */
  let completeTo = Number.NEGATIVE_INFINITY;
  /** So is everything up to this mark. */
  let reachedMark = 0;

  const become = (next: typeof state, error?: unknown) => {
    if (state === next) return;
    state = next;
    if (next === "used") log.info("history is read from the replica");
    else log.warn("history is read from the primary: the replica is not used", { state, error });
  };
  const check = async () => {
    const askedAt = clock.now();
    const reached = await primary.read.one<{ lsn: string }>(
      raw("SELECT CAST(pg_current_wal_flush_lsn() AS TEXT) AS lsn"),
    );
    const row = await replica.read.one<{ is_replica: boolean; reached: boolean | null; mark: number | null }>(
      sql`SELECT pg_is_in_recovery() AS is_replica,
          pg_last_wal_replay_lsn() >= CAST(CAST(${reached?.lsn ?? null} AS TEXT) AS PG_LSN) AS reached,
          (${mark}) AS mark`,
    );
    if (!row?.is_replica) throw new Error("The replica's URL names a server that follows no other.");
    if (row.reached) completeTo = askedAt;
    reachedMark = Math.max(reachedMark, row.mark ?? 0);
    become(clock.now() - completeTo <= behindAtMostMs ? "used" : "behind");
  };
  const watch = createLoop({
    failure: (error) => become("away", error),
    everyMs: checkEveryMs,
    clock,
    log,
    round: check,
  });
  const isFresh = () => state === "used" && clock.now() - completeTo <= behindAtMostMs;

  /** From the replica while `may` says so; from the primary otherwise and when the replica fails. */
  const routed = (may: () => boolean, from: () => Queries): Queries =>
    queriesOver("postgres", async (statement) => {
      if (may()) {
        try {
          const rows = await replica.read.all<unknown>(statement);
          return { rows, count: rows.length };
        } catch (error) {
          // Also what a replica does to a read that conflicts with a dropped month.
          become("away", error);
        }
      }
      const rows = await from().all<unknown>(statement);
      return { rows, count: rows.length };
    });

  // Not awaited: until the first check the primary answers.
  watch.start();

  return {
    historyOf(of) {
      let wroteAt = Number.NEGATIVE_INFINITY;
      return {
        ...of,
        read: routed(
          () => isFresh() && wroteAt < completeTo,
          () => of.read,
        ),
        async write(work, options) {
          try {
            return await of.write(work, options);
          } finally {
            wroteAt = clock.now();
          }
        },
      };
    },
    upTo: (wanted, from) =>
      routed(
        () => isFresh() && wanted <= reachedMark,
        () => from,
      ),
    state: () => (state === "used" && !isFresh() ? "behind" : state),
    async close() {
      await watch.stop();
      await replica.close();
    },
  };
}
