// Reads Solana for the watched wallets. A start, a gap, a reconnect and a live trade take the same path: from the stored state
// to the head. Whatever wakes the reader only decides when it looks, never what it sees.
import { createLru } from "../../kit/lru.ts";
import { type ChainReader, SOLANA_CHAIN_ID } from "../chain.ts";
import { type ChainReaderParts, followChain, type NewsListener } from "../reader.ts";
import { createAgreement } from "../rpc/agreement.ts";
import type { RpcCall } from "../rpc/provider.ts";
import { createAttempts } from "./attempts.ts";
import { backfillWallets } from "./backfill.ts";
import { passBlocks } from "./block-pass.ts";
import { createSolanaCalls } from "./calls.ts";
import { retractLost } from "./finality.ts";
import type { GrpcEndpoint } from "./geyser.ts";
import { createHoldings } from "./holdings.ts";
import { createJournal } from "./journal.ts";
import { LISTED_WALLETS_MAX, QUOTED_POOLS_MAX, STREAM_WALLETS_MAX, WINDOW_SLOTS_MAX } from "./limits.ts";
import { type PassContext, passListed } from "./listed-pass.ts";
import { createLiveSince } from "./live-since.ts";
import { missingAfter } from "./missing-blocks.ts";
import { blocksState, isListing, listingState, needsListingState, rescanState } from "./mode.ts";
import { createNews, type NewsSource } from "./news.ts";
import { createStreamed } from "./streamed.ts";
import { createSweeps, type SweepTimes } from "./sweeps.ts";
import { TICK_MS } from "./times.ts";

export interface SolanaReaderOptions extends ChainReaderParts, SweepTimes {
  /** How often to look at blocks, or at what was not available at first. */
  tickMs?: number;
  /** How often to check on what is not final yet, while nothing else happens. */
  settleMs?: number;
  /** With more wallets, all blocks are read instead. */
  listedWalletsMax?: number;
  /** The transaction stream, used instead of a socket. */
  grpc?: GrpcEndpoint | null;
  /** The longest time the stream may go without a slot. */
  silenceMsMax?: number;
}

const NAME = "solana";
/** A slot is final after some thirteen seconds; polling more often costs calls and gains nothing. */
const SETTLE_MS = 2_000;
const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 30_000;

export function createSolanaReader(options: SolanaReaderOptions): ChainReader {
  const { rpc, sink, watch, clock, log, metrics } = options;
  const { tickMs = TICK_MS, settleMs = SETTLE_MS } = options;
  const { listedWalletsMax = options.grpc ? STREAM_WALLETS_MAX : LISTED_WALLETS_MAX } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const streamed = createStreamed();
  const calls = createSolanaCalls(rpc, signal, (signature) => streamed.take(signature));
  const journal = createJournal(sink, NAME);
  const since = createLiveSince(sink, `${NAME}:since`);
  const agree = createAgreement({ ...options, signal, question: finalBlock, hashOf });
  const giveUp = createAttempts(log, () => chainFinal);
  const quotedAt = createLru<string, number>(QUOTED_POOLS_MAX);
  let dirty = new Set<string>();
  let news: NewsSource | null = null;
  const sweeps = createSweeps(clock, options, () => news?.isHearing() === true);
  let holdings = createHoldings();
  let syncedAt: number | null = null;
  let isBehind = true;
  let head: number | null = null;
  let chainFinal = 0;
  /** The final slot from which on the node's first block is checked again. */
  let lookForGapAt = 0;

  const reader = followChain({
    parts: options,
    stopping,
    pauseMsMin: BACKOFF_MS_MIN,
    pauseMsMax: BACKOFF_MS_MAX,
    socket: listen,
    follower: {
      look,
      failed(error) {
        journal.forget();
        log.warn("solana reader failed", { error: error instanceof Error ? error.message : String(error) });
      },
      place() {
        const state = journal.isLoaded ? journal.state : null;
        return {
          head,
          // Before the first look there is no place yet.
          cursor: !state?.final ? null : Math.max(state.final, state.pending.at(-1)?.slot ?? 0),
          final: state?.final ?? null,
          lagMs: syncedAt === null ? null : isBehind ? clock.now() - syncedAt : 0,
        };
      },
      async backfill(request) {
        await metAll(request.wallets);
        await backfillWallets({ request, calls, sink, clock, liveSince: since.of, giveUp });
      },
      wake(wallets) {
        if (!wallets) {
          sweeps.hurry();
          return true;
        }
        const watched = watch.wallets(SOLANA_CHAIN_ID);
        const own = wallets.filter((wallet) => watched.has(wallet));
        for (const wallet of own) dirty.add(wallet);
        return own.length > 0;
      },
    },
  });

  function listen(to: NewsListener): NewsSource | null {
    news = createNews({ ...options, streamed, listedWalletsMax, reader: to });
    return news;
  }

  /** Waits until live reading has begun for these wallets: only then is it known what counts as history. */
  async function metAll(wallets: readonly string[]): Promise<void> {
    const isAwaited = (wallet: string) =>
      watch.wallets(SOLANA_CHAIN_ID).has(wallet) && since.of(wallet) === null;
    while (wallets.some(isAwaited) && !signal.aborted) {
      reader.wake();
      await clock.sleep(tickMs, signal);
    }
  }

  /** One look at everything that may have changed. Returns how long until the next. */
  async function look(): Promise<number> {
    const startedAt = clock.now();
    if (!journal.isLoaded) {
      await journal.load();
      if (!isListing(journal.state)) journal.note(rescanState(journal.state));
      await since.load();
      sweeps.hurry();
      holdings = createHoldings();
      sweeps.hurryHoldings();
    }
    const heads = await calls.heads();
    head = heads.confirmed;
    chainFinal = Math.max(chainFinal, heads.final);
    streamed.moveTo(heads.confirmed, chainFinal);
    await reportGap(heads.final);
    // Before following new wallets: their history may repeat, in another block, what is about to be retracted.
    const lost = await retractLost(calls, journal, heads.confirmed);
    for (const wallet of lost) dirty.add(wallet);
    if (lost.length > 0) {
      sweeps.hurryHoldings();
      holdings.forget(lost);
      metrics.reorg();
      log.info("solana fork lost", { wallets: lost.length });
    }
    const wallets = watch.wallets(SOLANA_CHAIN_ID);
    await followWatchList(wallets, Math.max(heads.final, journal.state.final));
    const context = {
      calls,
      journal,
      log,
      chainFinal: heads.final,
      watched: wallets,
      liveSince: since.of,
      // While providers contradict each other, nothing becomes final.
      final: Math.min(
        heads.final,
        (await agree(heads.final, null)) ? Infinity : journal.state.final,
        unlistedSince(wallets),
      ),
      giveUp,
    };
    if (!isListing(journal.state)) {
      const { confirmed } = heads;
      const read = await passBlocks({ ...context, pools: watch.pools(SOLANA_CHAIN_ID), quotedAt, confirmed });
      isBehind = read !== "done";
      if (!isBehind) syncedAt = startedAt;
      return read === "more" ? 0 : tickMs;
    }
    const again = await passWallets(context);
    isBehind = again.size > 0;
    if (!isBehind) syncedAt = startedAt;
    if (again.size === 0 && wantsBlocks(wallets)) {
      await journal.apply([], [], blocksState(journal.state));
      return 0;
    }
    if (again.size > 0) return tickMs;
    const sweepInMs = sweeps.restMs(Object.keys(journal.state.anchors).length);
    return journal.state.pending.length > 0 ? Math.min(settleMs, sweepInMs) : sweepInMs;
  }

  /** At start and now and then: the node may have pruned blocks we have not read, or never had them. */
  async function reportGap(final: number): Promise<void> {
    const place = journal.state.final;
    if (place === 0 || final < lookForGapAt) return;
    const missing = await missingAfter(calls, place);
    lookForGapAt = final + WINDOW_SLOTS_MAX;
    if (!missing) return;
    metrics.error();
    log.error("the node has no solana blocks from before it began: trades in them are not read", {
      ...missing,
    });
  }

  function wantsBlocks(wallets: ReadonlySet<string>): boolean {
    return wallets.size > listedWalletsMax;
  }

  /** A wallet that is no longer listed waits for blocks to take over: they continue from the final slot, so that waits too. */
  function unlistedSince(wallets: ReadonlySet<string>): number {
    const { state } = journal;
    if (!isListing(state)) return Infinity;
    const unlisted = [...wallets].filter((wallet) => !(wallet in state.anchors));
    return unlisted.reduce((first, wallet) => Math.min(first, since.of(wallet) ?? Infinity), Infinity);
  }

  async function followWatchList(wallets: ReadonlySet<string>, final: number): Promise<void> {
    const hasNew = await since.follow(wallets, final);
    const isFirst = journal.state.final === 0;
    if (isFirst) await journal.apply([], [], { ...journal.state, final });
    const { state } = journal;
    if (wantsBlocks(wallets)) {
      if (!isListing(state)) {
        if (hasNew) journal.note(rescanState(state));
      } else {
        // One last look at every listed wallet, before blocks take over.
        sweeps.hurry();
        sweeps.hurryHoldings();
      }
      return;
    }
    if (!needsListingState(state, wallets)) return;
    const begunAt = (wallet: string) => since.of(wallet) ?? final;
    await journal.apply([], [], listingState(state, wallets, begunAt));
    sweeps.hurryHoldings();
  }

  async function passWallets(context: PassContext): Promise<Set<string>> {
    const { anchors } = journal.state;
    const { sweep, holdings: compareHoldings } = sweeps.take(Object.keys(anchors).length);
    if (sweep) for (const wallet of Object.keys(anchors)) dirty.add(wallet);
    const due = [...dirty].filter((wallet) => wallet in anchors && context.watched.has(wallet));
    dirty = new Set();
    const again = await passListed({ ...context, holdings, compareHoldings, streamed }, due);
    for (const wallet of again) dirty.add(wallet);
    // What was compared for them has to be compared again.
    if (again.size > 0 && compareHoldings) sweeps.hurryHoldings();
    return again;
  }

  return reader;
}

const finalBlock = (slot: number): RpcCall => {
  const config = { commitment: "finalized", transactionDetails: "none", rewards: false };
  return { method: "getBlock", params: [slot, { ...config, maxSupportedTransactionVersion: 0 }] };
};

function hashOf(result: unknown): string | null {
  const hash = (result as { blockhash?: unknown } | null)?.blockhash;
  return typeof hash === "string" ? hash : null;
}
