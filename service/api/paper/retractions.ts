// Which of the leaders' trades were retracted: each as it arrives, and those of a stretch of the log not yet read here.
import { nextTurn } from "../../../kit/turn.ts";
import type { ChainRetractItem } from "../../../protocol/shapes/event.ts";
import type { LogStore } from "../../store/captured/log.ts";
import type { RetractedTrade } from "./step.ts";

export interface FoundRetraction {
  userId: string;
  trade: RetractedTrade;
}

/** Events per read: about a millisecond. */
const PAGE_EVENTS = 256;
/** As far back as it can matter, at a hundred events a second. */
const LOOKED_MAX = 500_000;

export function createRetractions(log: Pick<LogStore, "find" | "readAfter">) {
  /** The trade that it retracts; null when that is no longer stored. */
  const of = async ({
    retractedEventId,
  }: Pick<ChainRetractItem, "retractedEventId">): Promise<FoundRetraction | null> => {
    const found = await log.find(retractedEventId);
    // The chain's own trade, or the alert about it.
    if (found?.kind !== "trade" && found?.kind !== "buy" && found?.kind !== "sell") return null;
    const { userId, tradeId, txHash } = found;
    if (userId === null || tradeId === null || txHash === null) return null;
    return { userId, trade: { tradeId, txHash } };
  };
  return {
    of,
    async between(after: number, upTo: number): Promise<FoundRetraction[]> {
      const found: FoundRetraction[] = [];
      for (let from = Math.max(after, upTo - LOOKED_MAX); from < upTo; await nextTurn()) {
        const to = Math.min(upTo, from + PAGE_EVENTS);
        const page = await log.readAfter(from, { limit: PAGE_EVENTS, upTo: to, feeds: ["chain"] });
        for (const event of page) {
          const retraction = event.kind === "retract" ? await of(event) : null;
          if (retraction) found.push(retraction);
        }
        from = to;
      }
      return found;
    },
  };
}
