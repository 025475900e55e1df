// One live stream as a page follows it: the SDK connects, resumes and skips nothing; this tracks the state that the page shows
// (live, quiet, lost, refused), and reopens a stream that gave up.
import { ApiError, StreamClosed } from "../../client/src/api-error.ts";
import type { Crowdtape } from "../../client/src/client.ts";
import { type Alert, CLOSE_CODES, type WelcomeFrame } from "../../client/src/generated.ts";
import type { StreamPosition } from "../../client/src/stream/position.ts";
import type { Frame } from "../../client/src/stream/socket.ts";
import type { Gap, StreamStatus } from "../../client/src/stream/stream.ts";
import { systemTime } from "../../client/src/time.ts";
import { keyOfTab, pageClient } from "./api.ts";
import { now } from "./clock.ts";
import type { VisitorMode } from "./data.ts";

export interface FeedView {
  /** Refused is retried, closed is not: there the key or the filter is at fault. */
  state: "connecting" | "live" | "lost" | "refused" | "closed" | "stopped";
  delaySeconds: number;
  note: string | null;
  lastFrameAt: number | null;
  lagMs: number | null;
  seq: number | null;
  epoch: string | null;
  reconnects: number;
  reason: string | null;
}

export type TapeEvent = Omit<Alert, "type"> & { replay?: boolean };

export interface FeedOptions {
  stream?: "alerts" | "trades";
  /** The stream's query: trader, token, chain, type, source, side, minUsd. */
  filter: Record<string, string>;
  mode: VisitorMode;
  /** The position where another connection of this feed ended. */
  resume?: StreamPosition;
  /** Every frame as it arrives, for an inspector. */
  onFrame?: (frame: Frame) => void;
  onEvent?: (event: TapeEvent) => void;
  /** An event passed on earlier never happened: a re-org undid it. */
  onRetract?: (eventId: string) => void;
  /** Part of the log is gone: the display has a gap from here on. */
  onGap?: (words: string) => void;
  onView: (view: FeedView) => void;
}

export interface Feed {
  stop(): void;
  /** Drops the connection, as a network failure would; the stream reconnects. */
  drop(): void;
}

/** A page in view waits no longer than this between attempts. */
const WAIT_MS_MAX = 15_000;
const REFUSED_WAIT_MS = 10_000;
const NOT_LET_IN =
  "The server does not let this page connect; too many connections may be open from this address.";
const GAP_WORDS: Partial<Record<Gap["reason"], string>> = {
  epoch: "The log was rebuilt; earlier events are not continued.",
};

export function openFeed(options: FeedOptions): Feed {
  const view: FeedView = {
    state: "connecting",
    delaySeconds: 0,
    note: null,
    lastFrameAt: null,
    lagMs: null,
    seq: null,
    epoch: null,
    reconnects: 0,
    reason: null,
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  let socket: WebSocket | null = null;

  const show = (change: Partial<FeedView>) => {
    if (signal.aborted) return;
    Object.assign(view, change);
    options.onView({ ...view });
  };

  const sleep = async (milliseconds: number, ...until: (AbortSignal | undefined)[]) => {
    const waking = new AbortController();
    const wake = () => waking.abort();
    addEventListener("online", wake, { once: true });
    const signals = [waking.signal, ...until.filter((each) => each !== undefined)];
    await systemTime.sleep(Math.min(milliseconds, WAIT_MS_MAX), AbortSignal.any(signals)).catch(() => {});
    removeEventListener("online", wake);
  };

  const onStatus = ({ state, welcome, reason }: StreamStatus) => {
    if (state === "connecting") return show({ state: view.reconnects === 0 ? "connecting" : view.state });
    if (state === "waiting")
      return show({
        state: view.epoch === null ? "refused" : "lost",
        reason: reason || (view.epoch === null ? NOT_LET_IN : null),
        reconnects: view.reconnects + 1,
      });
    const { epoch, seq, delaySeconds, note } = welcome as unknown as WelcomeFrame;
    show({ state: "live", reason: null, epoch, seq: Math.max(view.seq ?? 0, seq), delaySeconds, note });
  };

  const onFrame = (frame: Frame) => {
    view.lastFrameAt = now();
    if (typeof frame.seq === "number") view.seq = Math.max(view.seq ?? 0, frame.seq);
    options.onFrame?.(frame);
    if (frame.type === "heartbeat") show({ lagMs: frame.lagMs as number | null });
  };

  const follow = async () => {
    const client = clientWith(options.mode, sleep, (opened) => {
      socket = opened;
    });
    const resume = view.epoch === null ? options.resume : undefined;
    const asked = { ...options.filter, ...(resume ? { resume } : {}), onStatus, onFrame, signal };
    const stream = options.stream === "trades" ? client.trades(asked) : client.alerts(asked);
    for await (const item of stream)
      if (item.type === "gap") options.onGap?.(GAP_WORDS[item.reason] ?? "Some events are no longer kept.");
      else if (item.type === "retract") options.onRetract?.(item.eventId);
      else if (item.type === "alert") options.onEvent?.(item as unknown as TapeEvent);
  };

  const run = (): Promise<void> =>
    follow().catch(async (error: unknown) => {
      if (signal.aborted) return;
      const state = canPass(error) ? "refused" : "closed";
      show({ state, reason: (error as Error).message, reconnects: view.reconnects + 1 });
      if (state === "closed") return;
      await sleep(REFUSED_WAIT_MS, signal);
      if (!signal.aborted) void run();
    });

  void run();
  return {
    drop: () => socket?.close(),
    stop() {
      stopping.abort();
      options.onView({ ...view, state: "stopped" });
    },
  };
}

function canPass(error: unknown): boolean {
  if (error instanceof StreamClosed) return CLOSE_CODES[error.closeCode]?.[1] ?? true;
  return error instanceof ApiError && error.retryable;
}

function clientWith(
  mode: VisitorMode,
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>,
  onOpen: (socket: WebSocket) => void,
): Crowdtape {
  class OwnSocket extends WebSocket {
    constructor(url: string) {
      super(url);
      onOpen(this);
    }
  }
  return pageClient(mode, keyOfTab(), { time: { ...systemTime, sleep }, WebSocket: OwnSocket });
}
