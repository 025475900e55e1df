// The highest block whose trades may be alerts where ALERTS_AT is safe or final: the node's own safe or finalized tag, or else
// a block count behind the head. A node that tags its own head as safe makes no such distinction.
import type { Kit } from "../kit/kit.ts";
import { createLoop, type Loop } from "../kit/loop.ts";
import { SECOND_MS } from "../kit/units.ts";
import type { BooksSink } from "./books/sink.ts";
import type { ChainReader } from "./chain.ts";
import type { TaggedHeight } from "./evm/tagged-height.ts";
import type { ChainSettings } from "./open-chain.ts";

export interface LevelledChain {
  settings: Pick<ChainSettings, "chainId" | "alertsAt" | "safeBlocks" | "pollMs">;
  reader: Pick<ChainReader, "status">;
  /** Null for chains whose reader tracks this itself. */
  taggedHeight: TaggedHeight | null;
}

/** The heights above which nothing is an alert yet, by chain, as reported by the nodes. */
export type AlertBounds = Map<number, number>;

/** Nothing is an alert until a node has been asked. */
export const firstAlertBound = ({ settings, taggedHeight }: Omit<LevelledChain, "reader">): number =>
  settings.alertsAt === "confirmed" || taggedHeight === null ? Number.POSITIVE_INFINITY : -1;

/** Blocks come every second or two at most; the node is asked on every other look, and only if alerts are waiting. */
const LOOK_MS = SECOND_MS;
const LOOKS_PER_ASK = 2;

export function createAlertLevels(
  chains: readonly LevelledChain[],
  bounds: AlertBounds,
  sink: Pick<BooksSink, "reachSafe" | "awaitsAlerts">,
  { clock, log }: Pick<Kit, "clock" | "log">,
): Loop {
  const waiting = chains.filter(({ settings }) => settings.alertsAt !== "confirmed");
  const askedAt = new Map<number, number>();

  const raise = async ({ settings, reader, taggedHeight }: LevelledChain): Promise<void> => {
    const { chainId, alertsAt, safeBlocks, pollMs } = settings;
    const { head, final } = reader.status();
    if (head === null || final === null) return;
    const counted = alertsAt === "safe" ? Math.max(head - safeBlocks, final) : final;
    if (taggedHeight === null) return await sink.reachSafe(chainId, counted);
    const isDue = clock.now() - (askedAt.get(chainId) ?? 0) >= LOOKS_PER_ASK * pollMs;
    if (!isDue || !(await sink.awaitsAlerts(chainId))) return;
    askedAt.set(chainId, clock.now());
    const tagged = await taggedHeight(alertsAt === "safe" ? "safe" : "finalized");
    const isMeant = tagged !== null && tagged < head;
    bounds.set(chainId, isMeant ? tagged : Number.POSITIVE_INFINITY);
    await sink.reachSafe(chainId, isMeant ? Math.min(tagged, alertsAt === "safe" ? head : final) : counted);
  };

  return createLoop({
    failure: "could not publish alerts of safe blocks",
    everyMs: LOOK_MS,
    clock,
    log,
    async round() {
      for (const chain of waiting) await raise(chain);
    },
  });
}
