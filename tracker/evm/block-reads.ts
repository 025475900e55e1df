// Turns the hits of some blocks into flows and trades. Block, receipts and balances are fetched in one batch and must all
// belong to the same block; anything missing or contradictory is "not ready", and is read again later.
import type { BlockRead, Flow, PoolTrade } from "../chain.ts";
import type { RpcClient } from "../rpc/client.ts";
import type { RpcCall, RpcReply } from "../rpc/provider.ts";
import type { BlockReceipts } from "./block-receipts.ts";
import type { EvmChain } from "./chains.ts";
import { readReceipt } from "./explain.ts";
import { type Header, readHeader } from "./headers.ts";
import type { BlockHits } from "./hits.ts";
import { hexOf } from "./log-source.ts";
import type { NativeBalances } from "./native.ts";
import { shareNative } from "./native-share.ts";
import type { NativeTracer } from "./native-trace.ts";
import { netFlow } from "./netting.ts";
import type { PoolReader } from "./pool-tokens.ts";
import { quantity, type RawLog, type RawReceipt, type RawTransaction } from "./wire.ts";

/** The node's answers don't fit together (yet): it is behind, in the middle of a re-org, or wrong. */
export class NotReady extends Error {
  constructor(
    reason: string,
    readonly host: string | null = null,
  ) {
    super(reason);
  }
}

export interface Content {
  hits: BlockHits;
  /** Trades of watched pools in this block. */
  swaps: RawLog[];
}

interface Context {
  chain: EvmChain;
  rpc: RpcClient;
  pools: PoolReader;
  tracer: NativeTracer;
  receipts: BlockReceipts;
  signal?: AbortSignal;
  doubts?: number;
}

/** A balance refused without a clear reason is retried this many times before the amount is estimated. */
const REFUSALS_MAX = 3;

/** Reads in height order. */
export async function readContents(context: Context, contents: readonly Content[]): Promise<BlockRead[]> {
  const reads: BlockRead[] = [];
  for (const content of contents.toSorted((a, b) => a.hits.height - b.hits.height))
    reads.push(await readContent(context, content));
  return reads;
}

async function readContent(context: Context, { hits, swaps }: Content): Promise<BlockRead> {
  const { chain, rpc, signal } = context;
  const hashes = [...hits.transactions.keys()];
  const wallets = [...new Set([...hits.transactions.values()].flatMap((some) => [...some]))];
  const height = hexOf(hits.height);
  const receiptCalls = context.receipts.callsFor(hits.height, hashes);
  const calls: RpcCall[] = [
    { method: "eth_getBlockByNumber", params: [height, true] },
    ...receiptCalls,
    ...wallets.flatMap((wallet) =>
      [hexOf(hits.height - 1), height].map((at) => ({ method: "eth_getBalance", params: [wallet, at] })),
    ),
  ];
  const replies = await rpc.batch(calls, signal);
  const block = blockOf(replies[0], chain, hits);
  const balancesAt = 1 + receiptCalls.length;
  const given = await context.receipts.read(replies.slice(1, balancesAt), hashes, signal);
  const receipts = new Map(hashes.map((hash) => [hash, receiptOf(given.get(hash), hash, block)] as const));
  checkLogs(hits, receipts, replies[0]?.host ?? null);
  await addOthers(context, block, wallets, receipts, given);

  const natives = new Map<string, Map<string, NativeBalances>>();
  for (const [index, wallet] of wallets.entries()) {
    const [before, after] = replies
      .slice(balancesAt + 2 * index, balancesAt + 2 + 2 * index)
      .map((reply) => balanceOf(reply, (context.doubts ?? 0) < REFUSALS_MAX));
    if (block.miner === wallet) continue;
    if (typeof before !== "bigint" || typeof after !== "bigint") {
      const own = hashes.filter((hash) => hits.transactions.get(hash)?.has(wallet));
      natives.set(wallet, await tracedAlone(context, wallet, own));
      continue;
    }
    const gainedRaw = after - before - (block.withdrawals.get(wallet) ?? 0n);
    const transactions = concerning(block, receipts, hits, wallet);
    const shares = shareNative({ chain, wallet, gainedRaw, transactions });
    natives.set(wallet, await traced(context, wallet, shares));
  }

  const flows: Flow[] = [];
  const trades: PoolTrade[] = [];
  const notPools = new Set(wallets);
  for (const transaction of block.transactions) {
    const hash = transaction.hash.toLowerCase();
    const receipt = receipts.get(hash);
    const concerned = hits.transactions.get(hash);
    if (!receipt || !concerned) continue;
    for (const wallet of [...concerned].sort())
      flows.push(netFlow({ chain, transaction, receipt }, wallet, natives.get(wallet)?.get(hash) ?? null));
    notPools.add(transaction.from.toLowerCase());
    trades.push(...(await context.pools.tradesIn(receipt, notPools)));
  }
  const inReceipts = new Set(trades.map(({ index }) => index));
  trades.push(...(await context.pools.tradesOf(swaps)).filter(({ index }) => !inReceipts.has(index)));
  trades.sort((a, b) => a.index - b.index);
  const { chainId, hash, parentHash, timeMs } = block;
  return { block: { chainId, height: hits.height, hash, parentHash, timeMs }, flows, pools: trades };
}

/** Where balances only give a guess, traces are used if available. */
async function traced(
  { tracer, signal }: Context,
  wallet: string,
  shares: Map<string, NativeBalances>,
): Promise<Map<string, NativeBalances>> {
  for (const [hash, { approximate }] of shares) {
    const exact = approximate ? await tracer.balances(hash, wallet, signal) : null;
    if (exact) shares.set(hash, exact);
  }
  return shares;
}

/** Without balances, each transaction is traced on its own, if traces are available. */
async function tracedAlone(
  { tracer, signal }: Context,
  wallet: string,
  hashes: readonly string[],
): Promise<Map<string, NativeBalances>> {
  const shares = new Map<string, NativeBalances>();
  for (const hash of hashes) {
    const exact = await tracer.balances(hash, wallet, signal);
    if (exact) shares.set(hash, exact);
  }
  return shares;
}

function blockOf(reply: RpcReply | undefined, chain: EvmChain, hits: BlockHits): Header {
  if (!reply || "refused" in reply) throw new NotReady("the block was refused", reply?.host);
  const block = readHeader(reply.result, chain.chainId);
  if (!block || block.height !== hits.height) throw new NotReady("the block is not there yet", reply.host);
  if (block.hash !== hits.hash) throw new NotReady("logs and block are of different forks", reply.host);
  const known = new Set(block.transactions.map((one) => String(one.hash).toLowerCase()));
  for (const hash of hits.transactions.keys())
    if (!known.has(hash)) throw new NotReady("a log's transaction is not in its block", reply.host);
  return block;
}

function receiptOf(reply: RpcReply | undefined, hash: string, block: Header): RawReceipt {
  if (!reply || "refused" in reply || reply.result === null)
    throw new NotReady("a receipt is not there yet", reply?.host);
  const receipt = readReceipt(reply.result);
  if (receipt.transactionHash.toLowerCase() !== hash)
    throw new NotReady("a receipt is of another transaction", reply.host);
  if (receipt.blockHash?.toLowerCase() !== block.hash)
    throw new NotReady("receipt and block are of different forks", reply.host);
  return receipt;
}

/** If the receipt lacks a log, either the log's or the receipt's source is wrong. */
function checkLogs(hits: BlockHits, receipts: ReadonlyMap<string, RawReceipt>, host: string | null): void {
  for (const [hash, wallets] of hits.transactions) {
    const logs = receipts.get(hash)?.logs ?? [];
    for (const wallet of wallets) {
      const tail = wallet.slice(2);
      if (!logs.some((log) => log.topics.some((topic) => topic.toLowerCase().endsWith(tail))))
        throw new NotReady("a receipt lacks a transfer that the logs have", host);
    }
  }
}

const concerns = (transaction: RawTransaction, wallet: string): boolean =>
  transaction.from.toLowerCase() === wallet ||
  (transaction.to?.toLowerCase() === wallet && quantity(transaction.value, "value") > 0n);

/** The same balance difference includes fees and payments of the same wallets' other transactions. */
async function addOthers(
  { rpc, signal }: Context,
  block: Header,
  wallets: readonly string[],
  receipts: Map<string, RawReceipt>,
  given: ReadonlyMap<string, RpcReply>,
): Promise<void> {
  const others = block.transactions
    .filter((one) => !receipts.has(one.hash.toLowerCase()))
    .filter((one) => wallets.some((wallet) => concerns(one, wallet)))
    .map((one) => one.hash.toLowerCase());
  for (const hash of others) if (given.has(hash)) receipts.set(hash, receiptOf(given.get(hash), hash, block));
  const missing = others.filter((hash) => !given.has(hash));
  if (missing.length === 0) return;
  const replies = await rpc.batch(
    missing.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
    signal,
  );
  missing.forEach((hash, index) => {
    receipts.set(hash, receiptOf(replies[index], hash, block));
  });
}

function concerning(
  block: Header,
  receipts: ReadonlyMap<string, RawReceipt>,
  hits: BlockHits,
  wallet: string,
): { transaction: RawTransaction; receipt: RawReceipt }[] {
  return block.transactions.flatMap((transaction) => {
    const hash = transaction.hash.toLowerCase();
    const receipt = receipts.get(hash);
    const isHit = hits.transactions.get(hash)?.has(wallet) === true;
    return receipt && (isHit || concerns(transaction, wallet)) ? [{ transaction, receipt }] : [];
  });
}

/** Undefined when no node has state that old: the amount is then estimated and marked as such. */
function balanceOf(reply: RpcReply, isUrgent: boolean): bigint | undefined {
  if ("result" in reply) return reply.result === null ? undefined : quantity(reply.result, "balance");
  const { kind } = reply.refused;
  const isGone = kind === "pruned" || kind === "unsupported";
  if (!isGone && isUrgent) throw new NotReady("a balance was refused", reply.host);
  return undefined;
}
