// The effect of one transaction on one wallet: a pure function of the transaction, its receipt and, where known, the wallet's
// native balances around it. Equal inputs always give equal flows.
import { type Flow, type Leg, NATIVE } from "../chain.ts";
import { dollarsOf } from "../prices/known.ts";
import type { EvmChain } from "./chains.ts";
import { kindOf } from "./kind.ts";
import { netOf, readMoves } from "./moves.ts";
import { feeOf, type NativeBalances, nativeByBalances, nativeByLogs } from "./native.ts";
import type { TokenMove } from "./token-move.ts";
import { optionalQuantity, type RawLog, type RawReceipt, type RawTransaction, ZERO_ADDRESS } from "./wire.ts";

export interface Included {
  chain: EvmChain;
  transaction: RawTransaction;
  receipt: RawReceipt;
}

export function netFlow(
  { chain, transaction, receipt }: Included,
  owner: string,
  balances: NativeBalances | null,
): Flow {
  const wallet = owner.toLowerCase();
  const sender = transaction.from.toLowerCase();
  const feeRaw = sender === wallet ? feeOf(transaction, receipt) : 0n;
  const identity = {
    chainId: chain.chainId,
    wallet,
    hash: transaction.hash.toLowerCase(),
    index: Number(
      optionalQuantity(receipt.transactionIndex ?? transaction.transactionIndex, "transactionIndex"),
    ),
    feeRaw,
  };
  if (receipt.status !== undefined && optionalQuantity(receipt.status, "status") === 0n)
    return {
      ...identity,
      kind: "failed",
      swap: false,
      sold: [],
      bought: [],
      counterparty: null,
      exact: true,
    };

  const logs = withoutRepeats(receipt.logs);
  const moves = readMoves(logs, chain.wrapped, chain.mirrors);
  const net = netOf(moves.fungible, wallet);
  const native = balances
    ? nativeByBalances(balances, feeRaw)
    : nativeByLogs(transaction, receipt, wallet, moves.fungible, chain.wrapped, net);
  if (native.amountRaw !== 0n) net.set(NATIVE, native.amountRaw);

  const { sold, bought } = sides(net);
  const kind = kindOf({
    wallet,
    sender,
    target: transaction.to?.toLowerCase() ?? null,
    sold,
    bought,
    moves: moves.fungible,
    collectibles: moves.collectibles,
    logs,
    wrapped: chain.wrapped,
    stables: dollarsOf(chain.chainId),
    isNativeKnown: native.exact,
  });
  return {
    ...identity,
    kind,
    swap: kind === "swap",
    sold,
    bought,
    counterparty: counterpartyOf(transaction, moves.fungible, wallet, [...sold, ...bought]),
    exact: native.exact,
  };
}

/** Every address that gained or lost a token here, the sender first: the wallets a transaction might be explained for. */
export function walletsIn({ chain, transaction, receipt }: Included): string[] {
  const { fungible, collectibles } = readMoves(receipt.logs, chain.wrapped, chain.mirrors);
  const found = new Set([transaction.from.toLowerCase()]);
  for (const { from, to } of [...fungible, ...collectibles]) found.add(from).add(to);
  found.delete(ZERO_ADDRESS);
  return [...found];
}

function sides(net: ReadonlyMap<string, bigint>): { sold: Leg[]; bought: Leg[] } {
  const sold: Leg[] = [];
  const bought: Leg[] = [];
  for (const [token, amount] of net) {
    if (amount < 0n) sold.push({ token, amountRaw: -amount });
    else bought.push({ token, amountRaw: amount });
  }
  return { sold, bought };
}

/** The wallet's counterparty, if there is exactly one for everything that moved. */
function counterpartyOf(
  transaction: RawTransaction,
  moves: readonly TokenMove[],
  wallet: string,
  legs: readonly Leg[],
): string | null {
  const others = new Set<string>();
  for (const { token, from, to } of moves) {
    if (from === to || !legs.some((leg) => leg.token === token)) continue;
    if (from === wallet) others.add(to);
    if (to === wallet) others.add(from);
  }
  if (legs.some(({ token }) => token === NATIVE)) {
    const sender = transaction.from.toLowerCase();
    const other = sender === wallet ? transaction.to?.toLowerCase() : sender;
    if (other !== undefined && other !== wallet) others.add(other);
  }
  const [only, ...more] = others;
  return more.length === 0 ? (only ?? null) : null;
}

/** A node may repeat a log; its index in the block identifies it. */
function withoutRepeats(logs: readonly RawLog[]): RawLog[] {
  const seen = new Set<string>();
  return logs.filter((log) => {
    if (log.removed) return false;
    if (log.logIndex === undefined) return true;
    const isNew = !seen.has(log.logIndex);
    seen.add(log.logIndex);
    return isNew;
  });
}
