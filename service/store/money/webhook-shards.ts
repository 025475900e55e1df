// Which node handles which webhooks. Endpoints are spread over a fixed number of shards; a shard has at most one holder,
// and each new one gets a higher term. Writes for an endpoint carry the term, so that a stale holder that wakes up can't
// write. Live nodes share the shards evenly.
import type { Queries } from "../../../database/database.ts";
import { list, raw, sql } from "../../../database/sql.ts";

/** Enough to divide evenly among a dozen nodes, few enough to renew with one statement. It can't be changed later. */
export const WEBHOOK_SHARDS = 32;

export interface HeldShard {
  shard: number;
  term: number;
  /** Counts the changes that owners made to its endpoints. */
  revision: number;
}

export interface ClaimRound {
  holder: string;
  now: number;
  leaseMs: number;
  /** Held ones to give up now. */
  giveUp: readonly number[];
}

/** Sends this node's heartbeat, renews its shards, and takes free ones up to its share. */
export async function claimShards(
  tx: Queries,
  { holder, now, leaseMs, giveUp }: ClaimRound,
): Promise<{ held: HeldShard[]; share: number }> {
  await tx.run(
    sql`INSERT INTO webhook_node (holder, expires_at) VALUES (${holder}, ${now + leaseMs})
        ON CONFLICT (holder) DO UPDATE SET expires_at = excluded.expires_at`,
  );
  await tx.run(sql`DELETE FROM webhook_node WHERE expires_at <= ${now}`);
  await releaseShards(tx, holder, giveUp);
  const held = await tx.all<HeldShard>(
    sql`UPDATE webhook_shard SET expires_at = ${now + leaseMs} WHERE holder = ${holder}
        RETURNING shard, term, revision`,
  );
  const row = await tx.one<{ nodes: number }>(sql`SELECT COUNT(*) AS nodes FROM webhook_node`);
  const share = Math.ceil(WEBHOOK_SHARDS / Math.max(1, row?.nodes ?? 1));
  if (held.length >= share) return { held, share };
  const taken = await tx.all<HeldShard>(
    sql`UPDATE webhook_shard SET holder = ${holder}, term = term + 1, expires_at = ${now + leaseMs}
        WHERE expires_at <= ${now} AND shard IN
          (SELECT shard FROM webhook_shard WHERE expires_at <= ${now} ORDER BY shard LIMIT ${share - held.length})
        RETURNING shard, term, revision`,
  );
  return { held: [...held, ...taken], share };
}

async function releaseShards(tx: Queries, holder: string, shards: readonly number[]): Promise<void> {
  if (shards.length === 0) return;
  await tx.run(
    sql`UPDATE webhook_shard SET holder = '', expires_at = 0
        WHERE holder = ${holder} AND shard IN (${list(shards)})`,
  );
}

/** For a node that stops. */
export async function leaveShards(tx: Queries, holder: string): Promise<void> {
  await tx.run(sql`UPDATE webhook_shard SET holder = '', expires_at = 0 WHERE holder = ${holder}`);
  await tx.run(sql`DELETE FROM webhook_node WHERE holder = ${holder}`);
}

/** The terms of these shards; they can't change hands until `tx` ends. */
export async function holdShards(tx: Queries, shards: readonly number[]): Promise<Map<number, number>> {
  const lock = raw(tx.dialect === "postgres" ? "FOR SHARE" : "");
  const rows = await tx.all<{ shard: number; term: number }>(
    sql`SELECT shard, term FROM webhook_shard WHERE shard IN (${list(shards)}) ORDER BY shard ${lock}`,
  );
  return new Map(rows.map(({ shard, term }) => [shard, term]));
}

/** The next revision of a shard. Its row is locked until `tx` ends, so revisions become visible in order. */
export async function nextRevision(tx: Queries, shard: number): Promise<number> {
  const row = await tx.one<{ revision: number }>(
    sql`UPDATE webhook_shard SET revision = revision + 1 WHERE shard = ${shard} RETURNING revision`,
  );
  if (!row) throw new Error("There is no such shard of webhooks.");
  return row.revision;
}
