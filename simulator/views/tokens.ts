// Tokens: facts, flow and insiders. Holders are the traders who hold the token now, counted by the books. Windows roll by
// the minute.
import { HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import type {
  NetworkId,
  WireDev,
  WireToken,
  WireTokenInfo,
  WireTokenStats,
  WireTokenStatsWindow,
} from "../../protocol/protocol.ts";
import { NONE } from "../world/columns.ts";
import { heldAmount } from "../world/ledger.ts";
import { network } from "../world/networks.ts";
import { BUY } from "../world/state.ts";
import type { WorldToken } from "../world/tokens.ts";
import { devsOf } from "../world/transfers.ts";
import { fillKept } from "./fills.ts";
import { unrealized } from "./pnl.ts";
import { windowStart } from "./pool-quotes.ts";
import { closedSlots, openSlots } from "./positions.ts";
import { poolPricing } from "./pricing.ts";
import { thesisOf } from "./thesis-rows.ts";
import { dollars, MICRO, round, type View, volumeText } from "./view.ts";

const TOP_HOLDERS = 10;

export function tokenInfo(view: View, token: WorldToken): WireTokenInfo {
  const price = view.price(token.index);
  return {
    ...view.token(token),
    priceUsd: price,
    change24h: view.change24h(token),
    marketCapUsd: price * token.supply,
    supply: token.supply,
    holders: view.tables.tokens.columns.holders.get(token.index),
    launchedAt: token.launchAt,
    graduatedAt: token.graduatedAt !== null && token.graduatedAt <= view.now ? token.graduatedAt : null,
    deployer: deployerOf(view, token),
    lowFees: token.lowFees,
    ...poolPricing(token, price, view.asOf),
  };
}

/** Null for tokens older than this world. */
function deployerOf(view: View, token: WorldToken): string | null {
  const [trader] = devsOf(view.context, token);
  if (!trader) return null;
  const wallets = view.context.population.wallets(trader);
  return (network(token.network).solana ? wallets.solana : wallets.evm) ?? null;
}

export function tokenStats(view: View, address: string, networkId?: NetworkId): WireTokenStats | undefined {
  const token = view.context.tokens.byAddress(address, networkId);
  if (!token) return undefined;
  const positions = view.tables.positions.columns;
  const held: number[] = [];
  for (
    let slot = view.tables.tokens.columns.openHead.get(token.index);
    slot !== NONE;
    slot = positions.nextOfToken.get(slot)
  ) {
    held.push(heldAmount(positions, slot));
  }
  const top = held
    .sort((a, b) => b - a)
    .slice(0, TOP_HOLDERS)
    .reduce((sum, amount) => sum + amount, 0);
  return {
    token: view.token(token),
    holders: view.tables.tokens.columns.holders.get(token.index),
    top10HoldersPercent: round((top / (token.supply * MICRO)) * 100, 2),
    lowFees: token.lowFees,
    windows: windowsOf(view, token.index),
  };
}

const WINDOWS = { "5m": 5 * MINUTE_MS, "1h": HOUR_MS, "4h": 4 * HOUR_MS, "24h": 24 * HOUR_MS } as const;

function windowsOf(view: View, token: number): WireTokenStats["windows"] {
  const window = (name: keyof typeof WINDOWS): WireTokenStatsWindow => {
    const flow = flowOf(view, token, windowStart(view.asOf, WINDOWS[name]));
    return {
      buys: flow.buys,
      sells: flow.sells,
      uniqueBuyers: flow.buyers.size,
      uniqueSellers: flow.sellers.size,
      buyVolumeUsd: volumeText(flow.buyUsd),
      sellVolumeUsd: volumeText(flow.sellUsd),
    };
  };
  return { "5m": window("5m"), "1h": window("1h"), "4h": window("4h"), "24h": window("24h") };
}

export interface TokenFlow {
  buys: number;
  sells: number;
  buyUsd: number;
  sellUsd: number;
  buyers: Set<number>;
  sellers: Set<number>;
}

/** A token's swaps shown by the app since a time, as far as they are kept. */
export function flowOf(view: View, token: number, start: number): TokenFlow {
  const fills = view.tables.fills.columns;
  const { applied } = view.context.state.counters;
  const flow = {
    buys: 0,
    sells: 0,
    buyUsd: 0,
    sellUsd: 0,
    buyers: new Set<number>(),
    sellers: new Set<number>(),
  };
  let number = view.tables.tokens.columns.lastSwap.get(token) - 1;
  while (fillKept(view, number)) {
    const row = number % view.tables.fills.capacity;
    if (fills.at.get(row) < start) break;
    if (number < applied && fills.kind.get(row) === BUY) {
      flow.buys++;
      flow.buyUsd += fills.usd.get(row);
      flow.buyers.add(fills.trader.get(row));
    } else if (number < applied) {
      flow.sells++;
      flow.sellUsd += fills.usd.get(row);
      flow.sellers.add(fills.trader.get(row));
    }
    const back = fills.backOfToken.get(row);
    if (back === 0) break;
    number -= back;
  }
  return flow;
}

export function tokenDevs(
  view: View,
  address: string,
  networkId?: NetworkId,
): { token: WireToken; devs: WireDev[] } | undefined {
  const token = view.context.tokens.byAddress(address, networkId);
  if (!token) return undefined;
  const positions = view.tables.positions.columns;
  const solana = network(token.network).solana;
  const devs: WireDev[] = [];
  for (const trader of devsOf(view.context, token)) {
    const all = [...openSlots(view, trader.index), ...closedSlots(view, trader.index)];
    const slot = all.find(
      (candidate) => positions.token.get(candidate) === token.index && positions.isDev.get(candidate) === 1,
    );
    if (slot === undefined) continue;
    const wallets = view.context.population.wallets(trader);
    const held = heldAmount(positions, slot);
    const bought = positions.bought.get(slot);
    const until = positions.closedAt.get(slot) || view.now;
    devs.push({
      userId: view.userId(trader.index),
      handle: trader.handle,
      wallet: (solana ? wallets.solana : wallets.evm) ?? "",
      isDev: devs.length === 0 && devsOf(view.context, token)[0] === trader,
      amount: held / MICRO,
      valueUsd: dollars(Math.round(held * view.price(token.index))),
      costBasisUsd: dollars(positions.cost.get(slot)),
      realizedPnlUsd: dollars(positions.realized.get(slot)),
      unrealizedPnlUsd: dollars(unrealized(view, slot)),
      averageEntryPrice: bought === 0 ? null : positions.cost.get(slot) / bought,
      averageHoldTimeSeconds: Math.round((until - positions.openedAt.get(slot)) / 1000),
      tradeId: view.tradeId(slot),
      thesis: thesisOf(view, slot)?.text ?? null,
    });
  }
  return { token: view.token(token), devs };
}
