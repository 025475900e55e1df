// A node's socket notifications: each new head, and the logs of watched wallets and pools as they happen. They only save
// queries about blocks with nothing of interest: stored data is always read by HTTP, and skipped blocks are queried once more
// before they become final. On any doubt (a gap, another fork, silence, a wallet not yet subscribed to) the answer is "ask".
import type { Kit } from "../../kit/kit.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import type { WatchList } from "../chain.ts";
import { createWakeSocket } from "../rpc/wake-socket.ts";
import type { EvmChain } from "./chains.ts";
import { type Header, readHeader } from "./headers.ts";
import type { LogSource } from "./log-source.ts";
import { createLogSubscriptions } from "./log-subscriptions.ts";
import { finalOf, type Mark, newestOf, type Place } from "./place.ts";

export interface HeardBlocksOptions extends Pick<Kit, "clock" | "log" | "random"> {
  url: string;
  chain: EvmChain;
  watch: Pick<WatchList, "wallets" | "pools">;
  logs: Pick<LogSource, "filters">;
  /** A socket counts as stalled if it has not announced a block this long after HTTP showed it. */
  silenceMsMax: number;
  wake(): void;
}

export interface HeardBlocks {
  start(): void;
  stop(): void;
  /** The blocks built on this one, if at least one was announced and none holds anything watched; null: ask. */
  quietAfter(newest: Mark): Header[] | null;
  /** The lowest block that was skipped as quiet before news about it arrived. */
  missedIn(place: Place): number | null;
  /** Everything up to this block has been queried by HTTP. */
  asked(newest: Mark): void;
  /** Whether this is the last announced block, so that the next one will be announced too. */
  isListening(newest: Mark): boolean;
  /** HTTP shows that the chain has this height. */
  seen(height: number): void;
  /** Notifications may not match the stored state: query the next blocks. */
  forget(): void;
  /** The socket missed something: don't trust its silence for a while. */
  distrust(): void;
}

const HEADS_MAX = 256;
const LOGGED_MAX = 1_000;
/** Wallets and pools added later get their own subscriptions; at this many, reconnect to merge them. */
const SUBSCRIPTIONS_MAX = 32;
const DISTRUST_MS = 10 * MINUTE_MS;

export function createHeardBlocks(options: HeardBlocksOptions): HeardBlocks {
  const { chain, clock, log, random, silenceMsMax } = options;
  const { chainId } = chain;
  const subscriptions = createLogSubscriptions(chainId, options.watch, options.logs);
  /** Each is the parent of the next. */
  let heads: Header[] = [];
  let heardHeight = -1;
  /** The heights of blocks with an announced log, by hash. */
  const logged = new Map<string, number>();
  /** A block that the chain has but the socket has not announced yet. */
  let unheard: { height: number; at: number } | null = null;
  let distrustedUntil = 0;

  const socket = createWakeSocket({
    url: options.url,
    clock,
    log,
    random,
    subscriptions() {
      heads = [];
      heardHeight = -1;
      logged.clear();
      unheard = null;
      return subscriptions.begin();
    },
    onSubscribed(index, result) {
      subscriptions.agree(index, result);
      // Blocks announced before a subscription are not covered by it; those before all of them may never have been announced.
      heads = [];
      if (subscriptions.isComplete()) options.wake();
    },
    onLost: options.wake,
    onWake(params) {
      const { subscription, result } = (params ?? {}) as { subscription?: unknown; result?: unknown };
      const kind = subscriptions.kindOf(subscription);
      try {
        if (kind === "heads") hearHead(readHeader(result, chainId));
        else if (kind === "logs") hearLog(result);
      } catch {
        heads = [];
      }
      options.wake();
    },
  });

  function hearHead(head: Header | null): void {
    if (head === null || heads.some(({ hash }) => hash === head.hash)) return;
    const last = heads.at(-1);
    const isNext = last?.hash === head.parentHash && last.height + 1 === head.height;
    heads = isNext ? [...heads, head].slice(-HEADS_MAX) : [head];
    heardHeight = head.height;
  }

  function hearLog(value: unknown): void {
    const { blockHash, blockNumber, removed } = (value ?? {}) as Record<string, unknown>;
    const height = Number(blockNumber);
    if (removed === true || typeof blockHash !== "string" || !Number.isSafeInteger(height)) heads = [];
    else if (logged.size < LOGGED_MAX) logged.set(blockHash.toLowerCase(), height);
    else socket.renew();
  }

  /** Also subscribes to anything newly watched; that counts once the node has confirmed it. */
  function isCovered(): boolean {
    const calls = subscriptions.more();
    if (subscriptions.count() > SUBSCRIPTIONS_MAX) socket.renew();
    else socket.add(calls);
    return calls.length === 0 && subscriptions.isComplete();
  }

  const isBelieved = (): boolean => socket.isConnected() && clock.now() >= distrustedUntil;

  return {
    start: () => socket.start(),
    stop: () => socket.stop(),
    quietAfter(newest) {
      if (!isBelieved() || !isCovered()) return null;
      const at = heads.findIndex(({ hash }) => hash === newest.hash);
      if (at < 0 && heads[0]?.parentHash !== newest.hash) return null;
      const next = heads.slice(at + 1);
      const isQuiet = ![...logged.values()].some((height) => height > newest.height);
      return next.length > 0 && isQuiet ? next : null;
    },
    missedIn(place) {
      const newest = newestOf(place);
      let lowest: number | null = null;
      for (const [hash, height] of logged) {
        if (height > newest.height) continue;
        const mark = place.marks.find((one) => one.height === height);
        const wasPassed = mark === undefined || (mark.hash === hash && mark.content === null);
        if (wasPassed && height > finalOf(place).height) lowest = Math.min(lowest ?? height, height);
        else logged.delete(hash);
      }
      return lowest;
    },
    asked(newest) {
      for (const [hash, height] of logged) if (height <= newest.height) logged.delete(hash);
    },
    isListening: (newest) => isBelieved() && subscriptions.isComplete() && heads.at(-1)?.hash === newest.hash,
    seen(height) {
      if (!socket.isConnected() || heardHeight >= height) unheard = null;
      else if (unheard === null || heardHeight >= unheard.height) unheard = { height, at: clock.now() };
      else if (clock.now() - unheard.at > silenceMsMax) {
        unheard = null;
        log.info("a node's socket went silent", { chainId });
        socket.renew();
      }
    },
    forget() {
      heads = [];
    },
    distrust() {
      distrustedUntil = clock.now() + DISTRUST_MS;
    },
  };
}
