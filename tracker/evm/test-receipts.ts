// Receipts made of a few transfers, for tests of a flow's kind.
import { evmChain } from "./chains.ts";
import { type Included, netFlow } from "./netting.ts";
import { TOPICS } from "./topics.ts";
import { type RawLog, topicOf } from "./wire.ts";

export const WALLET = `0x${"a1".repeat(20)}`;
export const ROUTER = `0x${"b2".repeat(20)}`;
export const POOL = `0x${"c3".repeat(20)}`;
export const VAULT = `0x${"d4".repeat(20)}`;
export const COIN = `0x${"e5".repeat(20)}`;
export const OTHER = `0x${"f6".repeat(20)}`;

export const word = (value: bigint): string => value.toString(16).padStart(64, "0");
export const transfer = (token: string, from: string, to: string, amount: bigint): RawLog => ({
  address: token,
  topics: [TOPICS.transfer, topicOf(from), topicOf(to)],
  data: `0x${word(amount)}`,
});

export function included(logs: RawLog[], value = 0n): Included {
  const hash = `0x${"11".repeat(32)}`;
  return {
    chain: evmChain(1),
    transaction: { hash, from: WALLET, to: ROUTER, value: `0x${value.toString(16)}` },
    receipt: { transactionHash: hash, status: "0x1", gasUsed: "0x0", effectiveGasPrice: "0x1", logs },
  };
}

export const still = { before: 10n ** 20n, after: 10n ** 20n };
export const kindOf = (logs: RawLog[], gained = 0n): string =>
  netFlow(included(logs), WALLET, { ...still, after: still.after + gained }).kind;
