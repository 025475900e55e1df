// Tokens, holdings and a platform's figures about a token. Addresses are in the form used as a key.
import {
  fields,
  list,
  Malformed,
  nullable,
  object,
  optional,
  type ReadOf,
  type Schema,
  type WrittenOf,
} from "../schema.ts";
import {
  address,
  amount,
  count,
  decimal,
  feeBps,
  flag,
  handle,
  label,
  name,
  networkId,
  normaliseAddress,
  prose,
  time,
  uuid,
  webAddress,
  wholeNumber,
} from "../values.ts";
import { pricing } from "./pricing.ts";

/** EVM tokens allow 255; nothing real has more than 36. */
const DECIMALS_MAX = 255;
/** Deployer and insiders are a handful; a platform lists no more than a page of them. */
const DEVS_MAX = 500;
export const QUOTES_MAX = 100;
export const CANDLES_MAX = 1_000;
/** Perpetuals are markets on a venue, not contracts, so they have a market's name for an address. */
const PERPS_NETWORK_ID = 1337;
const MARKET_NAME = /^[A-Za-z0-9:._-]{1,64}$/;

const tokenFields = {
  address: { read: (value: unknown) => value as string } as Schema<string>,
  networkId,
  symbol: label,
  name,
  image: webAddress,
  decimals: wholeNumber(0, DECIMALS_MAX),
};

/** What an address may be depends on the network, so it is read with it. */
function withAddress<T extends { address: string; networkId: number }, Written>(
  schema: Schema<T, Written>,
): Schema<T, Written> {
  return {
    read: (value, field) => {
      const token = schema.read(value, field);
      const given: unknown = fields(value, field).address;
      token.address =
        token.networkId === PERPS_NETWORK_ID ? marketName(given) : address.read(given, "address");
      return token;
    },
  };
}

function marketName(given: unknown): string {
  if (typeof given !== "string" || !MARKET_NAME.test(given)) throw new Malformed("address");
  return normaliseAddress(given) ?? given;
}

export const token = withAddress(object(tokenFields));
export type Token = ReadOf<typeof token>;
export type WireToken = WrittenOf<typeof token>;

export const tokenInfo = withAddress(
  object({
    ...tokenFields,
    priceUsd: nullable(amount),
    change24h: nullable(amount),
    marketCapUsd: nullable(amount),
    supply: nullable(amount),
    holders: nullable(count),
    launchedAt: nullable(time),
    graduatedAt: nullable(time),
    /** The deployer, if known. */
    deployer: optional(address),
    lowFees: flag,
    ...pricing,
  }),
);
export type TokenInfo = ReadOf<typeof tokenInfo>;
export type WireTokenInfo = WrittenOf<typeof tokenInfo>;

export const holding = object({
  token,
  amount,
  priceUsd: nullable(amount),
  valueUsd: nullable(amount),
  change24h: nullable(amount),
  pnlUsd: nullable(amount),
  asOf: optional(time),
  /** Unsolicited: listed only on request. */
  spam: optional(flag),
});
export type Holding = ReadOf<typeof holding>;
export type WireHolding = WrittenOf<typeof holding>;

const flowWindow = object({
  buys: count,
  sells: count,
  uniqueBuyers: count,
  uniqueSellers: count,
  buyVolumeUsd: decimal,
  sellVolumeUsd: decimal,
});
export type FlowWindow = ReadOf<typeof flowWindow>;
export type WireTokenStatsWindow = WrittenOf<typeof flowWindow>;

export const tokenStats = object({
  token,
  holders: count,
  top10HoldersPercent: nullable(amount),
  lowFees: flag,
  windows: object({ "5m": flowWindow, "1h": flowWindow, "4h": flowWindow, "24h": flowWindow }),
});
export type TokenStats = ReadOf<typeof tokenStats>;
export type WireTokenStats = WrittenOf<typeof tokenStats>;

const devHolding = object({
  userId: uuid,
  handle,
  wallet: address,
  isDev: flag,
  amount,
  valueUsd: nullable(amount),
  costBasisUsd: nullable(amount),
  realizedPnlUsd: nullable(amount),
  unrealizedPnlUsd: nullable(amount),
  averageEntryPrice: nullable(amount),
  averageHoldTimeSeconds: nullable(amount),
  tradeId: nullable(uuid),
  thesis: nullable(prose),
});
export type DevHolding = ReadOf<typeof devHolding>;
export type WireDev = WrittenOf<typeof devHolding>;

export const tokenDevs = object({ token, devs: list(devHolding, DEVS_MAX) });

export const CANDLE_INTERVALS = ["1m", "5m", "15m", "1h", "4h", "1d"] as const;
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

const candle = object({
  /** When it opens. */
  t: time,
  o: amount,
  h: amount,
  l: amount,
  c: amount,
  volumeUsd: decimal,
  buyUsd: decimal,
  sellUsd: decimal,
  trades: count,
});

/** Ascending. Before `coveredFrom` the platform knows nothing; `nextFrom` is the start of the next page. */
export const candlesPage = object({
  token,
  rows: list(candle, CANDLES_MAX),
  coveredFrom: time,
  nextFrom: nullable(time),
});
export type CandlesPage = ReadOf<typeof candlesPage>;
export type WireCandlesPage = WrittenOf<typeof candlesPage>;

const quote = withAddress(
  object({
    address: tokenFields.address,
    networkId,
    priceUsd: nullable(amount),
    ...pricing,
    /** The fee of the pool that gave the price, where that is known. */
    feeBps: optional(feeBps),
    asOf: time,
  }),
);
export type Quote = ReadOf<typeof quote>;
export type WireQuote = WrittenOf<typeof quote>;

export const quotesAnswer = object({ rows: list(quote, QUOTES_MAX) });
