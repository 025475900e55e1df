// Reads one range of blocks: which of them concern the watched wallets and pools, and what happened there. Block hashes are
// checked before and after, so a re-org in between is noticed and nothing from a mixed chain is returned.
import type { BlockRead, WatchList } from "../chain.ts";
import type { RpcClient } from "../rpc/client.ts";
import { type Content, NotReady, readContents } from "./block-reads.ts";
import type { BlockReceipts } from "./block-receipts.ts";
import type { EvmChain } from "./chains.ts";
import { type Header, mayHoldTransfers, readHeader } from "./headers.ts";
import { type BlockHits, contentOf, hitsOf, walletTopics } from "./hits.ts";
import { type BlockSpan, hexOf, type LogSource, type Logs, type Where } from "./log-source.ts";
import type { NativeTracer } from "./native-trace.ts";
import type { Mark, Place } from "./place.ts";
import type { PoolReader } from "./pool-tokens.ts";
import type { RawLog } from "./wire.ts";

export interface StretchContext {
  chain: EvmChain;
  rpc: RpcClient;
  pools: PoolReader;
  tracer: NativeTracer;
  receipts: BlockReceipts;
  watch: Pick<WatchList, "wallets" | "pools">;
  span: BlockSpan;
  logs: LogSource;
  signal?: AbortSignal;
  /** How many times in a row this was tried and not ready. */
  doubts?: number;
}

/** The block at each height, all from one provider; null where missing. */
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

/** The same, with one of them already known. */
async function headersWith(
  context: StretchContext,
  known: Header,
  heights: readonly number[],
): Promise<(Header | null)[]> {
  const missing = [...new Set(heights)].filter((height) => height !== known.height);
  const asked = missing.length > 0 ? await headersAt(context, missing) : [];
  return heights.map((height) =>
    height === known.height ? known : (asked[missing.indexOf(height)] ?? null),
  );
}

export interface NewBlocks {
  reads: BlockRead[];
  /** The blocks with content, and the last one. */
  marks: Mark[];
  /** Already-read blocks for which the node now has more than it had then. */
  completed: Mark[];
  last: Header;
}

/** With few wallets, this many earlier blocks are queried again: a node may index a block after announcing it. */
const OVERLAP_BLOCKS = 8;
/** A header whose bloom allows transfers while the node returns none is doubted this many times, then believed. */
const DOUBTS_MAX = 3;

/**
 * Reads on from the newest block of a place; null when that block is no longer the parent of the next. The head's header is
 * known, so a chain that advanced by one block needs no extra call.
 */
export async function readNewBlocks(
  context: StretchContext,
  place: Place,
  newest: Mark,
  head: Header,
): Promise<NewBlocks | null> {
  const { chain, watch, span, doubts = 0 } = context;
  const wallets = walletTopics(watch.wallets(chain.chainId));
  const isNamed = context.logs.names(wallets);
  const from = newest.height + 1;
  const finalHeight = place.marks[0]?.height ?? newest.height;
  const overlapMax = isNamed ? Math.min(OVERLAP_BLOCKS, from - finalHeight - 1) : 0;

  const ask = async (end: number, start: number) => {
    const [first, last] = await headersWith(context, head, [from, end]);
    if (!first || !last) throw new NotReady("the head is not there yet");
    if (first.parentHash !== newest.hash) return null;
    const where: Where = start === end ? { blockHash: last.hash } : { from: start, to: end };
    const logs = await context.logs.fetch(where, wallets, watch.pools(chain.chainId), context.signal);
    return { start, first, last, logs };
  };
  const { to, answer } = await span.run(from, head.height, ask, overlapMax);
  if (answer === null) return null;
  const { start, first, last, logs } = answer;
  if (!isNamed && doubts < DOUBTS_MAX) doubtEmptiness([first, last], logs);

  const contents = contentsOf(logs, wallets, chain, start, to);
  const late = contents.filter(({ hits }) => hits.height < from && isNews(place, hits, contents));
  const fresh = contents.filter(({ hits }) => hits.height >= from);
  const reads = await readContents(context, [...late, ...fresh]);
  // Nothing was read from a block without content: if it changes, the next look sees another parent hash.
  if (reads.length > 0) await expectSame(context, last);
  const marks = fresh.map(markOf);
  if (marks.at(-1)?.height !== last.height)
    marks.push({ height: last.height, hash: last.hash, content: null });
  return { reads, marks, completed: late.map(markOf), last };
}

/** Checks already-read blocks once more before they become final; returns what was omitted the first time. */
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
      context.logs.fetch({ from: next, to: last }, wallets, watch.pools(chain.chainId), context.signal),
    );
    const contents = contentsOf(answer, wallets, chain, next, to);
    missing.push(...contents.filter(({ hits }) => isNews(place, hits, contents)));
    next = to + 1;
  }
  const reads = await readContents(context, missing);
  if (reads.length > 0) await expectSame(context, final);
  return { reads, completed: missing.map(markOf) };
}

async function expectSame(context: StretchContext, { height, hash }: Header): Promise<void> {
  const [again] = await headersAt(context, [height]);
  if (again?.hash !== hash) throw new NotReady("the chain changed while it was read");
}

/** Right after a block is announced, some nodes have its header but not its logs. */
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
