// Follows one EVM chain. Start, gap, reconnect and live are the same thing: read on from the cursor to the head. Each step is
// one transaction of the sink that also stores the cursor, so a kill at any point loses and repeats nothing; a block on a
// losing fork is retracted before the winner is applied.
import type { ChainReader, Sink } from "../chain.ts";
import { type ChainReaderParts, followChain } from "../reader.ts";
import { createAgreement } from "../rpc/agreement.ts";
import { createStoredPlace } from "../stored-place.ts";
import { findAncestor } from "./ancestor.ts";
import { backfill } from "./backfill.ts";
import { NotReady } from "./block-reads.ts";
import { createBlockReceipts } from "./block-receipts.ts";
import type { EvmChain } from "./chains.ts";
import { type Header, readHeader } from "./headers.ts";
import { createHeardBlocks, type HeardBlocks } from "./heard-blocks.ts";
import { createLogSource, createSpan, hexOf } from "./log-source.ts";
import { createNativeTracer } from "./native-trace.ts";
import {
  contentAbove,
  cutAbove,
  decodePlace,
  encodePlace,
  extended,
  finalizedAt,
  finalOf,
  type Mark,
  newestOf,
  type Place,
  withContent,
} from "./place.ts";
import { createPoolReader } from "./pool-tokens.ts";
import type { SingletonPools } from "./singleton-pools.ts";
import { headersAt, readNewBlocks, reviewBlocks, type StretchContext } from "./stretch.ts";

export interface EvmReaderOptions extends ChainReaderParts {
  chain: EvmChain;
  /** The node's own notion of final, or this many blocks behind the head. */
  finality: "finalized" | "safe" | number;
  pollMs: number;
  /** Heads that arrive faster are read together: some chains have ten blocks a second. */
  gapMs: number;
  /** How often empty blocks are reviewed and finalized. */
  reviewMs: number;
  /** The maximum number of blocks per log query. */
  spanMax?: number;
  /** Shared with others that search for the same pools, so that each is searched for once. */
  singletons?: SingletonPools;
}

const SPAN_BLOCKS_MAX = 2_000;
const BACKFILL_BLOCKS_MAX = 10_000;
/** After this many inconsistent answers in a row, another provider is preferred for a while. */
const NOT_READY_MAX = 5;
/** After a failure, a slow chain is retried sooner than its next block. */
const RETRY_MS_MAX = 1_000;
/** While a socket announces blocks, the chain is polled only once in this many looks. */
const HEARD_LOOKS = 4;

export function createEvmReader(options: EvmReaderOptions): ChainReader {
  const { chain, rpc, sink, watch, clock, log, metrics } = options;
  const { chainId } = chain;
  const name = `evm:${chainId}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  const context: StretchContext = {
    chain,
    rpc,
    watch,
    signal,
    pools: createPoolReader(chain, rpc, options.singletons),
    tracer: createNativeTracer(rpc),
    receipts: createBlockReceipts(rpc, clock),
    logs: createLogSource(rpc, clock),
    span: createSpan(options.spanMax ?? SPAN_BLOCKS_MAX, rpc, clock),
  };

  const backfillSpan = createSpan(options.spanMax ?? BACKFILL_BLOCKS_MAX, rpc, clock);
  const agree = createAgreement({
    ...options,
    signal,
    question: (height) => ({ method: "eth_getBlockByNumber", params: [hexOf(height), false] }),
    hashOf: (result) => readHeader(result, chainId)?.hash ?? null,
  });
  const stored = createStoredPlace<Place>(sink, name, { encode: encodePlace, decode: decodePlace });

  let head: Header | null = null;
  let newestTimeMs: number | null = null;
  let notReady = 0;
  let reviewAt = 0;
  let heard: HeardBlocks | null = null;
  /** A wake-up from elsewhere than the socket: query the chain, whatever the socket says. */
  let isTipped = false;
  /** The current step, or the last one. */
  let looking: Promise<unknown> = Promise.resolve();

  async function begin(): Promise<void> {
    if ((await stored.load()) !== null) return;
    const latest = await need("latest");
    const final = await finalHeader(latest);
    // Everything is measured from this block, so its hash is checked twice.
    if ((await need(final.height)).hash !== final.hash) throw new NotReady("the first block is not certain");
    const fresh: Place = { marks: [{ height: final.height, hash: final.hash, content: null }] };
    await stored.step(fresh, (cursor) => sink.apply([], cursor));
  }

  async function need(height: number | string): Promise<Header> {
    const [header] = await headersAt(context, [height]);
    if (!header) throw new NotReady(`block ${height} is not there`);
    return header;
  }

  const finalIn = (latest: Header): number | "finalized" | "safe" =>
    typeof options.finality === "number" ? Math.max(0, latest.height - options.finality) : options.finality;
  const finalHeader = (latest: Header): Promise<Header> => need(finalIn(latest));

  /** One step; true when there is more to do right away. */
  async function look(): Promise<boolean> {
    if (!stored.isLoaded) await begin();
    context.doubts = notReady;
    const place = stored.current;
    const newest = newestOf(place);
    const missed = heard?.missedIn(place) ?? null;
    if (missed !== null) return await readAgain(place, missed);
    const quiet = isTipped ? null : heard?.quietAfter(newest);
    return quiet ? await passOver(quiet, newest.height) : await ask(place, newest);
  }

  /** News arrived about blocks that were skipped; true: look again. */
  async function readAgain(place: Place, from: number): Promise<boolean> {
    const newest = newestOf(place);
    const last = await need(newest.height);
    if (last.hash !== newest.hash) return await reorganize(place);
    const { reads, completed } = await reviewBlocks(context, place, { from, to: newest.height }, last);
    if (reads.length > 0) await keep(completed, [], reads);
    heard?.asked(newest);
    return true;
  }

  /** Blocks that are empty according to the socket; the review before they become final checks them. */
  async function passOver(blocks: readonly Header[], readBefore: number): Promise<boolean> {
    const last = blocks.at(-1) as Header;
    head = last;
    await keep(
      [],
      blocks.map(({ height, hash }) => ({ height, hash, content: null })),
      [],
    );
    newestTimeMs = last.timeMs;
    await finalize(last, readBefore);
    return false;
  }

  async function ask(place: Place, newest: Mark): Promise<boolean> {
    const latest = await need("latest");
    head = latest;
    heard?.seen(latest.height);
    if (latest.height <= newest.height) {
      // A node that is behind is not a re-org; one whose head differs from the block read at that height is.
      const there = place.marks.find(({ height }) => height === latest.height);
      if (there !== undefined && there.hash !== latest.hash) return await reorganize(place);
      if (latest.height < newest.height) return false;
      newestTimeMs = latest.timeMs;
    } else {
      const read = await readNewBlocks(context, place, newest, latest);
      if (read === null) return await reorganize(place);
      await keep(read.completed, read.marks, read.reads);
      newestTimeMs = read.last.timeMs;
      heard?.asked(newestOf(stored.current));
      isTipped = false;
    }
    await finalize(latest, newest.height);
    return newestOf(stored.current).height < latest.height;
  }

  async function keep(
    completed: readonly Mark[],
    marks: readonly Mark[],
    reads: Parameters<Sink["apply"]>[0],
  ): Promise<void> {
    const next = extended(completed.reduce(withContent, stored.current), marks);
    await stored.step(next, (cursor) => sink.apply(reads, cursor));
    metrics.blocks(reads.length);
  }

  /** Retracts what was read of the losing fork; reading continues from the last common block. */
  async function reorganize(at: Place): Promise<boolean> {
    const ancestor = await findAncestor(context, at);
    // A node whose blocks don't fit together, or several behind one address.
    if (!ancestor) throw new NotReady("the next block has another parent");
    const dead = contentAbove(at, ancestor.height);
    const next = cutAbove(at, ancestor.height);
    await stored.step(next, (cursor) =>
      dead.length > 0 ? sink.retract(chainId, dead, cursor) : sink.apply([], cursor),
    );
    metrics.reorg();
    log.info("chain reorganized", { chainId, ancestor: ancestor.height, retracted: dead.length });
    return true;
  }

  async function finalize(latest: Header, readBefore: number): Promise<void> {
    const at = stored.current;
    const newest = newestOf(at);
    const expected = finalIn(latest);
    if (typeof expected === "number" && expected <= finalOf(at).height) return;
    // Nobody waits for blocks without content, and each time costs several calls.
    const isAwaited = at.marks.some(
      ({ height, content }) =>
        content !== null &&
        height > finalOf(at).height &&
        (typeof expected === "string" || height <= expected),
    );
    if (!isAwaited && clock.now() < reviewAt) return;
    let final = await finalHeader(latest);
    // Blocks that were final when read, as in a long catch-up, need no second look.
    const reviewTo = final.height >= newest.height ? readBefore : final.height;
    if (final.height > newest.height) final = await need(newest.height);
    if (final.height <= finalOf(at).height) return;
    const mark = at.marks.find(({ height }) => height === final.height);
    if (mark && mark.hash !== final.hash) throw new NotReady("the final block is of another fork");
    // No block we read confirms it, and final is irrevocable: so its hash is checked twice.
    if (!mark && (await need(final.height)).hash !== final.hash)
      throw new NotReady("the final block is not certain");
    if (!(await agree(final.height, final.hash)))
      throw new NotReady("the providers disagree about a final block");
    const reviewed = { from: finalOf(at).height + 1, to: reviewTo };
    const { reads, completed } = await reviewBlocks(context, at, reviewed, final);
    if (reads.length > 0) {
      await keep(completed, [], reads);
      log.warn("node omitted transfers at first", { chainId, blocks: reads.length });
      heard?.distrust();
    }
    reviewAt = clock.now() + options.reviewMs;
    const next = finalizedAt(stored.current, { height: final.height, hash: final.hash, content: null });
    await stored.step(next, (cursor) => sink.finalize(chainId, final.height, cursor));
  }

  function lookOnce(): Promise<boolean> {
    const step = look();
    looking = step.catch(() => undefined);
    return step;
  }

  /** Reads until there is nothing new. */
  async function lookAtAll(): Promise<number> {
    while (await lookOnce()) signal.throwIfAborted();
    notReady = 0;
    await clock.sleep(options.gapMs, signal);
    const isHeard = heard?.isListening(newestOf(stored.current)) === true;
    return Math.max(0, options.pollMs * (isHeard ? HEARD_LOOKS : 1) - options.gapMs);
  }

  function failed(error: unknown): void {
    heard?.forget();
    if (error instanceof NotReady) {
      notReady += 1;
      if (notReady % NOT_READY_MAX === 0 && error.host !== null) rpc.distrust(error.host);
      return;
    }
    stored.forget();
    log.warn("chain reader failed", { chainId, error });
  }

  const lagMs = (): number | null =>
    head === null || newestTimeMs === null ? null : Math.max(0, head.timeMs - newestTimeMs);
  const pauseMs = Math.max(options.gapMs, Math.min(options.pollMs, RETRY_MS_MAX));

  return followChain({
    parts: options,
    stopping,
    pauseMsMin: pauseMs,
    pauseMsMax: pauseMs,
    socket({ wake }) {
      const url = options.webSocketUrl;
      const silenceMsMax = HEARD_LOOKS * options.pollMs;
      if (url !== null)
        heard = createHeardBlocks({ ...options, url, logs: context.logs, silenceMsMax, wake: () => wake() });
      return heard;
    },
    follower: {
      look: lookAtAll,
      failed,
      wake(wallets) {
        if (wallets) isTipped = true;
        return true;
      },
      place: () => ({
        head: head?.height ?? null,
        cursor: stored.isLoaded ? newestOf(stored.current).height : null,
        final: stored.isLoaded ? finalOf(stored.current).height : null,
        lagMs: lagMs(),
      }),
      async backfill(request) {
        // A step that began before these wallets were watched may still finalize blocks without looking for them.
        await looking;
        const saved = await sink.cursor(name);
        const final =
          saved === null
            ? (await finalHeader(await need("latest"))).height
            : finalOf(decodePlace(saved)).height;
        await backfill({ context, sink, finalHeight: final, span: backfillSpan }, request);
      },
    },
  });
}
