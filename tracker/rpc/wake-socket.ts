// A WebSocket with subscriptions at a node: every message means "look now", and what is to be kept is read by HTTP. A lost,
// repeated or forged message therefore costs a look, never data. Reconnects by itself.
import type { Kit } from "../../kit/kit.ts";
import { runLoop } from "../../kit/loop.ts";
import type { RpcCall } from "./provider.ts";

export interface WakeSocketOptions extends Pick<Kit, "clock" | "log" | "random"> {
  url: string;
  /** Asked at every connection, so that what is watched may change. */
  subscriptions(): readonly RpcCall[];
  /** A node's answer to the subscription at this place of the list: how it will call it from now on. */
  onSubscribed?(index: number, result: unknown): void;
  /** `params` is the notification's own; unknown, untrusted, and at most a hint which wallet to look at. */
  onWake(params: unknown): void;
  /** Without a message for so long, the connection counts as dead. */
  silenceMsMax?: number;
}

export interface WakeSocket {
  start(): void;
  stop(): void;
  /** Subscribes again, after the watched wallets changed. */
  renew(): void;
  /** Subscribes to more on the same connection; numbered on from what was subscribed to before. */
  add(calls: readonly RpcCall[]): void;
  isConnected(): boolean;
}

const SILENCE_MS_MAX = 60_000;
const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 30_000;
/** A notification is some kilobytes at most; larger ones are not parsed. */
const MESSAGE_CHARS_MAX = 256 * 1024;

export function createWakeSocket(options: WakeSocketOptions): WakeSocket {
  const { clock, log, random } = options;
  const silenceMsMax = options.silenceMsMax ?? SILENCE_MS_MAX;
  let stopped = new AbortController();
  let socket: WebSocket | null = null;
  let heardAt = 0;
  let lastId = 0;

  const add = (calls: readonly RpcCall[]): void => {
    for (const { method, params } of calls) {
      lastId += 1;
      socket?.send(JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params }));
    }
  };

  /** Resolves when the connection has ended. */
  const connect = (onOpen: () => void): Promise<void> =>
    new Promise((resolve) => {
      const current = new WebSocket(options.url);
      socket = current;
      heardAt = clock.now();
      current.onopen = () => {
        onOpen();
        heardAt = clock.now();
        lastId = 0;
        add(options.subscriptions());
        // What happened while the socket was down is found by looking.
        options.onWake(null);
      };
      current.onmessage = ({ data }) => {
        heardAt = clock.now();
        const { id, result, params } = messageOf(data);
        if (typeof id === "number" && options.onSubscribed) options.onSubscribed(id - 1, result);
        else options.onWake(params ?? null);
      };
      current.onclose = () => resolve();
      current.onerror = () => resolve();
    });

  const watchSilence = {
    failure: "a silent node could not be looked at",
    first: "later" as const,
    everyMs: silenceMsMax / 2,
    clock,
    log,
    round() {
      if (clock.now() - heardAt > silenceMsMax) socket?.close();
    },
  };
  const stayConnected = {
    failure: () => log.debug("a node's socket is not connected; looking by time meanwhile"),
    backoff: { firstMs: RETRY_MS_MIN, msMax: RETRY_MS_MAX, random },
    clock,
    log,
    async round(_: AbortSignal, works: () => void) {
      await connect(works);
      socket = null;
      throw new Error("the connection ended");
    },
  };

  return {
    start() {
      stopped = new AbortController();
      void runLoop(stayConnected, stopped.signal);
      void runLoop(watchSilence, stopped.signal);
    },
    stop() {
      stopped.abort();
      socket?.close();
    },
    renew: () => socket?.close(),
    add,
    isConnected: () => socket?.readyState === WebSocket.OPEN,
  };
}

function messageOf(data: unknown): { id?: unknown; result?: unknown; params?: unknown } {
  if (typeof data !== "string" || data.length > MESSAGE_CHARS_MAX) return {};
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === "object" && message !== null ? message : {};
  } catch {
    return {};
  }
}
