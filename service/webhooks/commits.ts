// Makes deliveries durable: position, count, charge and record of an attempt in one transaction, or none of
// them. Attempts that end together share it. A node that lost its claim writes nothing, and a commit whose
// outcome is unknown is looked up before it is retried, so that nothing is counted or charged twice.
import { WEBHOOK_CHARGE, WEBHOOK_PRICE } from "../../contract/webhooks.ts";
import type { Database, Queries } from "../../database/database.ts";
import type { Kit } from "../../kit/kit.ts";
import type { ChargedWithin, Within } from "../access/ledger/within.ts";
import { rowsOfAccounts } from "../store/money/accounts.ts";
import {
  insertDeliveries,
  type StoredDelivery,
  storedDeliveries,
} from "../store/money/webhook-deliveries.ts";
import { holdShards } from "../store/money/webhook-shards.ts";
import { lockWebhooks, type StoredWebhook, updateWebhook } from "../store/money/webhooks.ts";
import { type SettledWebhook, unpaidBlocks } from "./state.ts";

/** A change of a webhook that its node found out. */
export interface WebhookChange {
  webhook: Pick<StoredWebhook, "id" | "shard">;
  /** Of the shard; under another one nothing is written. */
  term: number;
  apply(row: StoredWebhook, chance: number): SettledWebhook;
  delivery: StoredDelivery | null;
}

/** Mails a webhook's owner when it is given up. */
export type TellOwner = (tx: Queries, webhook: StoredWebhook, email: string) => Promise<void>;

export interface Commits {
  /** The current row; null when the webhook belongs to another node, or was deleted. */
  write(change: WebhookChange): Promise<StoredWebhook | null>;
  /** Refuses from now on, once all that waits is written. */
  close(): Promise<void>;
}

export interface CommitsParts extends Pick<Kit, "clock" | "log" | "random"> {
  database: Database;
  charges: Within;
  tellOwner: TellOwner;
  /** Whether this node still works the shard under the term: if not, there is no use in trying on. */
  holds(shard: number, term: number): boolean;
}

interface WaitingChange {
  change: WebhookChange;
  resolve(row: StoredWebhook | null): void;
}

/** Changes in one transaction: some ten milliseconds. The number that may wait is that of attempts under way. */
const BATCH_MAX = 100;
const RETRY_EVERY_MS = 250;

export function createCommits(parts: CommitsParts): Commits {
  const { clock, log } = parts;
  let queue: WaitingChange[] = [];
  let running: Promise<void> | null = null;

  /** Tries until it is written, or until this node has lost its claim to write it. */
  const commit = async (batch: WaitingChange[]) => {
    for (let isRepeated = false; ; isRepeated = true) {
      try {
        const rows = await writeAll(
          parts,
          batch.map(({ change }) => change),
          isRepeated,
        );
        for (const { change, resolve } of batch) resolve(rows.get(change.webhook.id) ?? null);
        return;
      } catch (error) {
        log.warn("webhook deliveries were not saved", { changes: batch.length, error });
      }
      await clock.sleep(RETRY_EVERY_MS);
      if (batch.some(({ change }) => parts.holds(change.webhook.shard, change.term))) continue;
      for (const { resolve } of batch) resolve(null);
      return;
    }
  };
  const run = async () => {
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH_MAX);
      queue = queue.slice(BATCH_MAX);
      await commit(batch);
    }
    running = null;
  };
  return {
    write: (change) =>
      new Promise((resolve) => {
        queue.push({ change, resolve });
        // Attempts that end in this turn of the event loop are committed together.
        running ??= new Promise<void>((next) => setImmediate(next)).then(run);
      }),
    async close() {
      while (running) await running;
    },
  };
}

async function writeAll(
  parts: CommitsParts,
  changes: readonly WebhookChange[],
  isRepeated: boolean,
): Promise<Map<string, StoredWebhook>> {
  const { database, clock, charges } = parts;
  const at = clock.now();
  await charges.prepare(at);
  const { rows, charged } = await database.write((tx) => writeIn(tx, parts, changes, at, isRepeated));
  if (charged) charges.keep(charged);
  return rows;
}

async function writeIn(
  tx: Queries,
  parts: CommitsParts,
  changes: readonly WebhookChange[],
  at: number,
  isRepeated: boolean,
): Promise<{ rows: Map<string, StoredWebhook>; charged: ChargedWithin | null }> {
  // Sent together, and answered in this order: on PostgreSQL each wait is a round trip.
  const [terms, all] = await Promise.all([
    holdShards(tx, [...new Set(changes.map(({ webhook }) => webhook.shard))]),
    lockWebhooks(
      tx,
      changes.map(({ webhook }) => webhook.id),
    ),
  ]);
  const own = changes.filter(({ webhook, term }) => terms.get(webhook.shard) === term);
  if (own.length === 0) return { rows: new Map(), charged: null };
  const ids = new Set(own.map(({ webhook }) => webhook.id));
  const held = all.filter(({ id }) => ids.has(id));
  const rows = new Map(held.map((row) => [row.id, row]));
  const deliveries = own.flatMap(({ delivery }) => delivery ?? []);
  const known = isRepeated ? await storedDeliveries(tx, deliveries) : new Set<string>();
  const changed: StoredWebhook[] = [];
  for (const { webhook, apply, delivery } of own) {
    const row = rows.get(webhook.id);
    if (!row || (delivery && known.has(delivery.deliveryId))) continue;
    const settled = apply(row, parts.random.next());
    rows.set(row.id, settled.webhook);
    changed.push(settled.webhook);
    if (settled.gaveUp) await tell(tx, parts, settled.webhook);
  }
  const charged = await payFor(tx, parts, changed, at);
  await Promise.all([...changed.map((row) => updateWebhook(tx, row)), insertDeliveries(tx, deliveries)]);
  return { rows, charged };
}

async function tell(tx: Queries, { tellOwner }: CommitsParts, webhook: StoredWebhook): Promise<void> {
  const [account] = await rowsOfAccounts(tx, [webhook.accountId]);
  if (account) await tellOwner(tx, webhook, account.email);
}

/** Charges each hundred of events that was begun. One that can't be paid leaves the webhook waiting for credits. */
async function payFor(
  tx: Queries,
  { charges }: CommitsParts,
  changed: readonly StoredWebhook[],
  at: number,
): Promise<ChargedWithin | null> {
  const owed = changed.flatMap((webhook) =>
    Array.from({ length: unpaidBlocks(webhook) }, (_, index) => ({
      webhook,
      requestId: `${webhook.id}:${webhook.paidBlocks + index + 1}`,
    })),
  );
  if (owed.length === 0) return null;
  const charged = await charges.charge(
    tx,
    owed.map(({ webhook: { accountId, keyId, capOf }, requestId }) => ({
      requestId,
      accountId,
      keyId,
      routeId: WEBHOOK_CHARGE,
      at,
      capOf,
      credits: WEBHOOK_PRICE.credits,
      resolutions: 0,
    })),
  );
  for (const [index, { webhook }] of owed.entries()) {
    if (charged.results[index]?.refused === null) webhook.paidBlocks += 1;
    else if (webhook.status === "active") webhook.waitingFor = "credits";
  }
  return charged;
}
