// Trades in pools, for prices and candles. Common pools' events give both amounts; a contract that took one token and paid
// another counts as a pool too. None of this decides what a wallet did.
import { type Leg, NATIVE, type PoolTrade } from "../chain.ts";
import type { EvmChain } from "./chains.ts";
import { netOf, readMoves } from "./moves.ts";
import type { TokenMove } from "./token-move.ts";
import { TOPICS } from "./topics.ts";
import { type RawLog, type RawReceipt, signedWordAt, wordAt, ZERO_ADDRESS } from "./wire.ts";

export const SWAP_TOPICS: string[] = [
  TOPICS.swapV2,
  TOPICS.swapSolidly,
  TOPICS.swapV3,
  TOPICS.swapV3WithFees,
  TOPICS.swapV4,
  TOPICS.swapV4WithFees,
];

const SINGLETON_TOPICS: readonly string[] = [TOPICS.swapV4, TOPICS.swapV4WithFees];

/** A pool's two tokens in its own order, the native coin as the zero address. */
export type PoolTokens = readonly [string, string];

/** A pool's name in `PoolTrade.pool`: its address, with the pool's id where one contract holds many. */
export function poolNameOf(log: RawLog): string {
  const address = log.address.toLowerCase();
  return SINGLETON_TOPICS.includes(String(log.topics[0])) ? `${address}:${String(log.topics[1])}` : address;
}

/** Judged by its name. */
export const isInSingleton = (pool: string): boolean => pool.includes(":");

/** The amounts from the pool's side: positive came in, negative went out. */
function poolAmounts(log: RawLog): [bigint, bigint] | null {
  const { data } = log;
  switch (log.topics[0]) {
    case TOPICS.swapV2:
    case TOPICS.swapSolidly: {
      const [in0, in1, out0, out1] = [0, 1, 2, 3].map((index) => wordAt(data, index));
      if (in0 === undefined || in1 === undefined || out0 === undefined || out1 === undefined) return null;
      return [in0 - out0, in1 - out1];
    }
    case TOPICS.swapV3:
    case TOPICS.swapV3WithFees:
      return pair(signedWordAt(data, 0), signedWordAt(data, 1));
    case TOPICS.swapV4:
    case TOPICS.swapV4WithFees: {
      // From the trader's side.
      const amounts = pair(signedWordAt(data, 0), signedWordAt(data, 1));
      return amounts && [-amounts[0], -amounts[1]];
    }
    default:
      return null;
  }
}

const pair = (first: bigint | undefined, second: bigint | undefined): [bigint, bigint] | null =>
  first === undefined || second === undefined ? null : [first, second];

/** One event as a trade; null when the amounts are not an exchange. */
export function tradeOf(log: RawLog, tokens: PoolTokens, chain: EvmChain): PoolTrade | null {
  const amounts = poolAmounts(log);
  if (!amounts) return null;
  const [first, second] = amounts;
  if (first === 0n || second === 0n || first > 0n === second > 0n) return null;
  const legs = ([first, second] as const).map(
    (amount, index): Leg => ({
      token: folded(String(tokens[index]), chain),
      amountRaw: amount < 0n ? -amount : amount,
    }),
  );
  const [zero, one] = legs as [Leg, Leg];
  return {
    pool: poolNameOf(log),
    hash: String(log.transactionHash).toLowerCase(),
    index: Number(log.logIndex),
    in: first > 0n ? zero : one,
    out: first > 0n ? one : zero,
    reserves: null,
    doubt: null,
  };
}

/** Pools price the native coin and its wrapped form alike. */
export const folded = (token: string, { wrapped }: EvmChain): string =>
  token === wrapped || token === ZERO_ADDRESS ? NATIVE : token;

/**
 * The tokens of a singleton's pool as the receipt shows them: found by amount, which must be unambiguous. Null for a pool with
 * its own address, which can be queried.
 */
export function tokensByTransfers(log: RawLog, moves: readonly TokenMove[]): PoolTokens | null {
  const address = log.address.toLowerCase();
  const amounts = isInSingleton(poolNameOf(log)) ? poolAmounts(log) : null;
  if (!amounts) return null;
  const here = moves.filter(({ from, to }) => from === address || to === address);
  const [first, second] = amounts.map((amount) => tokenMoved(here, address, amount));
  if (first === null || second === null || first === second) return null;
  if (first === undefined) return second === undefined ? null : [ZERO_ADDRESS, second];
  return second === undefined ? null : [first, second];
}

/** A pool's event with the pool's tokens. */
export interface NamedSwap {
  log: RawLog;
  tokens: PoolTokens | null;
}

/**
 * Whether the events of one contract in a receipt match its actual token moves. A singleton's pools settle together, and in
 * native coin without a log: then only the other side is checked against the moves.
 */
export function hasMoved(
  { log, tokens }: { log: RawLog; tokens: PoolTokens },
  swaps: readonly NamedSwap[],
  moves: readonly TokenMove[],
): boolean {
  const holder = log.address.toLowerCase();
  const said = new Map<string, bigint>();
  for (const each of swaps) {
    if (each.log.address.toLowerCase() !== holder) continue;
    const amounts = poolAmounts(each.log);
    if (!amounts || !each.tokens) return false;
    for (const [at, token] of each.tokens.entries())
      said.set(token, (said.get(token) ?? 0n) + (amounts[at] ?? 0n));
  }
  const net = netOf(moves, holder);
  return tokens.every((token) => token === ZERO_ADDRESS || (net.get(token) ?? 0n) === said.get(token));
}

/** The one token that the pool took or paid in exactly this amount; undefined for none, null for several. */
function tokenMoved(moves: readonly TokenMove[], pool: string, amount: bigint): string | null | undefined {
  const size = amount < 0n ? -amount : amount;
  const fitting = moves.filter(
    ({ from, to, amountRaw }) => amountRaw === size && (amount > 0n ? to : from) === pool,
  );
  const tokens = new Set(fitting.map(({ token }) => token));
  return tokens.size > 1 ? null : [...tokens][0];
}

/** Contracts without a known event that took one token and paid another; wallets and the sender are not pools. */
export function unnamedTrades(
  receipt: RawReceipt,
  chain: EvmChain,
  notPools: ReadonlySet<string>,
): PoolTrade[] {
  const { fungible } = readMoves(receipt.logs, chain.wrapped, chain.mirrors);
  const named = new Set(
    receipt.logs
      .filter((log) => SWAP_TOPICS.includes(String(log.topics[0])))
      .map((log) => log.address.toLowerCase()),
  );
  const trades: PoolTrade[] = [];
  for (const holder of new Set(fungible.flatMap(({ from, to }) => [from, to]))) {
    if (holder === ZERO_ADDRESS || named.has(holder) || notPools.has(holder)) continue;
    const net = [...netOf(fungible, holder)];
    const [taken] = net.filter(([, amount]) => amount > 0n);
    const [paid] = net.filter(([, amount]) => amount < 0n);
    if (net.length !== 2 || !taken || !paid || taken[0] === holder || paid[0] === holder) continue;
    // Routers and settlement contracts keep only leftovers of what passes through; a pool keeps all it takes.
    const passesOn = fungible.some(
      ({ token, from, to }) =>
        (token === taken[0] && from === holder) || (token === paid[0] && to === holder),
    );
    if (passesOn) continue;
    const last = receipt.logs.findLast((log) => log.address.toLowerCase() === paid[0]);
    trades.push({
      pool: holder,
      hash: receipt.transactionHash.toLowerCase(),
      index: Number(last?.logIndex ?? 0),
      in: { token: folded(taken[0], chain), amountRaw: taken[1] },
      out: { token: folded(paid[0], chain), amountRaw: -paid[1] },
      reserves: null,
      doubt: "factory",
    });
  }
  return trades;
}
