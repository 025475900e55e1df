// From log rows to entries: a retraction gets the trade it retracts, a trade whether its wallet is known to
// be the trader's. Both are looked up a page at a time and cached, so the common case needs no store read.
import type { Chains } from "../../contract/chains.ts";
import type { Clock } from "../../kit/clock.ts";
import { createLru } from "../../kit/lru.ts";
import { normaliseAddress } from "../../protocol/values.ts";
import type { LogEvent } from "../model/event.ts";
import { walletsOf } from "../model/wallets.ts";
import type { LogStore } from "../store/captured/log.ts";
import type { TraderStore } from "../store/captured/traders.ts";
import { entryOf, type FeedEntry, type RetractableEvent, type TradeEvent } from "./entry.ts";

/** A re-org undoes minutes, not hours; older trades are looked up. */
const TRADES_REMEMBERED = 8_192;
const TRADERS_REMEMBERED = 10_000;
/** How long a wallet that was just resolved may continue as not verified. */
const WALLETS_TRUSTED_MS = 60_000;

export type Enrich = (page: readonly LogEvent[]) => Promise<FeedEntry[]>;

export function createEnrich(parts: {
  logStore: Pick<LogStore, "find">;
  traders: Pick<TraderStore, "byIds">;
  chains: Chains;
  clock: Clock;
}): Enrich {
  const { logStore, traders, chains, clock } = parts;
  const trades = createLru<string, TradeEvent>(TRADES_REMEMBERED);
  const wallets = createLru<string, { known: ReadonlySet<string>; readAt: number }>(TRADERS_REMEMBERED);

  const readWallets = async (page: readonly LogEvent[]) => {
    const now = clock.now();
    const missing = new Set<string>();
    for (const event of page) {
      if (event.kind !== "trade") continue;
      const entry = wallets.get(event.userId);
      if (!entry || now - entry.readAt > WALLETS_TRUSTED_MS) missing.add(event.userId);
    }
    if (missing.size === 0) return;
    for (const userId of missing) wallets.set(userId, { known: new Set(), readAt: now });
    for (const trader of await traders.byIds([...missing])) {
      const { solana, evm } = walletsOf(trader.wallets);
      const known = [...solana, ...evm].map(sameForm);
      wallets.set(trader.userId, { known: new Set(known), readAt: now });
    }
  };

  const earlierOf = async (event: LogEvent): Promise<RetractableEvent | null> => {
    if (event.kind !== "retract" && event.kind !== "final") return null;
    const id = event.kind === "retract" ? event.retractedEventId : event.finalizedEventId;
    const remembered = trades.get(id);
    if (remembered) return remembered;
    const found = await logStore.find(id);
    if (found?.kind === "trade") return found;
    return event.kind === "retract" && found?.feed === "app" ? found : null;
  };

  return async (page) => {
    await readWallets(page);
    for (const event of page) if (event.kind === "trade") trades.set(event.eventId, event);
    const entries: FeedEntry[] = [];
    for (const event of page) {
      const earlier = await earlierOf(event);
      const subject = event.kind === "final" ? earlier : event;
      const trade = subject?.kind === "trade" ? subject : null;
      const verified =
        trade !== null && (wallets.get(trade.userId)?.known.has(sameForm(trade.wallet)) ?? false);
      entries.push(entryOf(event, { chains, earlier, verified }));
    }
    return entries;
  };
}

const sameForm = (address: string) => normaliseAddress(address) ?? address;
