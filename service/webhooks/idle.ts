// Webhooks without events: their rows are periodically moved up to the scanned position of the log, so that a node
// that takes over does not scan it again, and nothing counts as lost when the log's old end is pruned.
import type { Database } from "../../database/database.ts";
import { chunksOf } from "../../kit/chunks.ts";
import { nextTurn } from "../../kit/turn.ts";
import { holdShards } from "../store/money/webhook-shards.ts";
import { advanceWebhooks, lockWebhooks } from "../store/money/webhooks.ts";
import { isPaper } from "./deliverable.ts";
import type { Endpoint } from "./endpoint.ts";

/** Rows in one transaction. */
const ROWS_MAX = 200;

export async function savePlaces(
  database: Database,
  endpoints: readonly Endpoint[],
  newest: number,
): Promise<void> {
  const isIdle = ({ webhook, isLive, ready, isBusy }: Endpoint) =>
    !isPaper(webhook) && isLive && !isBusy && ready.length === 0;
  const idle = endpoints.filter((endpoint) => isIdle(endpoint) && endpoint.webhook.position < newest);
  for (const part of chunksOf(idle, ROWS_MAX)) {
    const some = part.filter(isIdle);
    if (some.length > 0) await saveSome(database, some, newest);
    await nextTurn();
  }
}

/** `newest` was handed on to all of these before; what came since is in `ready`, or will be, and lies after it. */
async function saveSome(database: Database, some: readonly Endpoint[], newest: number): Promise<void> {
  const saved = await database.write(async (tx) => {
    const terms = await holdShards(tx, [...new Set(some.map(({ webhook }) => webhook.shard))]);
    const rows = new Map(
      (
        await lockWebhooks(
          tx,
          some.map(({ webhook }) => webhook.id),
        )
      ).map((row) => [row.id, row]),
    );
    const own = some.filter(
      ({ webhook, term }) =>
        terms.get(webhook.shard) === term && rows.get(webhook.id)?.generation === webhook.generation,
    );
    await advanceWebhooks(
      tx,
      own.map(({ webhook }) => webhook.id),
      newest,
    );
    return own;
  });
  for (const { webhook } of saved) webhook.position = Math.max(webhook.position, newest);
}
