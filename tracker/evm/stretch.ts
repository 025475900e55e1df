// Reads one stretch of blocks: which of them concern the watched wallets and pools, and what happened there. The blocks'
// hashes are looked at before and after, so a re-org in between is noticed and nothing of a mixed chain is returned.
import type { BlockRead, WatchList } from "../chain.ts";
import type { RpcClient } from "../rpc/client.ts";
import { type Content, NotReady, readContents } from "./block-reads.ts";
import type { EvmChain } from "./chains.ts";
import { type Header, mayHoldTransfers, readHeader } from "./headers.ts";
import { type BlockHits, contentOf, hitsOf, walletTopics } from "./hits.ts";
import { fetchLogs, hexOf, type Logs, type Span, TOPIC_WALLETS_MAX, type Where } from "./log-source.ts";
import type { NativeTracer } from "./native-trace.ts";
import type { Mark, Place } from "./place.ts";
import type { PoolReader } from "./pool-tokens.ts";
import type { RawLog } from "./wire.ts";

export interface StretchContext {
  chain: EvmChain;
  rpc: RpcClient;
  pools: PoolReader;
  tracer: NativeTracer;
  watch: Pick<WatchList, "wallets" | "pools">;
  span: Span;
  signal?: AbortSignal;
}

/** The block at each height, all from one provider; null where there is none. */
export async function headersAt(
  { rpc, chain, signal }: Pick<StretchContext, "rpc" | "chain" | "signal">,
  heights: readonly (number | string)[],
): Promise<(Header | null)[]> {
  const replies = await rpc.batch(
    heights.map((height) => ({
      method: "eth_getBlockByNumber",
      params: [typeof height === "number" ? hexOf(height) : height, false],
    })),
    signal,
  );
  return replies.map((reply) => {
    if ("refused" in reply) throw reply.refused;
    return readHeader(reply.result, chain.chainId);
  });
}

export interface NewBlocks {
  reads: BlockRead[];
  /** Blocks with content, and the last one. */
  marks: Mark[];
  /** Blocks read before, of which the node now has more than it had then. */
  completed: Mark[];
  last: Header;
}

/** With few wallets, so many blocks before the new ones are asked for again: a node may index a block after announcing it. */
const OVERLAP_BLOCKS = 8;
/** A header that allows for transfers while the node has none is doubted so often, then believed. */
const DOUBTS_MAX = 3;

/** Reads on from the newest block of a place; null when that block is no longer the parent of the next. */
export async function readNewBlocks(
  context: StretchContext,
  place: Place,
  newest: Mark,
  headHeight: number,
  doubts: number,
): Promise<NewBlocks | null> {
  const { chain, watch, span } = context;
  const wallets = walletTopics(watch.wallets(chain.chainId));
  const isNamed = wallets.size <= TOPIC_WALLETS_MAX;
  const from = newest.height + 1;
  const finalHeight = place.marks[0]?.height ?? newest.height;
  const start = isNamed ? Math.max(finalHeight + 1, from - OVERLAP_BLOCKS) : from;

  const { to, answer } = await span.run(from, headHeight, async (end) => {
    const [first, last] = await headersAt(context, [from, end]);
    if (!first || !last) throw new NotReady("the head is not there yet");
    const where: Where = start === end ? { blockHash: last.hash } : { from: start, to: end };
    return {
      first,
      last,
      logs: await fetchLogs(context.rpc, where, wallets, watch.pools(chain.chainId), context.signal),
    };
  });
  const { first, last, logs } = answer;
  if (first.parentHash !== newest.hash) return null;
  if (!isNamed && doubts < DOUBTS_MAX) doubtEmptiness([first, last], logs);

  const contents = contentsOf(logs, wallets, chain, start, to);
  const late = contents.filter(({ hits }) => hits.height < from && isNews(place, hits, contents));
  const fresh = contents.filter(({ hits }) => hits.height >= from);
  const reads = await readContents(context, [...late, ...fresh]);
  await expectSame(context, last);
  const marks = fresh.map(markOf);
  if (marks.at(-1)?.height !== last.height)
    marks.push({ height: last.height, hash: last.hash, content: null });
  return { reads, marks, completed: late.map(markOf), last };
}

/** Looks once more at blocks that were read, before they become final; returns what had been left out then. */
export async function reviewBlocks(
  context: StretchContext,
  place: Place,
  { from, to: end }: { from: number; to: number },
  final: Header,
): Promise<{ reads: BlockRead[]; completed: Mark[] }> {
  const { chain, watch, span } = context;
  const wallets = walletTopics(watch.wallets(chain.chainId));
  const missing: Content[] = [];
  for (let next = from; next <= end; ) {
    const { to, answer } = await span.run(next, end, (last) =>
      fetchLogs(context.rpc, { from: next, to: last }, wallets, watch.pools(chain.chainId), context.signal),
    );
    const contents = contentsOf(answer, wallets, chain, next, to);
    missing.push(...contents.filter(({ hits }) => isNews(place, hits, contents)));
    next = to + 1;
  }
  const reads = await readContents(context, missing);
  await expectSame(context, final);
  return { reads, completed: missing.map(markOf) };
}

async function expectSame(context: StretchContext, { height, hash }: Header): Promise<void> {
  const [again] = await headersAt(context, [height]);
  if (again?.hash !== hash) throw new NotReady("the chain changed while it was read");
}

/** In the moments after a block is announced, some nodes have its header but not its logs. */
function doubtEmptiness(headers: readonly Header[], { transfers }: Logs): void {
  for (const header of headers) {
    if (!mayHoldTransfers(header)) continue;
    if (!transfers.some((log) => Number(log.blockNumber) === header.height))
      throw new NotReady("the node has not indexed the block's logs yet");
  }
}

function contentsOf(
  { transfers, swaps }: Logs,
  wallets: ReturnType<typeof walletTopics>,
  chain: EvmChain,
  from: number,
  to: number,
): Content[] {
  const hits = hitsOf(transfers, wallets, chain.wrapped);
  const bySwaps = new Map<number, RawLog[]>();
  for (const log of swaps) {
    if (log.removed === true) continue;
    const height = Number(log.blockNumber);
    const known = bySwaps.get(height) ?? [];
    if (!known.some(({ logIndex }) => logIndex === log.logIndex)) bySwaps.set(height, [...known, log]);
    if (!hits.has(height))
      hits.set(height, { height, hash: String(log.blockHash).toLowerCase(), transactions: new Map() });
  }
  return [...hits.values()]
    .filter(({ height }) => height >= from && height <= to)
    .map((block) => ({ hits: block, swaps: bySwaps.get(block.height) ?? [] }));
}

const markOf = ({ hits, swaps }: Content): Mark => ({
  height: hits.height,
  hash: hits.hash,
  content: contentOf(hits, swaps.length),
});

function isNews(place: Place, hits: BlockHits, contents: readonly Content[]): boolean {
  const mark = place.marks.find(({ height }) => height === hits.height);
  const content = contents.find((one) => one.hits === hits);
  return mark?.content !== (content && markOf(content).content);
}
