// Trading people, for bench/tracker-books.ts: a stream of fills that follows from a seed, as blocks for the sink, or inserted
// into the tables as if they had been read long ago.
import { type Database, insertMany } from "../database/database.ts";
import type { SqlValue } from "../database/sql.ts";
import { derivedUuid } from "../kit/ids.ts";
import { seededRandom } from "../kit/random.ts";
import { readLedger } from "../tracker/books/ledger.ts";
import { savePositions } from "../tracker/books/positions.ts";
import type { BlockRead } from "../tracker/chain.ts";
import { createMoney } from "../tracker/prices/money.ts";
import type { RosterEntry } from "../tracker/roster/file.ts";
import { quietHash } from "./kit/quiet-chain.ts";

export interface WorldSize {
  traders: number;
  fills: number;
  tokens: number;
}

export const CHAIN_ID = 8453;
export const BLOCK_MS = 2_000;
export const DOLLAR = `0x${"d".repeat(40)}`;
export const MONEY = createMoney([{ chainId: CHAIN_ID, wrapped: `0x${"e".repeat(40)}`, stables: [DOLLAR] }]);
const DEPTH_USD = 50_000;
/** About as many positions as one person has open at once. */
const OPEN_MAX = 30;
const DOLLAR_UNIT = 1_000_000;

const address = (kind: string, index: number): string =>
  `0x${kind}${index.toString(16).padStart(40 - kind.length, "0")}`;
export const walletOf = (index: number): string => address("a", index);
const tokenOf = (index: number): string => address("b", index);
const poolOf = (index: number): string => address("c", index);

export const handleOf = (index: number): string => `trader${index}`;

export const rosterOf = ({ traders }: WorldSize): RosterEntry[] =>
  Array.from({ length: traders }, (_, index) => ({
    handle: handleOf(index),
    displayName: `Trader ${index}`,
    solana: [],
    evm: [walletOf(index)],
  }));

export interface WorldFill {
  place: number;
  /** Of its transaction and of its block. */
  hash: string;
  height: number;
  trader: number;
  token: number;
  isBuy: boolean;
  amountRaw: bigint;
  usd: number;
  priceUsd: number;
}

/** `timeOf` gives the time of the fill at a place. */
export function createWorld(name: string, size: WorldSize, timeOf: (place: number) => number) {
  const random = seededRandom(name);
  const prices = Float64Array.from({ length: size.tokens }, () => 10 ** (random.next() * 6 - 5));
  const held = Array.from({ length: size.traders }, () => new Map<number, { raw: bigint; fills: number }>());
  // A few tokens are traded by everybody, most by few.
  const pickToken = () => Math.floor(size.tokens * random.next() ** 3);
  let place = 0;
  return {
    next(): WorldFill {
      const trader = random.below(size.traders);
      const own = held[trader] as Map<number, { raw: bigint; fills: number }>;
      const known = own.size > 0 && (own.size >= OPEN_MAX || random.chance(0.75)) ? [...own.keys()] : [];
      const token = known.length > 0 ? random.pick(known) : pickToken();
      const holding = own.get(token);
      const priceUsd = (prices[token] as number) * (0.97 + random.next() * 0.061);
      prices[token] = priceUsd;
      const isBuy = !holding || (holding.fills < 4 && random.chance(0.6));
      const bought = BigInt(Math.ceil(((10 + random.next() * 990) / priceUsd) * 1e6)) * 10n ** 12n;
      const isLast = holding !== undefined && holding.fills >= 3;
      const amountRaw = isBuy ? bought : isLast ? holding.raw : holding.raw / 2n + 1n;
      const raw = (holding?.raw ?? 0n) + (isBuy ? amountRaw : -amountRaw);
      if (raw > 0n) own.set(token, { raw, fills: (holding?.fills ?? 0) + 1 });
      else own.delete(token);
      const height = Math.floor(timeOf(place) / BLOCK_MS);
      const usd = (Number(amountRaw) / 1e18) * priceUsd;
      const hash = `0x${derivedUuid(name, place).replaceAll("-", "").repeat(2)}`;
      return { place: place++, hash, height, trader, token, isBuy, amountRaw, usd, priceUsd };
    },
  };
}

const legsOf = ({ token, amountRaw, usd }: WorldFill) => ({
  token: { token: tokenOf(token), amountRaw },
  paid: { token: DOLLAR, amountRaw: BigInt(Math.max(1, Math.round(usd * DOLLAR_UNIT))) },
});

/** As a reader delivers it: one fill per block. */
export function blockOf(fill: WorldFill): BlockRead {
  const { height, isBuy } = fill;
  const { token, paid } = legsOf(fill);
  const [sold, bought] = isBuy ? [paid, token] : [token, paid];
  const hash = fill.hash;
  const pool = { pool: poolOf(fill.token), hash, index: 1, in: sold, out: bought, doubt: null };
  return {
    block: {
      chainId: CHAIN_ID,
      height,
      hash: fill.hash,
      parentHash: quietHash(height - 1),
      timeMs: height * BLOCK_MS,
    },
    flows: [
      {
        chainId: CHAIN_ID,
        wallet: walletOf(fill.trader),
        hash,
        index: 0,
        swap: true,
        kind: "swap",
        sold: [sold],
        bought: [bought],
        feeRaw: 21_000n,
        counterparty: null,
        exact: true,
      },
    ],
    pools: [{ ...pool, reserves: [{ token: DOLLAR, amountRaw: BigInt(DEPTH_USD * DOLLAR_UNIT) }] }],
  };
}

/** The tables' rows for a fill that was read. */
function rowsOf(
  fill: WorldFill,
  coinUsd: number,
): Record<(typeof TABLES)[number], Record<string, SqlValue>[]> {
  const { height, isBuy, usd, priceUsd, place } = fill;
  const { token, paid } = legsOf(fill);
  const userId = derivedUuid("trader", handleOf(fill.trader));
  const timeMs = height * BLOCK_MS;
  const hash = fill.hash;
  const move = (leg: { token: string; amountRaw: bigint }, cameIn: boolean, unitUsd: number) => ({
    chainId: CHAIN_ID,
    blockHash: hash,
    height,
    timeMs,
    txHash: hash,
    txIndex: 0,
    wallet: walletOf(fill.trader),
    userId,
    token: leg.token,
    cameIn: cameIn ? 1 : 0,
    leg: cameIn ? 1 : 0,
    amountRaw: String(leg.amountRaw),
    kind: "swap",
    valueUsd: usd,
    priceUsd: unitUsd,
    pricedBy: "stable",
    depthUsd: null,
    priceAsOf: timeMs,
    exact: 1,
    feeRaw: "21000",
    feeUsd: leg === token ? 0.01 : 0,
    counterparty: null,
  });
  const price = {
    chainId: CHAIN_ID,
    height,
    blockHash: hash,
    place: 1,
    token: token.token,
    timeMs,
    priceUsd,
    valueUsd: usd,
    priceCoin: null,
    valueCoin: null,
    depthUsd: DEPTH_USD,
    depthCoin: null,
    doubt: null,
    bought: isBuy ? 1 : 0,
    pool: poolOf(fill.token),
    own: 1,
    txHash: hash,
  };
  return {
    tracker_block: [{ chainId: CHAIN_ID, hash, height, timeMs, coinUsd, coinBy: "feed", coinAsOf: timeMs }],
    tracker_move: [move(token, isBuy, priceUsd), move(paid, !isBuy, 1)],
    tracker_price: [price],
    tracker_feed: [
      {
        feed: "app",
        position: place + 1,
        eventId: derivedUuid("app", hash),
        chainId: CHAIN_ID,
        height,
        blockHash: hash,
        atMs: timeMs,
        item: `{"pad":"${"x".repeat(300)}"}`,
      },
    ],
  };
}

const TABLES = ["tracker_block", "tracker_move", "tracker_price", "tracker_feed"] as const;

const FILLS_A_WRITE = 5_000;
export const COIN_USD = 3_000;

export async function seedTables(
  database: Database,
  size: WorldSize,
  next: () => WorldFill,
  startedAt: number,
): Promise<void> {
  const known = { chainId: CHAIN_ID, seenAt: startedAt };
  const tokens = [
    { ...known, token: "native", symbol: "", name: "", decimals: 18, supplyRaw: null, place: 1 },
    { ...known, token: DOLLAR, symbol: "USDC", name: "Dollar", decimals: 6, supplyRaw: null, place: 2 },
    ...Array.from({ length: size.tokens }, (_, index) => ({
      ...known,
      token: tokenOf(index),
      symbol: `T${index}`,
      name: `Token ${index}`,
      decimals: 18,
      supplyRaw: String(10n ** 27n),
      place: index + 3,
    })),
  ];
  await database.write((tx) => insertMany(tx, "tracker_token", tokens));
  const openings = new Map<string, Record<string, SqlValue>>();
  for (let done = 0; done < size.fills; done += FILLS_A_WRITE) {
    const fills = Array.from({ length: Math.min(FILLS_A_WRITE, size.fills - done) }, next);
    await database.write(
      async (tx) => {
        const rows = fills.map((fill) => rowsOf(fill, COIN_USD));
        for (const table of TABLES)
          await insertMany(
            tx,
            table,
            rows.flatMap((row) => row[table]),
          );
        for (const fill of fills) {
          const [wallet, token] = [walletOf(fill.trader), tokenOf(fill.token)];
          if (openings.has(`${wallet} ${token}`)) continue;
          openings.set(`${wallet} ${token}`, {
            chainId: CHAIN_ID,
            wallet,
            token,
            userId: derivedUuid("trader", handleOf(fill.trader)),
            amountRaw: "0",
            priceUsd: null,
            atMs: fill.height * BLOCK_MS,
            height: fill.height - 1,
            blockHash: fill.hash,
            known: 1,
          });
        }
      },
      { patient: true, flushAside: true },
    );
  }
  await database.write(
    async (tx) => {
      await insertMany(tx, "tracker_opening", [...openings.values()]);
      await insertMany(tx, "tracker_feed_head", [{ feed: "app", position: size.fills }]);
      const final = Math.floor((startedAt - 60_000) / BLOCK_MS);
      await insertMany(tx, "tracker_final", [{ chainId: CHAIN_ID, height: final }]);
    },
    { patient: true },
  );
  for (let trader = 0; trader < size.traders; trader++) await seedPositions(database, trader);
}

/** As the books would have stored them. */
async function seedPositions(database: Database, trader: number): Promise<void> {
  const userId = derivedUuid("trader", handleOf(trader));
  const { booked, tokens } = await readLedger(database.read, userId, MONEY);
  const ledgers = [...tokens].map(([key, known]) => {
    const { chainId, token } = known;
    return { ledger: { userId, chainId, token, known, booked: booked.get(key) ?? [] }, sinceMs: 0 };
  });
  await database.write((tx) => savePositions(tx, ledgers), { patient: true, flushAside: true });
}
