// Extracts moves from a receipt's logs: fungible amounts, collectibles, and wraps and unwraps of the native coin. Each balance
// change appears once, even if a contract reports it with two events.
import type { TokenMove } from "./token-move.ts";
import { TOPICS } from "./topics.ts";
import { withoutTwins } from "./twins.ts";
import { addressIn, type RawLog, wordAt, ZERO_ADDRESS } from "./wire.ts";

export interface CollectibleMove {
  contract: string;
  from: string;
  to: string;
}

export interface Moves {
  fungible: TokenMove[];
  collectibles: CollectibleMove[];
}

export function readMoves(
  logs: readonly RawLog[],
  wrapped: string | null,
  mirrors: readonly string[],
): Moves {
  const fungible: TokenMove[] = [];
  const collectibles: CollectibleMove[] = [];
  const dual = new Set<string>();
  for (const log of logs) {
    const address = log.address.toLowerCase();
    if (mirrors.includes(address)) continue;
    const topic = log.topics[0];
    if (topic === TOPICS.transfer && (log.topics.length === 4 || OLD_COLLECTIBLES.has(address))) {
      const move = log.topics.length === 4 ? null : readTransfer(log, address);
      collectibles.push({ contract: address, from: move?.from ?? at(log, 1), to: move?.to ?? at(log, 2) });
    } else if (topic === TOPICS.transfer || topic === TOPICS.dualTransfer) {
      const move = readTransfer(log, address);
      if (move) fungible.push(move);
      if (topic === TOPICS.dualTransfer) dual.add(address);
    } else if (topic === TOPICS.transferSingle || topic === TOPICS.transferBatch) {
      if (log.topics.length === 4) collectibles.push({ contract: address, from: at(log, 2), to: at(log, 3) });
    }
  }
  const once = withoutTwins(fungible);
  return {
    fungible: wrapped === null ? once : withWrapping(once, logs, wrapped),
    collectibles: collectibles.filter(({ contract }) => !dual.has(contract)),
  };
}

/** Collectibles older than their standard, whose events look like an ERC-20's. */
const OLD_COLLECTIBLES = new Set([
  "0x06012c8cf97bead5deae237070f9587f8e7a266d",
  "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb",
]);

const at = (log: RawLog, index: number): string => addressIn(String(log.topics[index]));

function readTransfer(log: RawLog, token: string): TokenMove | null {
  // Old tokens index nothing, or only one side: topics and data together still follow the event's order.
  const topics = log.topics.slice(1);
  const amountIndex = 2 - topics.length;
  if (amountIndex < 0) return null;
  const amountRaw = wordAt(log.data, amountIndex);
  if (amountRaw === undefined || amountRaw === 0n) return null;
  const from = topics[0] ?? wordHex(log.data, 0);
  const to = topics[1] ?? wordHex(log.data, 1 - topics.length);
  return { token, from: addressIn(from), to: addressIn(to), amountRaw };
}

const wordHex = (data: string, index: number): string => data.slice(2 + index * 64, 2 + (index + 1) * 64);

/**
 * Adds the wrapped coin's deposits and withdrawals as mints and burns. Some wrapped coins emit only these, some only mint and
 * burn Transfers, some both: if a Transfer reports the same, it is not added twice.
 */
function withWrapping(fungible: readonly TokenMove[], logs: readonly RawLog[], wrapped: string): TokenMove[] {
  const reported = new Map<string, number>();
  for (const move of fungible) {
    if (move.token === wrapped && (move.from === ZERO_ADDRESS || move.to === ZERO_ADDRESS))
      reported.set(keyOf(move), (reported.get(keyOf(move)) ?? 0) + 1);
  }
  const added: TokenMove[] = [];
  for (const log of logs) {
    const [topic] = log.topics;
    if (log.address.toLowerCase() !== wrapped || log.topics.length !== 2) continue;
    if (topic !== TOPICS.deposit && topic !== TOPICS.withdrawal) continue;
    const amountRaw = wordAt(log.data, 0);
    if (amountRaw === undefined || amountRaw === 0n) continue;
    const holder = at(log, 1);
    const move =
      topic === TOPICS.deposit
        ? { token: wrapped, from: ZERO_ADDRESS, to: holder, amountRaw }
        : { token: wrapped, from: holder, to: ZERO_ADDRESS, amountRaw };
    const times = reported.get(keyOf(move)) ?? 0;
    if (times > 0) reported.set(keyOf(move), times - 1);
    else added.push(move);
  }
  return [...fungible, ...added];
}

const keyOf = ({ from, to, amountRaw }: TokenMove): string => `${from}${to}${amountRaw}`;

/** A wallet's gain (positive) or loss per token. */
export function netOf(moves: readonly TokenMove[], wallet: string): Map<string, bigint> {
  const net = new Map<string, bigint>();
  for (const { token, from, to, amountRaw } of moves) {
    if (from === to) continue;
    if (from === wallet) net.set(token, (net.get(token) ?? 0n) - amountRaw);
    if (to === wallet) net.set(token, (net.get(token) ?? 0n) + amountRaw);
  }
  for (const [token, amount] of net) if (amount === 0n) net.delete(token);
  return net;
}
