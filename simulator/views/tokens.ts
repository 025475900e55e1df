// Tokens: facts, flow and insiders. Holders are the traders who hold the token now, counted by the books. The 24 h
// window begins on a whole hour, like the traders' windows; shorter ones are exact to the moment.
import type {
  NetworkId,
  WireDev,
  WireToken,
  WireTokenInfo,
  WireTokenStats,
  WireTokenStatsWindow,
} from "../../protocol/protocol.ts";
import { NONE } from "../world/columns.ts";
import { HOUR_MS, heldAmount, tokenHourRow } from "../world/ledger.ts";
import { network } from "../world/networks.ts";
import { BUY, SELL } from "../world/state.ts";
import type { Token } from "../world/tokens.ts";
import { devsOf } from "../world/transfers.ts";
import { fillKept } from "./fills.ts";
import { unrealized, windowStart } from "./pnl.ts";
import { closedSlots, openSlots } from "./positions.ts";
import { thesisOf } from "./thesis-rows.ts";
import { dollars, MICRO, round, type View, volumeText } from "./view.ts";

const TOP_HOLDERS = 10;

export function tokenInfo(view: View, token: Token): WireTokenInfo {
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
    lowFees: token.lowFees,
  };
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
    windows: flow(view, token),
  };
}

/** Money and counts of swaps of the last day, from whole hours: exact whatever has been forgotten. */
export function dayVolume(
  view: View,
  token: number,
): { buys: number; sells: number; buyUsd: number; sellUsd: number } {
  const hours = view.tables.tokenHours.columns;
  const sums = { buys: 0, sells: 0, buyUsd: 0, sellUsd: 0 };
  const start = Math.max(
    windowStart("24h", view.now, 0),
    Math.floor(view.context.genesis / HOUR_MS) * HOUR_MS,
  );
  for (let at = start; at <= view.now; at += HOUR_MS) {
    const row = tokenHourRow(at, token);
    sums.buys += hours.buys.get(row);
    sums.sells += hours.sells.get(row);
    sums.buyUsd += hours.buyVolume.get(row);
    sums.sellUsd += hours.sellVolume.get(row);
  }
  return sums;
}

function flow(view: View, token: Token): WireTokenStats["windows"] {
  const starts = {
    "5m": view.now - 5 * 60_000,
    "1h": view.now - HOUR_MS,
    "4h": view.now - 4 * HOUR_MS,
    "24h": windowStart("24h", view.now, 0),
  };
  const day = dayVolume(view, token.index);
  const window = (name: keyof typeof starts) => countSwaps(view, token.index, starts[name]);
  return {
    "5m": window("5m"),
    "1h": window("1h"),
    "4h": window("4h"),
    "24h": {
      ...window("24h"),
      buys: day.buys,
      sells: day.sells,
      buyVolumeUsd: volumeText(day.buyUsd),
      sellVolumeUsd: volumeText(day.sellUsd),
    },
  };
}

function countSwaps(view: View, token: number, start: number): WireTokenStatsWindow {
  const fills = view.tables.fills.columns;
  const buyers = new Set<number>();
  const sellers = new Set<number>();
  const sums = { buys: 0, sells: 0, buyUsd: 0, sellUsd: 0 };
  let number = view.tables.tokens.columns.lastFill.get(token) - 1;
  while (fillKept(view, number)) {
    const row = number % view.tables.fills.capacity;
    if (fills.at.get(row) < start) break;
    const kind = fills.kind.get(row);
    if (kind === BUY) {
      sums.buys++;
      sums.buyUsd += fills.usd.get(row);
      buyers.add(fills.trader.get(row));
    } else if (kind === SELL) {
      sums.sells++;
      sums.sellUsd += fills.usd.get(row);
      sellers.add(fills.trader.get(row));
    }
    const back = fills.backOfToken.get(row);
    if (back === 0) break;
    number -= back;
  }
  return {
    buys: sums.buys,
    sells: sums.sells,
    uniqueBuyers: buyers.size,
    uniqueSellers: sellers.size,
    buyVolumeUsd: volumeText(sums.buyUsd),
    sellVolumeUsd: volumeText(sums.sellUsd),
  };
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
