// Events for tests and benchmarks, from a seed: few enough traders, tokens and chains that filters meet.
import { derivedUuid } from "../../kit/ids.ts";
import { type Random, seededRandom } from "../../kit/random.ts";
import type {
  AppItem,
  ChainRetractItem,
  ChainTradeItem,
  FeedEvent,
  PushItem,
} from "../../protocol/shapes/event.ts";
import { UNKNOWN_PRICING } from "../../protocol/shapes/pricing.ts";
import type { Token } from "../../protocol/shapes/token.ts";

const NETWORKS = [1399811149, 8453, 56, 1, 4663];
const KINDS = ["buy", "sell", "thesis", "perp", "transfer", "listing"] as const;
/** After the beginning of every log that a test opens, so that what is made here is news. */
const START_AT = Date.UTC(2060, 0, 15);

export interface EventMaker {
  app(given?: Partial<AppItem>): AppItem;
  push(given?: Partial<PushItem>): PushItem;
  trade(given?: Partial<ChainTradeItem>): ChainTradeItem;
  retract(trade: ChainTradeItem): ChainRetractItem;
  /** Mostly app events, some pushes, trades, and retractions of them. */
  any(): FeedEvent;
  many(count: number): FeedEvent[];
}

export function eventMaker(seed: string | number, traders = 20, tokens = 12): EventMaker {
  const random: Random = seededRandom("events", seed);
  let made = 0;
  const trades: ChainTradeItem[] = [];

  const id = () => derivedUuid("event", seed, ++made);
  const at = () => START_AT + made * 10;
  const trader = () => traderOf(random.below(traders));
  const token = () => tokenOf(random.below(tokens));
  const usd = () => Math.round(10 ** (1 + 4 * random.next()) * 100) / 100;

  const maker: EventMaker = {
    app(given = {}) {
      const kind = given.kind ?? random.pick(KINDS);
      const fills = kind === "buy" || kind === "sell";
      const value = usd();
      return {
        feed: "app",
        kind,
        eventId: id(),
        at: at(),
        ...(kind === "listing" ? { userId: null, handle: null, displayName: null } : trader()),
        token: token(),
        tradeId: kind === "listing" ? null : derivedUuid("position", made),
        swapId: null,
        transferId: null,
        thesisId: kind === "thesis" ? derivedUuid("thesis", made) : null,
        text: kind === "thesis" ? `Reason ${made}, “quoted” and with a 🚀.` : null,
        fillUsd: fills ? value : null,
        amount: fills ? value * 3 : null,
        priceUsd: fills ? 1 / 3 : null,
        txHash: fills ? `hash${made}` : null,
        positionValueUsd: fills ? value * 2 : null,
        realizedPnlUsd: kind === "sell" ? value / 2 : null,
        realizedPnlUsdDelta: kind === "sell" ? value / 4 : null,
        feeUsd: null,
        ...UNKNOWN_PRICING,
        execAt: null,
        block: null,
        fillMatch: null,
        direction: null,
        valueUsd: null,
        counterparty: null,
        market: null,
        side: null,
        action: null,
        leverage: null,
        sizeUsd: null,
        ...given,
      };
    },
    push(given = {}) {
      const { userId, handle } = trader();
      return {
        feed: "push",
        kind: "push",
        eventId: id(),
        at: at(),
        notificationType: random.chance(0.5) ? "LARGE_BUY" : null,
        title: "Large buy",
        text: `Somebody bought ${made}`,
        userId,
        handle,
        token: token(),
        raw: { notification_type: "LARGE_BUY", n: made },
        ...given,
      };
    },
    trade(given = {}) {
      const { userId, handle } = trader();
      const value = usd();
      return {
        feed: "chain",
        kind: "trade",
        eventId: id(),
        at: at(),
        tradeId: derivedUuid("position", made),
        swapId: derivedUuid("swap", made),
        side: random.chance(0.5) ? "buy" : "sell",
        userId,
        handle,
        wallet: walletOf(handle),
        token: token(),
        marketCapUsd: random.chance(0.5) ? value * 1000 : null,
        usd: value,
        amount: value * 3,
        priceUsd: 1 / 3,
        feeUsd: null,
        ...UNKNOWN_PRICING,
        txHash: `hash${made}`,
        block: made,
        finality: random.chance(0.5) ? "confirmed" : "finalized",
        ...given,
      };
    },
    retract: (trade) => ({
      feed: "chain",
      kind: "retract",
      eventId: id(),
      at: at(),
      networkId: trade.token.networkId,
      retractedEventId: trade.eventId,
      reason: "reorg",
    }),
    any() {
      const roll = random.next();
      if (roll < 0.55) return maker.app();
      if (roll < 0.7) return maker.push();
      if (roll < 0.97 || trades.length === 0) {
        const trade = maker.trade();
        trades.push(trade);
        return trade;
      }
      return maker.retract(trades.splice(random.below(trades.length), 1)[0] as ChainTradeItem);
    },
    many: (count) => Array.from({ length: count }, () => maker.any()),
  };
  return maker;
}

export function traderOf(index: number): { userId: string; handle: string; displayName: string } {
  return { userId: derivedUuid("user", index), handle: `Trader${index}`, displayName: `Trader ${index}` };
}

export const walletOf = (handle: string) =>
  `0x${Buffer.from(handle).toString("hex").padEnd(40, "0").slice(0, 40)}`;

function tokenOf(index: number): Token {
  return {
    address: `0x${index.toString(16).padStart(40, "A")}`,
    networkId: NETWORKS[index % NETWORKS.length] as number,
    // Symbols repeat.
    symbol: `TOK${index >> 1}`,
    name: `Token ${index}`,
    image: null,
    decimals: 6,
  };
}
