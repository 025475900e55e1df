// Tokens, holdings and what the platform says about a token. Addresses are in the form used as a key.
import {
  type DevHolding,
  type FlowWindow,
  type Holding,
  normaliseAddress,
  type Token,
  type TokenInfo,
  type TokenStats,
} from "../../model/token.ts";
import { address, handle } from "./keys.ts";
import {
  allRows,
  amount,
  count,
  decimal,
  type Fields,
  fields,
  flag,
  MAX_WORD_LENGTH,
  Malformed,
  name,
  networkId,
  orNull,
  prose,
  text,
  time,
  uuid,
  webAddress,
} from "./read.ts";

/** EVM tokens allow 255; nothing real has more than 36. */
const MAX_DECIMALS = 255;
/** Deployer and insiders are a handful; the platform lists no more than a page of them. */
const MAX_DEVS = 500;
/** Perpetuals are markets on a venue, not contracts, so they have a market's name for an address. */
const PERPS_NETWORK_ID = 1337;
const MARKET_NAME = /^[A-Za-z0-9:._-]{1,64}$/;

export function token(value: unknown): Token {
  return tokenFields(fields(value));
}

function tokenFields(from: Fields): Token {
  const network = networkId(from, "networkId");
  const decimals = count(from, "decimals");
  if (decimals > MAX_DECIMALS) throw new Malformed("decimals");
  return {
    address: network === PERPS_NETWORK_ID ? market(from) : address(from, "address"),
    networkId: network,
    symbol: text(from, "symbol", MAX_WORD_LENGTH),
    name: name(from, "name"),
    image: webAddress(from, "image"),
    decimals,
  };
}

function market(from: Fields): string {
  const given = from.address;
  if (typeof given !== "string" || !MARKET_NAME.test(given)) throw new Malformed("address");
  return normaliseAddress(given) ?? given;
}

export function tokenOrNull(from: Fields, field: string): Token | null {
  const value = from[field];
  return value === null || value === undefined ? null : token(value);
}

export function tokenInfo(value: unknown): TokenInfo {
  const from = fields(value);
  return {
    ...tokenFields(from),
    priceUsd: orNull(from, "priceUsd", amount),
    change24h: orNull(from, "change24h", amount),
    marketCapUsd: orNull(from, "marketCapUsd", amount),
    supply: orNull(from, "supply", amount),
    holders: orNull(from, "holders", count),
    launchedAt: orNull(from, "launchedAt", time),
    graduatedAt: orNull(from, "graduatedAt", time),
    lowFees: flag(from, "lowFees"),
  };
}

export function holding(value: unknown): Holding {
  const from = fields(value);
  return {
    token: token(from.token),
    amount: amount(from, "amount"),
    priceUsd: orNull(from, "priceUsd", amount),
    valueUsd: orNull(from, "valueUsd", amount),
    change24h: orNull(from, "change24h", amount),
    pnlUsd: orNull(from, "pnlUsd", amount),
  };
}

export function tokenStats(value: unknown): TokenStats {
  const from = fields(value);
  const windows = fields(from.windows);
  return {
    token: token(from.token),
    holders: count(from, "holders"),
    top10HoldersPercent: orNull(from, "top10HoldersPercent", amount),
    lowFees: flag(from, "lowFees"),
    windows: {
      "5m": flowWindow(windows["5m"]),
      "1h": flowWindow(windows["1h"]),
      "4h": flowWindow(windows["4h"]),
      "24h": flowWindow(windows["24h"]),
    },
  };
}

function flowWindow(value: unknown): FlowWindow {
  const from = fields(value);
  return {
    buys: count(from, "buys"),
    sells: count(from, "sells"),
    uniqueBuyers: count(from, "uniqueBuyers"),
    uniqueSellers: count(from, "uniqueSellers"),
    buyVolumeUsd: decimal(from, "buyVolumeUsd"),
    sellVolumeUsd: decimal(from, "sellVolumeUsd"),
  };
}

export function tokenDevs(value: unknown): { token: Token; devs: DevHolding[] } {
  const from = fields(value);
  return { token: token(from.token), devs: allRows(from, "devs", MAX_DEVS, devHolding) };
}

function devHolding(value: unknown): DevHolding {
  const from = fields(value);
  return {
    userId: uuid(from, "userId"),
    handle: handle(from, "handle"),
    wallet: address(from, "wallet"),
    isDev: flag(from, "isDev"),
    amount: amount(from, "amount"),
    valueUsd: amount(from, "valueUsd"),
    costBasisUsd: amount(from, "costBasisUsd"),
    realizedPnlUsd: amount(from, "realizedPnlUsd"),
    unrealizedPnlUsd: amount(from, "unrealizedPnlUsd"),
    averageEntryPrice: orNull(from, "averageEntryPrice", amount),
    averageHoldTimeSeconds: orNull(from, "averageHoldTimeSeconds", amount),
    tradeId: orNull(from, "tradeId", uuid),
    thesis: orNull(from, "thesis", prose),
  };
}
