// Which shards of webhooks this node owns. It renews its claims, takes its share of free shards, and releases any
// beyond that, once nothing in them is in flight. A node that could not renew in time stops before another starts.
import type { Database } from "../../database/database.ts";
import { freshUuid } from "../../kit/ids.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop, type Loop } from "../../kit/loop.ts";
import { claimShards, type HeldShard, leaveShards } from "../store/money/webhook-shards.ts";
import { anyWebhook } from "../store/money/webhooks.ts";

export interface Claims extends Pick<Loop, "start" | "wake"> {
  /** The term under which this node holds a shard, or null. */
  termOf(shard: number): number | null;
  held(): number;
  /** One look; for tests and for `start`. */
  round(): Promise<void>;
  stop(): Promise<void>;
}

export interface ClaimsParts extends Pick<Kit, "clock" | "log"> {
  database: Database;
  /** How long a claim lasts without renewal. */
  leaseMs?: number | undefined;
  /** A shard is held, or owners changed something in it since this revision. Waited for. */
  onHeld(shard: HeldShard, since: number): Promise<void>;
  /** A shard is another's now: nothing may be begun in it. */
  onLost(shard: number): void;
  /** Stop beginning anything in a shard; true once nothing is under way. */
  windDown(shard: number): boolean;
  /** It is not given up after all. */
  goOn(shard: number): void;
}

/** How long a claim lasts without renewal: the longest pause of a dead node's webhooks, with the round of another. */
const LEASE_MS = 6_000;
const RENEW_EVERY_MS = 1_500;
/** A holder stops this long before its claim expires: a margin for clock skew. */
const STOP_EARLY_MS = 1_000;
const NOTHING_READ = -1;

export function createClaims(parts: ClaimsParts): Claims {
  const { database, clock, log, leaseMs = LEASE_MS, onHeld, onLost } = parts;
  const holder = freshUuid();
  const held = new Map<number, HeldShard>();
  let heldUntil = 0;
  let share = Number.POSITIVE_INFINITY;
  /** Dropped but not yet released: they can be reclaimed only under a new term, which ends anything still in flight. */
  const abandoned = new Set<number>();

  const drop = (shard: number) => {
    held.delete(shard);
    onLost(shard);
  };
  let windingDown = new Set<number>();
  /** Those beyond our share in which nothing is under way any more. */
  const surplus = () => {
    const beyond = new Set([...held.keys()].slice(share));
    for (const shard of windingDown) if (!beyond.has(shard)) parts.goOn(shard);
    windingDown = beyond;
    return [...beyond].filter(parts.windDown);
  };

  const round = async () => {
    if (held.size === 0 && !(await anyWebhook(database.read))) return;
    const giveUp = [...new Set([...surplus(), ...abandoned])];
    const askedAt = clock.now();
    const claimed = await database.write((tx) =>
      claimShards(tx, { holder, now: clock.now(), leaseMs, giveUp }),
    );
    heldUntil = askedAt + leaseMs - STOP_EARLY_MS;
    share = claimed.share;
    for (const shard of giveUp) abandoned.delete(shard);
    const now = new Map(claimed.held.map((one) => [one.shard, one]));
    for (const shard of abandoned) now.delete(shard);
    for (const [shard, { term }] of [...held]) if (now.get(shard)?.term !== term) drop(shard);
    for (const one of now.values()) {
      const known = held.get(one.shard)?.revision ?? NOTHING_READ;
      // If reading fails, the next round reads again.
      held.set(one.shard, { ...one, revision: known });
      if (known !== one.revision) await onHeld(one, known);
      held.set(one.shard, one);
    }
  };

  /** A claim not renewed in time belongs to another node, whether or not we can check. */
  const letGo = () => {
    if (held.size === 0 || clock.now() < heldUntil) return;
    log.warn("webhooks could not be claimed in time and are left to other nodes", { shards: held.size });
    for (const shard of [...held.keys()]) {
      abandoned.add(shard);
      drop(shard);
    }
  };

  const loop = createLoop({
    failure: "webhooks were not claimed",
    everyMs: RENEW_EVERY_MS,
    clock,
    log,
    round: () => round().catch((error) => log.warn("webhooks were not claimed", { error })),
  });
  // A store that does not answer must not keep us working past our time.
  const watch = createLoop({
    failure: "claims of webhooks were not watched",
    everyMs: STOP_EARLY_MS / 4,
    clock,
    log,
    round: letGo,
  });

  return {
    termOf: (shard) => (clock.now() < heldUntil ? (held.get(shard)?.term ?? null) : null),
    held: () => held.size,
    round,
    start() {
      loop.start();
      watch.start();
    },
    wake: loop.wake,
    async stop() {
      await Promise.all([loop.stop(), watch.stop()]);
      for (const shard of [...held.keys()]) drop(shard);
      await database
        .write((tx) => leaveShards(tx, holder))
        .catch((error) => log.warn("webhooks were not handed over; their claims expire", { error }));
    },
  };
}
