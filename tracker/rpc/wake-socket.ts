// A WebSocket with subscriptions at a node: every message means "look now", and stored data is read by HTTP. A lost, repeated
// or forged message therefore costs a look, never data. Reconnects by itself.
import type { Kit } from "../../kit/kit.ts";
import { runLoop } from "../../kit/loop.ts";
import type { RpcCall } from "./provider.ts";

export interface WakeSocketOptions extends Pick<Kit, "clock" | "log" | "random"> {
  url: string;
  /** Called for every connection, so that the watch list may change. */
  subscriptions(): readonly RpcCall[];
  /** A node's response to the subscription at this index: the id it will use from now on. */
  onSubscribed?(index: number, result: unknown): void;
  /** `params` are the notification's own; unknown, untrusted, and at most a hint which wallet to look at. */
  onWake(params: unknown): void;
  /** A working connection has ended, and not because of a resubscription: no news from now on. */
  onLost(): void;
  /** After this long without a message it resubscribes: a node may have dropped the subscriptions. */
  silenceMsMax?: number;
}

export interface WakeSocket {
  start(): void;
  stop(): void;
  /** Resubscribes, after the watched wallets changed. */
  renew(): void;
  /** Adds subscriptions on the same connection; indexes continue from the earlier ones. */
  add(calls: readonly RpcCall[]): void;
  isConnected(): boolean;
}

const SILENCE_MS_MAX = 60_000;
/** After this long without a pong, the node counts as gone. */
const PONG_MS_MAX = 60_000;
const PING_MS = 30_000;
const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 30_000;
/** A notification is some kilobytes at most; larger ones are not parsed. */
const MESSAGE_CHARS_MAX = 256 * 1024;

export function createWakeSocket(options: WakeSocketOptions): WakeSocket {
  const { clock, log, random } = options;
  const silenceMsMax = options.silenceMsMax ?? SILENCE_MS_MAX;
  let stopped = new AbortController();
  let socket: Bun.WebSocket | null = null;
  let heardAt = 0;
  let aliveAt = 0;
  let isRenewing = false;
  let lastId = 0;

  const isConnected = (): boolean => socket?.readyState === WebSocket.OPEN;

  const renew = (): void => {
    if (socket === null) return;
    isRenewing = true;
    socket.close();
  };

  const add = (calls: readonly RpcCall[]): void => {
    for (const { method, params } of calls) {
      lastId += 1;
      socket?.send(JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params }));
    }
  };

  /** Resolves when the connection has ended. */
  const connect = (onOpen: () => void): Promise<void> =>
    new Promise((resolve) => {
      const current = new WebSocket(options.url) as Bun.WebSocket;
      socket = current;
      heardAt = aliveAt = clock.now();
      current.addEventListener("pong", () => {
        aliveAt = clock.now();
      });
      current.onopen = () => {
        onOpen();
        heardAt = aliveAt = clock.now();
        lastId = 0;
        add(options.subscriptions());
        // Anything that happened while the socket was down is found by looking.
        options.onWake(null);
      };
      current.onmessage = ({ data }) => {
        heardAt = aliveAt = clock.now();
        const { id, result, params } = messageOf(data);
        if (typeof id === "number" && options.onSubscribed) options.onSubscribed(id - 1, result);
        else options.onWake(params ?? null);
      };
      current.onclose = () => resolve();
      current.onerror = () => resolve();
    });

  const watchSilence = {
    failure: "could not check for a silent node",
    first: "later" as const,
    everyMs: Math.min(PING_MS, silenceMsMax / 2),
    clock,
    log,
    round() {
      const now = clock.now();
      // A dead node would never complete a close.
      if (now - aliveAt > PONG_MS_MAX) socket?.terminate();
      else if (now - heardAt > silenceMsMax) renew();
      else if (isConnected()) socket?.ping();
    },
  };
  const stayConnected = {
    failure: () => log.debug("a node's socket is not connected; polling meanwhile"),
    backoff: { firstMs: RETRY_MS_MIN, msMax: RETRY_MS_MAX, random },
    clock,
    log,
    async round(_: AbortSignal, works: () => void) {
      let hasWorked = false;
      await connect(() => {
        hasWorked = true;
        works();
      });
      socket = null;
      if (hasWorked && !isRenewing) options.onLost();
      isRenewing = false;
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
    renew,
    add,
    isConnected,
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
