// Trades in pools, for prices and candles. A pool is an owner that did not sign and whose balances of exactly two assets moved
// in opposite directions; a vault of plain SOL counts as one of the two.
import { type Leg, NATIVE, type PoolTrade } from "../chain.ts";
import { PUMP_PROGRAM, WRAPPED_SOL } from "./programs.ts";
import { saidCoins } from "./pump-events.ts";
import { swappedBy } from "./swaps.ts";
import type { SolanaTransaction } from "./transaction.ts";

export interface PoolMove {
  owner: string;
  in: Leg;
  out: Leg;
  /** As in a trade: the program whose single swap is all that moved the pool's vaults. */
  swappedBy: string | null;
  /** The owner's balances of the two tokens afterwards; empty if unknown. */
  reserves: Leg[];
}

export function poolMoves(transaction: SolanaTransaction): PoolMove[] {
  if (transaction.failed) return [];
  const changes = changesByOwner(transaction);
  const signers = new Set(transaction.keys.slice(0, transaction.signers));
  return [...changes].flatMap(([owner, amounts]) => {
    if (signers.has(owner)) return [];
    const moved = [...amounts].filter(([, amount]) => amount !== 0n);
    const gained = moved.filter(([, amount]) => amount > 0n);
    const lost = moved.filter(([, amount]) => amount < 0n);
    if (gained.length !== 1 || lost.length !== 1) return [];
    const [[inToken, inAmount]] = gained as [[string, bigint]];
    const [[outToken, outAmount]] = lost as [[string, bigint]];
    const legs = {
      in: { token: inToken, amountRaw: inAmount },
      out: { token: outToken, amountRaw: -outAmount },
    };
    const reserves = reservesOf(transaction, owner, [inToken, outToken]);
    return [{ owner, ...legs, ...saidOf(transaction, owner, legs), reserves }];
  });
}

/**
 * What the instructions show about a trade. Any program may add lamports to a curve's account without an instruction showing
 * it, so the launch pad's own event decides how many of them were paid.
 */
function saidOf(
  transaction: SolanaTransaction,
  owner: string,
  legs: Pick<PoolMove, "in" | "out">,
): Partial<PoolMove> & Pick<PoolMove, "swappedBy"> {
  const program = swappedBy(transaction, movedAccounts(transaction, owner));
  if (program !== PUMP_PROGRAM) return { swappedBy: program };
  const side = legs.in.token === NATIVE ? "in" : "out";
  if (legs[side].token !== NATIVE) return { swappedBy: program };
  const token = legs[side === "in" ? "out" : "in"].token;
  const coins = saidCoins(transaction, { pool: owner, token });
  if (coins === null) return { swappedBy: null };
  return { swappedBy: program, [side]: { token: NATIVE, amountRaw: coins } };
}

function movedAccounts({ tokenAccounts }: SolanaTransaction, owner: string): Set<string> {
  const own = tokenAccounts.filter((account) => [account.ownerBefore, account.ownerAfter].includes(owner));
  const moved = own.filter((account) => (account.before ?? 0n) !== (account.after ?? 0n));
  return new Set(moved.map(({ address }) => address));
}

/** More pools than fit in a transaction: combined with the transaction's index, a pool's own makes one unique in the block. */
const POOLS_PER_TRANSACTION_MAX = 256;

/** The trades of pools that no watched wallet owns; `index` is the transaction's index in its block. */
export function poolTrades(
  transaction: SolanaTransaction,
  watched: ReadonlySet<string>,
  index: number,
): PoolTrade[] {
  const hash = transaction.signature;
  return poolMoves(transaction)
    .map(({ owner, ...move }, at) => ({
      pool: owner,
      hash,
      index: index * POOLS_PER_TRANSACTION_MAX + at,
      ...move,
      doubt: null,
    }))
    .filter(({ pool }) => !watched.has(pool));
}

/**
 * An authority keeps the vaults of many pools, and nodes report accounts that are merely mentioned. So a single account per
 * token is the pool's; with more, a thin pool could borrow the depth of another one that was mentioned or traded through.
 */
function reservesOf(transaction: SolanaTransaction, owner: string, tokens: readonly string[]): Leg[] {
  const held = new Map<string, bigint>();
  for (const { mint, ownerBefore, ownerAfter, after } of transaction.tokenAccounts) {
    if (ownerBefore !== owner && ownerAfter !== owner) continue;
    const token = WRAPPED_SOL.has(mint) ? NATIVE : mint;
    if (held.has(token) || !tokens.includes(token)) return [];
    held.set(token, after ?? 0n);
  }
  const lamports = transaction.lamportsAfter[transaction.keys.indexOf(owner)];
  if (lamports !== undefined && !held.has(NATIVE)) held.set(NATIVE, BigInt(lamports));
  return [...held].map(([token, amountRaw]) => ({ token, amountRaw }));
}

function changesByOwner(transaction: SolanaTransaction): Map<string, Map<string, bigint>> {
  const owners = new Map<string, Map<string, bigint>>();
  const add = (owner: string, token: string, change: bigint) => {
    const amounts = owners.get(owner) ?? new Map<string, bigint>();
    amounts.set(token, (amounts.get(token) ?? 0n) + change);
    owners.set(owner, amounts);
  };
  for (const { mint, ownerBefore, ownerAfter, before, after } of transaction.tokenAccounts) {
    const token = WRAPPED_SOL.has(mint) ? NATIVE : mint;
    if (ownerBefore) add(ownerBefore, token, -(before ?? 0n));
    if (ownerAfter) add(ownerAfter, token, after ?? 0n);
  }
  // SOL that a vault's owner holds itself, unwrapped. An account that is opened or closed here also moves rent, which would
  // distort the price: it is not a pool yet, or not any more.
  transaction.keys.forEach((key, place) => {
    const before = transaction.lamportsBefore[place] ?? 0;
    const after = transaction.lamportsAfter[place] ?? 0;
    if (before !== after && before > 0 && after > 0 && owners.has(key))
      add(key, NATIVE, BigInt(after - before));
  });
  return owners;
}
