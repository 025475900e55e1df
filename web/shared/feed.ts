// One live stream as a page follows it: connects, tells what it is (live, quiet, lost, refused), comes back by itself and
// resumes where it was, so that nothing is missing and nothing comes twice. A dead connection is told from a quiet one by
// the heartbeat.
import type { Alert } from "../../contract/shapes/types.ts";
import { call, keyOfTab } from "./api.ts";
import { chance, now } from "./clock.ts";
import type { VisitorMode } from "./data.ts";

export type FeedState = "connecting" | "live" | "lost" | "refused" | "stopped";

export interface FeedStatus {
  state: FeedState;
  delaySeconds: number;
  realtime: boolean;
  note: string | null;
  heartbeatSeconds: number;
  lastFrameAt: number | null;
  lagMs: number | null;
  seq: number | null;
  epoch: string | null;
  reconnects: number;
  reason: string | null;
}

export type FeedEvent = Omit<Alert, "type"> & { replay?: boolean };
export type Frame = Record<string, unknown> & { type: string };

export interface FeedOptions {
  stream?: "alerts" | "trades";
  /** The stream's own query: trader, token, chain, type, source, side, minUsd. */
  filter: Record<string, string>;
  mode: VisitorMode;
  /** Every frame as it came, for an inspector. */
  onFrame?: (frame: Frame) => void;
  onEvents?: (events: FeedEvent[]) => void;
  /** Part of the log is gone: what is shown has a hole from here on. */
  onGap?: (words: string) => void;
  onStatus: (status: FeedStatus) => void;
}

export interface Feed {
  stop(): void;
  /** Drops the connection and comes back, as a network would. */
  drop(): void;
}

const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 15_000;
/** Heartbeats that may stay out before the connection counts as dead. */
const HEARTBEATS_MISSED_MAX = 2;

export function openFeed(options: FeedOptions): Feed {
  const status: FeedStatus = {
    ...{ state: "connecting", delaySeconds: 0, realtime: false, note: null, heartbeatSeconds: 20 },
    ...{ lastFrameAt: null, lagMs: null, seq: null, epoch: null, reconnects: 0, reason: null },
  };
  let socket: WebSocket | null = null;
  let isStopped = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const tell = (change: Partial<FeedStatus>) => {
    Object.assign(status, change);
    options.onStatus({ ...status });
  };

  const seen = (seq: unknown) => {
    if (typeof seq === "number") status.seq = Math.max(status.seq ?? 0, seq);
  };

  const take = (frame: Frame) => {
    status.lastFrameAt = now();
    options.onFrame?.(frame);
    switch (frame.type) {
      case "welcome":
        failures = 0;
        if (status.epoch !== null && status.epoch !== frame.epoch) {
          options.onGap?.("The log was rebuilt; what came before is not continued.");
          status.seq = null;
        }
        // A resume still replays what lies between; only a first connection starts here.
        status.seq ??= frame.seq as number;
        tell({
          ...{ state: "live", epoch: frame.epoch as string, delaySeconds: frame.delaySeconds as number },
          ...{ realtime: frame.realtime as boolean, note: frame.note as string | null, reason: null },
          heartbeatSeconds: frame.heartbeatSeconds as number,
        });
        return;
      case "alert":
      case "trade": {
        const place = Number(frame.seq);
        seen(place);
        options.onEvents?.([frame as unknown as FeedEvent]);
        return;
      }
      case "gap":
        options.onGap?.("Part of what happened is no longer kept.");
        return;
      case "heartbeat":
        seen(frame.seq);
        tell({ lagMs: frame.lagMs as number | null });
    }
  };

  const connect = async () => {
    if (isStopped) return;
    tell({ state: status.reconnects === 0 ? "connecting" : "lost" });
    const url = new URL(`/ws/${options.stream ?? "alerts"}`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    for (const [name, value] of Object.entries(options.filter)) if (value) url.searchParams.set(name, value);
    if (status.epoch !== null && status.seq !== null)
      url.searchParams.set("resume", `${status.epoch}.${status.seq}`);
    if (keyOfTab() !== null) {
      const ticket = await call("/v2/stream-tickets", options.mode, { method: "POST" });
      if (isStopped) return;
      if (ticket.status !== 201)
        return again(ticket.status === 401 ? "The key of this tab is not valid." : null);
      url.searchParams.set("ticket", (ticket.body as { ticket: string }).ticket);
    }
    const opened = new WebSocket(url);
    socket = opened;
    let wasOpen = false;
    opened.onopen = () => {
      wasOpen = true;
    };
    opened.onmessage = ({ data }) => opened === socket && take(JSON.parse(data));
    opened.onclose = (event) => {
      if (opened !== socket || isStopped) return;
      socket = null;
      if (event.code === 4001 || event.code === 4004) return tell({ state: "refused", reason: event.reason });
      again(wasOpen ? null : "The server refused the connection; too many may be open from this address.");
    };
  };

  const again = (reason: string | null) => {
    if (isStopped) return;
    const waitMs = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** failures) * (0.5 + chance());
    failures = Math.min(failures + 1, 10);
    tell({
      state: failures > 3 && reason !== null ? "refused" : "lost",
      reason,
      reconnects: status.reconnects + 1,
    });
    timer = setTimeout(connect, waitMs);
  };

  const drop = () => {
    const dropped = socket;
    socket = null;
    dropped?.close();
    again(null);
  };

  const watch = setInterval(() => {
    const limitMs = status.heartbeatSeconds * 1_000 * HEARTBEATS_MISSED_MAX + 5_000;
    if (status.state === "live" && status.lastFrameAt !== null && now() - status.lastFrameAt > limitMs)
      drop();
  }, 1_000);
  const wake = () => {
    if (socket !== null || isStopped) return;
    if (timer !== null) clearTimeout(timer);
    failures = 0;
    void connect();
  };
  addEventListener("online", wake);

  void connect();
  return {
    drop,
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      clearInterval(watch);
      removeEventListener("online", wake);
      socket?.close();
      tell({ state: "stopped" });
    },
  };
}
