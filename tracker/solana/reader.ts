// Reads Solana for the wallets that are watched. A start, a gap, a reconnect and a live trade take one path: from the
// stored state to the head. Whatever wakes the reader only decides when it looks, never what it sees.
import { type Backoff, createBackoff } from "../../kit/backoff.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop, type Loop } from "../../kit/loop.ts";
import type { Random } from "../../kit/random.ts";
import {
  type BackfillRequest,
  type ChainReader,
  type ReaderStatus,
  type Sink,
  SOLANA_CHAIN_ID,
  type WatchList,
} from "../chain.ts";
import type { ReaderMetrics } from "../evm/reader-metrics.ts";
import type { RpcClient } from "../rpc/client.ts";
import { createAgreement } from "./agreement.ts";
import { backfillWallets } from "./backfill.ts";
import { passBlocks } from "./block-pass.ts";
import { SolanaCalls } from "./calls.ts";
import { retractLost } from "./finality.ts";
import { Holdings } from "./holdings.ts";
import { Journal } from "./journal.ts";
import { ATTEMPTS_KEPT_MAX, ATTEMPTS_MAX, LISTED_WALLETS_MAX, WINDOW_SLOTS_MAX } from "./limits.ts";
import { type PassContext, passListed } from "./listed-pass.ts";
import { LiveSince } from "./live-since.ts";
import { missingAfter } from "./missing-blocks.ts";
import { blocksState, isListing, listingState, needsListingState, rescanState } from "./mode.ts";
import { createSolanaWakes, type SolanaWakes } from "./wakes.ts";

export interface SolanaReaderOptions {
  rpc: RpcClient;
  /** Trades are heard of here; without it, every wallet is looked at every `sweepMs`. */
  webSocketUrl: string | null;
  sink: Sink;
  watch: WatchList;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: ReaderMetrics;
  /** How often every wallet is looked at though nothing woke the reader. */
  sweepMs?: number;
  /** How often what every wallet holds is compared with what was read: finds transfers that name no owner. */
  holdingsMs?: number;
  /** How often blocks, or what could not be had at first, are looked at. */
  tickMs?: number;
  /** How often the fate of what is not final yet is looked at, while nothing else happens. */
  settleMs?: number;
  /** With more wallets all blocks are read instead. */
  listedWalletsMax?: number;
}

const NAME = "solana";
/** With a socket a sweep only finds what the socket lost. */
const SWEEP_MS = { woken: 300_000, alone: 15_000 };
const HOLDINGS_MS = 600_000;
/** About one slot. */
const TICK_MS = 400;
/** A slot is final after some thirteen seconds; asking more often costs calls and tells nothing. */
const SETTLE_MS = 2_000;
const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 30_000;

export function createSolanaReader(options: SolanaReaderOptions): ChainReader {
  return new SolanaReader(options);
}

class SolanaReader implements ChainReader {
  private readonly stopping = new AbortController();
  private readonly calls: SolanaCalls;
  private readonly journal: Journal;
  private readonly since: LiveSince;
  private readonly loop: Loop;
  private readonly backoff: Backoff;
  private readonly wakes: SolanaWakes | null;
  private readonly agree: (final: number) => Promise<boolean>;
  private readonly sweepMs: number;
  private readonly attempts = new Map<string, number>();
  private dirty = new Set<string>();
  private sweepAt = 0;
  private holdings = new Holdings();
  private holdingsAt = 0;
  private syncedAt: number | null = null;
  private head: number | null = null;
  private failure: string | null = null;
  /** The final slot from which on the node's own beginning is asked for again. */
  private lookForGapAt = 0;
  private stopListening: () => void = () => {};

  constructor(private readonly options: SolanaReaderOptions) {
    const { rpc, sink, clock, random, log, webSocketUrl } = options;
    const { signal } = this.stopping;
    this.sweepMs = options.sweepMs ?? (webSocketUrl === null ? SWEEP_MS.alone : SWEEP_MS.woken);
    this.calls = new SolanaCalls(rpc, signal);
    this.journal = new Journal(sink, NAME);
    this.since = new LiveSince(sink, `${NAME}:since`);
    this.backoff = createBackoff(random, BACKOFF_MS_MIN, BACKOFF_MS_MAX);
    this.agree = createAgreement({ ...options, signal });
    const failure = "solana reader failed";
    this.loop = createLoop({ failure, everyMs: BACKOFF_MS_MAX, clock, log, round: () => this.round() });
    this.wakes =
      webSocketUrl === null ? null : createSolanaWakes({ ...options, url: webSocketUrl, reader: this });
  }

  start(): void {
    this.stopListening = this.options.watch.onChange(() => this.loop.wake());
    this.wakes?.start();
    this.loop.start();
  }

  async stop(): Promise<void> {
    this.stopListening();
    this.wakes?.stop();
    this.stopping.abort();
    await this.loop.stop();
  }

  wake(wallets?: readonly string[]): void {
    const watched = this.options.watch.wallets(SOLANA_CHAIN_ID);
    if (wallets) for (const wallet of wallets) if (watched.has(wallet)) this.dirty.add(wallet);
    if (!wallets) this.sweepAt = 0;
    if (!wallets || wallets.some((wallet) => watched.has(wallet))) this.loop.wake();
  }

  status(): ReaderStatus {
    const state = this.journal.isLoaded ? this.journal.state : null;
    return {
      head: this.head,
      cursor: state === null ? null : Math.max(state.final, state.pending.at(-1)?.slot ?? 0),
      final: state?.final ?? null,
      lagMs: this.syncedAt === null ? null : this.options.clock.now() - this.syncedAt,
      error: this.failure,
    };
  }

  async backfill(request: BackfillRequest): Promise<void> {
    const { sink, clock } = this.options;
    await this.metAll(request.wallets);
    await backfillWallets({
      request,
      calls: this.calls,
      sink,
      clock,
      liveSince: (wallet) => this.since.of(wallet),
      giveUp: (signature) => this.giveUp(signature),
    });
  }

  /** Waits until live reading has begun for these wallets: only then is it known what their past is. */
  private async metAll(wallets: readonly string[]): Promise<void> {
    const { clock, watch, tickMs = TICK_MS } = this.options;
    const isAwaited = (wallet: string) =>
      watch.wallets(SOLANA_CHAIN_ID).has(wallet) && this.since.of(wallet) === null;
    while (wallets.some(isAwaited) && !this.stopping.signal.aborted) {
      this.loop.wake();
      await clock.sleep(tickMs, this.stopping.signal);
    }
  }

  /** Answers how long to rest. */
  private async round(): Promise<number> {
    const { metrics, log } = this.options;
    try {
      const restMs = await this.pass();
      this.failure = null;
      this.backoff.reset();
      metrics.lag(this.status().lagMs);
      return restMs;
    } catch (problem) {
      if (this.stopping.signal.aborted) return 0;
      this.failure = problem instanceof Error ? problem.message : String(problem);
      // What the sink kept is the truth; what this process thought it had written may not be.
      this.journal.forget();
      metrics.error();
      log.warn("solana reader failed", { error: this.failure });
      return this.backoff.nextMs();
    }
  }

  /** One look at everything that may have changed. Answers how long until the next. */
  private async pass(): Promise<number> {
    const { watch, clock, metrics, log, tickMs = TICK_MS, settleMs = SETTLE_MS } = this.options;
    const startedAt = clock.now();
    if (!this.journal.isLoaded) {
      await this.journal.load();
      if (!isListing(this.journal.state)) this.journal.note(rescanState(this.journal.state));
      await this.since.load();
      this.sweepAt = 0;
      this.holdings = new Holdings();
      this.holdingsAt = 0;
    }
    const heads = await this.calls.heads();
    this.head = heads.confirmed;
    await this.tellGap(heads.final);
    const wallets = watch.wallets(SOLANA_CHAIN_ID);
    await this.followWatchList(wallets, Math.max(heads.final, this.journal.state.final));
    const lost = await retractLost(this.calls, this.journal, heads.confirmed);
    for (const wallet of lost) this.dirty.add(wallet);
    if (lost.length > 0) {
      this.holdingsAt = 0;
      this.holdings.forget(lost);
      metrics.reorg();
      log.info("solana fork lost", { wallets: lost.length });
    }
    const context = {
      calls: this.calls,
      journal: this.journal,
      log,
      chainFinal: heads.final,
      watched: wallets,
      // While providers contradict each other, nothing becomes final.
      final: Math.min(
        heads.final,
        (await this.agree(heads.final)) ? Infinity : this.journal.state.final,
        this.unlistedSince(wallets),
      ),
      giveUp: (signature: string) => this.giveUp(signature),
    };
    if (!isListing(this.journal.state)) {
      const pools = watch.pools(SOLANA_CHAIN_ID);
      const read = await passBlocks({ ...context, pools, confirmed: heads.confirmed });
      if (read === "done") this.syncedAt = startedAt;
      return read === "more" ? 0 : tickMs;
    }
    const again = await this.passWallets(context);
    if (again.size === 0) this.syncedAt = startedAt;
    if (again.size === 0 && this.wantsBlocks(wallets)) {
      await this.journal.apply([], [], blocksState(this.journal.state));
      return 0;
    }
    if (again.size > 0) return tickMs;
    const sweepInMs = Math.max(0, this.sweepAt - clock.now());
    return this.journal.state.pending.length > 0 ? Math.min(settleMs, sweepInMs) : sweepInMs;
  }

  /** At a start and now and then: the node may have thrown away what we have not read, or never had it. */
  private async tellGap(final: number): Promise<void> {
    const place = this.journal.state.final;
    if (place === 0 || final < this.lookForGapAt) return;
    const missing = await missingAfter(this.calls, place);
    this.lookForGapAt = final + WINDOW_SLOTS_MAX;
    if (!missing) return;
    this.options.metrics.error();
    this.options.log.error(
      "the node has no solana blocks from before it began: trades in them are not read",
      {
        ...missing,
      },
    );
  }

  private wantsBlocks(wallets: ReadonlySet<string>): boolean {
    return wallets.size > (this.options.listedWalletsMax ?? LISTED_WALLETS_MAX);
  }

  /** A wallet that is not listed any more waits for blocks to take over: they go on from the final slot, so that waits too. */
  private unlistedSince(wallets: ReadonlySet<string>): number {
    const { state } = this.journal;
    if (!isListing(state)) return Infinity;
    const unlisted = [...wallets].filter((wallet) => !(wallet in state.anchors));
    return unlisted.reduce((first, wallet) => Math.min(first, this.since.of(wallet) ?? Infinity), Infinity);
  }

  private async followWatchList(wallets: ReadonlySet<string>, final: number): Promise<void> {
    const hasNew = await this.since.follow(wallets, final);
    const isFirst = this.journal.state.final === 0;
    if (isFirst) await this.journal.apply([], [], { ...this.journal.state, final });
    const { state } = this.journal;
    if (this.wantsBlocks(wallets)) {
      if (!isListing(state)) {
        if (hasNew) this.journal.note(rescanState(state));
      } else {
        // One last look at everybody who was listed, before blocks take over.
        this.sweepAt = 0;
        this.holdingsAt = 0;
      }
      return;
    }
    if (!needsListingState(state, wallets)) return;
    const since = (wallet: string) => this.since.of(wallet) ?? final;
    await this.journal.apply([], [], listingState(state, wallets, since));
    this.holdingsAt = 0;
  }

  private async passWallets(context: PassContext): Promise<Set<string>> {
    const { clock, holdingsMs = HOLDINGS_MS } = this.options;
    const compareHoldings = clock.now() >= this.holdingsAt;
    if (clock.now() >= this.sweepAt || compareHoldings) {
      for (const wallet of Object.keys(this.journal.state.anchors)) this.dirty.add(wallet);
      this.sweepAt = clock.now() + this.sweepMs;
    }
    if (compareHoldings) this.holdingsAt = clock.now() + holdingsMs;
    const { anchors } = this.journal.state;
    const due = [...this.dirty].filter((wallet) => wallet in anchors && context.watched.has(wallet));
    this.dirty = new Set();
    const again = await passListed({ ...context, holdings: this.holdings, compareHoldings }, due);
    for (const wallet of again) this.dirty.add(wallet);
    // Whatever was compared for them has to be compared again.
    if (again.size > 0) this.holdingsAt = Math.min(this.holdingsAt, compareHoldings ? 0 : this.holdingsAt);
    return again;
  }

  private giveUp(signature: string): boolean {
    if (this.attempts.size > ATTEMPTS_KEPT_MAX) this.attempts.clear();
    const attempts = (this.attempts.get(signature) ?? 0) + 1;
    this.attempts.set(signature, attempts);
    if (attempts < ATTEMPTS_MAX) return false;
    if (attempts === ATTEMPTS_MAX) this.options.log.error("solana transaction skipped", { signature });
    return true;
  }
}
