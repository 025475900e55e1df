// Follows one EVM chain. Start, gap, reconnect and live are the same thing: read on from the cursor to the head. Each step
// is one transaction of the sink that also stores the cursor, so a kill at any point loses and repeats nothing; a block
// that loses to another fork is retracted before the winner is applied.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop } from "../../kit/loop.ts";
import type { Random } from "../../kit/random.ts";
import type { ChainReader, Cursor, ReaderStatus, Sink, WatchList } from "../chain.ts";
import type { RpcClient } from "../rpc/client.ts";
import { createWakeSocket } from "../rpc/wake-socket.ts";
import { createAgreement } from "./agreement.ts";
import { findAncestor } from "./ancestor.ts";
import { backfill } from "./backfill.ts";
import { NotReady } from "./block-reads.ts";
import type { EvmChain } from "./chains.ts";
import type { Header } from "./headers.ts";
import { createSpan } from "./log-source.ts";
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
import type { ReaderMetrics } from "./reader-metrics.ts";
import { headersAt, readNewBlocks, reviewBlocks, type StretchContext } from "./stretch.ts";

export interface EvmReaderOptions {
  chain: EvmChain;
  rpc: RpcClient;
  /** Heads are heard here; without it, the chain is looked at every `pollMs`. */
  webSocketUrl: string | null;
  sink: Sink;
  watch: WatchList;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: ReaderMetrics;
  /** The node's own notion of final, or so many blocks behind the head. */
  finality: "finalized" | "safe" | number;
  pollMs: number;
  /** Heads that come faster are read together: some chains have ten blocks a second. */
  gapMs: number;
  /** Blocks in one question for logs, at most. */
  spanMax?: number;
}

const SPAN_BLOCKS_MAX = 2_000;
const BACKFILL_BLOCKS_MAX = 10_000;
/** After so many answers in a row that don't fit together, another provider is preferred for a while. */
const NOT_READY_MAX = 5;
/** After a failure a slow chain is looked at again sooner than its next block. */
const RETRY_MS_MAX = 1_000;

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
    pools: createPoolReader(chain, rpc),
    tracer: createNativeTracer(rpc),
    span: createSpan(options.spanMax ?? SPAN_BLOCKS_MAX),
  };

  const agreement = createAgreement(rpc, clock, log, metrics);

  let place: Place | null = null;
  let head: Header | null = null;
  let newestTimeMs: number | null = null;
  let error: string | null = null;
  let notReady = 0;
  /** The step under way, or the last one. */
  let looking: Promise<unknown> = Promise.resolve();

  const cursorOf = (at: Place): Cursor => ({ name, value: encodePlace(at) });

  async function begin(): Promise<Place> {
    const saved = await sink.cursor(name);
    if (saved !== null) return decodePlace(saved);
    const latest = await need("latest");
    const final = await finalHeader(latest);
    // Everything is measured by this block, so its hash is asked for twice.
    if ((await need(final.height)).hash !== final.hash) throw new NotReady("the first block is not certain");
    const fresh: Place = { marks: [{ height: final.height, hash: final.hash, content: null }] };
    await sink.apply([], cursorOf(fresh));
    return fresh;
  }

  async function need(height: number | string): Promise<Header> {
    const [header] = await headersAt(context, [height]);
    if (!header) throw new NotReady(`block ${height} is not there`);
    return header;
  }

  const finalIn = (latest: Header): number | "finalized" | "safe" =>
    typeof options.finality === "number" ? Math.max(0, latest.height - options.finality) : options.finality;
  const finalHeader = (latest: Header): Promise<Header> => need(finalIn(latest));

  /** One step; true when there is more to do at once. */
  async function look(): Promise<boolean> {
    place ??= await begin();
    const newest = newestOf(place);
    const [latest, same] = await headersAt(context, ["latest", newest.height]);
    if (!latest) throw new NotReady("the node has no head");
    head = latest;
    if (latest.height < newest.height) {
      // A node that is behind is no re-org; one whose head is another block than the one read there is.
      const there = place.marks.find(({ height }) => height === latest.height);
      return there !== undefined && there.hash !== latest.hash ? await reorganize(place) : false;
    }
    if (same?.hash !== newest.hash) return await reorganize(place);
    newestTimeMs = same.timeMs;
    if (latest.height > newest.height) {
      const read = await readNewBlocks(context, place, newest, latest.height, notReady);
      // A re-org just now, which the next look will see in full; or a node whose blocks don't fit together.
      if (read === null) throw new NotReady("the next block has another parent");
      place = await keep(place, read.completed, read.marks, read.reads);
      newestTimeMs = read.last.timeMs;
    }
    await finalize(place, latest, newest.height);
    return newestOf(place).height < latest.height;
  }

  async function keep(
    at: Place,
    completed: readonly Mark[],
    marks: readonly Mark[],
    reads: Parameters<Sink["apply"]>[0],
  ): Promise<Place> {
    const next = extended(completed.reduce(withContent, at), marks);
    await sink.apply(reads, cursorOf(next));
    metrics.blocks(reads.length);
    return next;
  }

  /** Takes back what was read of the losing fork; reading goes on from the newest block both have. */
  async function reorganize(at: Place): Promise<boolean> {
    const ancestor = await findAncestor(context, at);
    if (!ancestor) return true;
    const dead = contentAbove(at, ancestor.height).map(({ hash }) => hash);
    const next = cutAbove(at, ancestor.height);
    if (dead.length > 0) await sink.retract(chainId, dead, cursorOf(next));
    else await sink.apply([], cursorOf(next));
    place = next;
    metrics.reorg();
    log.info("chain reorganized", { chainId, ancestor: ancestor.height, retracted: dead.length });
    return true;
  }

  async function finalize(at: Place, latest: Header, readBefore: number): Promise<void> {
    const newest = newestOf(at);
    const expected = finalIn(latest);
    if (typeof expected === "number" && expected <= finalOf(at).height) return;
    let final = await finalHeader(latest);
    // What was final when it was read, as in a long catch-up, needs no second look.
    const reviewTo = final.height >= newest.height ? readBefore : final.height;
    if (final.height > newest.height) final = await need(newest.height);
    if (final.height <= finalOf(at).height) return;
    const mark = at.marks.find(({ height }) => height === final.height);
    if (mark && mark.hash !== final.hash) throw new NotReady("the final block is of another fork");
    if (!(await agreement.confirms(final, signal)))
      throw new NotReady("the providers disagree about a final block");
    const reviewed = { from: finalOf(at).height + 1, to: reviewTo };
    const { reads, completed } = await reviewBlocks(context, at, reviewed, final);
    let next = at;
    if (reads.length > 0) {
      next = await keep(at, completed, [], reads);
      place = next;
      log.warn("node left out transfers at first", { chainId, blocks: reads.length });
    }
    next = finalizedAt(next, { height: final.height, hash: final.hash, content: null });
    await sink.finalize(chainId, final.height, cursorOf(next));
    place = next;
  }

  function lookOnce(): Promise<boolean> {
    const step = look();
    looking = step.catch(() => undefined);
    return step;
  }

  /** Reads until there is nothing new; returns how long to rest. */
  async function round(): Promise<number> {
    try {
      while (await lookOnce()) if (signal.aborted) return 0;
      notReady = 0;
      error = null;
      metrics.lag(lagMs());
      await clock.sleep(options.gapMs, signal);
      return Math.max(0, options.pollMs - options.gapMs);
    } catch (problem) {
      return signal.aborted ? 0 : recover(problem);
    }
  }

  function recover(problem: unknown): number {
    error = problem instanceof Error ? problem.message : String(problem);
    metrics.error();
    if (problem instanceof NotReady) {
      notReady += 1;
      if (notReady % NOT_READY_MAX === 0 && problem.host !== null) rpc.distrust(problem.host);
    } else {
      // What the sink kept is the truth; what this process thought it had written may not be.
      place = null;
      log.warn("chain reader failed", { chainId, error });
    }
    return Math.max(options.gapMs, Math.min(options.pollMs, RETRY_MS_MAX));
  }

  const lagMs = (): number | null =>
    head === null || newestTimeMs === null ? null : Math.max(0, head.timeMs - newestTimeMs);

  const loop = createLoop({ failure: "chain reader failed", everyMs: options.pollMs, clock, log, round });
  const socket =
    options.webSocketUrl === null
      ? null
      : createWakeSocket({
          url: options.webSocketUrl,
          clock,
          subscriptions: () => [{ method: "eth_subscribe", params: ["newHeads"] }],
          random: options.random,
          onWake: () => loop.wake(),
        });

  return {
    start() {
      socket?.start();
      loop.start();
    },
    async stop() {
      stopping.abort();
      socket?.stop();
      await loop.stop();
    },
    wake: () => loop.wake(),
    status: (): ReaderStatus => ({
      head: head?.height ?? null,
      cursor: place && newestOf(place).height,
      final: place && finalOf(place).height,
      lagMs: lagMs(),
      error,
    }),
    async backfill(request) {
      // A step that began before these wallets were watched may yet make blocks final without looking for them.
      await looking;
      const saved = await sink.cursor(name);
      const final =
        saved === null
          ? (await finalHeader(await need("latest"))).height
          : finalOf(decodePlace(saved)).height;
      const spanMax = options.spanMax ?? BACKFILL_BLOCKS_MAX;
      await backfill({ context, sink, finalHeight: final, spanMax }, request);
    },
  };
}
