// A service for the bots' tests: a log that a test appends to, served over the real stream protocol with resume, and answers
// to searches. Sleeping advances the clock immediately, so that a minute's wait takes one turn.
import type { ServerWebSocket } from "bun";
import { createClient } from "../client/src/client.ts";
import type { AlertFrame, RetractFrame } from "../client/src/generated.ts";
import { json, type ScriptedServer, serveScript } from "../client/src/test-server.ts";
import type { Clock } from "../kit/clock.ts";
import { eventually } from "../test/support/eventually.ts";

export interface TestLog {
  server: ScriptedServer;
  client: ReturnType<typeof createClient>;
  /** Appends and sends; returns its seq. */
  append(alert?: Partial<AlertFrame>): number;
  /** A re-org undoes the event appended at that seq. */
  undo(seq: number): void;
  /** Resolves once a bot reads it. It never gets events appended before its first connection. */
  listened(): Promise<void>;
  /** Drops everything before this from here on. */
  forgetBefore(seq: number): void;
  stop(): Promise<void>;
}

const MAYA = "11111111-1111-4111-8111-111111111111";
export const OTTO = "22222222-2222-4222-8222-222222222222";
const EPOCH = "e1";
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const TRADERS: Record<string, string> = { maya: MAYA, otto: OTTO };

export function startTestLog(): TestLog {
  const log: (AlertFrame | RetractFrame)[] = [];
  const add = (frame: AlertFrame | RetractFrame) => {
    log.push(frame);
    for (const socket of server.sockets) if (socket.readyState === WebSocket.OPEN) send(socket, frame);
  };
  let oldest = 1;
  const send = (socket: ServerWebSocket<undefined>, ...frames: object[]) => {
    for (const frame of frames) socket.send(JSON.stringify(frame));
  };
  const server = serveScript({
    reply: ({ path }) => (/^\/(v2\/search|lists\/)/.test(path) ? found(path) : null),
    onOpen(socket, query) {
      send(socket, { type: "welcome", epoch: EPOCH, seq: log.length, heartbeatSeconds: 20 });
      const resume = query.get("resume");
      if (resume === null) return;
      const after = Number(resume.split(".")[1]);
      if (after + 1 < oldest) send(socket, { type: "gap", fromSeq: after + 1, toSeq: oldest - 1 });
      send(socket, ...log.filter(({ seq }) => seq > after && seq >= oldest));
      send(socket, { type: "resumed", to: log.length });
    },
  });
  return {
    server,
    client: createClient({ server: server.url, key: "ct_test_bots", retries: 0 }),
    append(alert = {}) {
      const seq = log.length + 1;
      add({ ...buy(seq), ...alert });
      return seq;
    },
    undo(seq) {
      const { id, eventId } = log[seq - 1] as AlertFrame;
      const place = { chainId: 1399811149, chain: "solana", seq: log.length + 1, ts: log.length + 1 };
      add({ type: "retract", id, eventId: String(eventId), reason: "reorg", ...place } as RetractFrame);
    },
    listened: () =>
      eventually(
        () => server.sockets.some(({ readyState }) => readyState === WebSocket.OPEN),
        "a bot reads the log",
      ),
    forgetBefore(seq) {
      oldest = seq;
    },
    stop: () => server.stop(),
  };
}

function found(path: string): Response {
  if (path.startsWith("/lists/"))
    return json({
      traders: [{ handle: "maya", userId: MAYA }],
      tokens: [{ address: MINT, networkId: 1399811149, symbol: "WIF" }],
    });
  const query = new URL(path, "http://test").searchParams;
  const q = String(query.get("q")).toLowerCase();
  const trader = TRADERS[q] && { type: "trader", handle: q, userId: TRADERS[q] };
  const token = (q === "wif" || q === MINT.toLowerCase()) && {
    type: "token",
    symbol: "WIF",
    address: MINT,
    chainId: 1399811149,
    chain: "solana",
  };
  return json({ results: [trader, token].filter(Boolean) });
}

const buy = (seq: number): AlertFrame =>
  ({
    id: `alrt_1_${seq}`,
    eventId: `00000000-0000-4000-8000-${String(seq).padStart(12, "0")}`,
    seq,
    type: "alert",
    alertType: "buy",
    source: "feed",
    trader: "maya",
    userId: MAYA,
    token: `T${seq}`,
    tokenAddress: MINT,
    chainId: 1399811149,
    chain: "solana",
    text: null,
    fillUsd: 1_000,
    priceUsd: 0.5,
    ts: seq,
  }) as AlertFrame;

export function fastClock(): Clock {
  let current = 1_000_000;
  return {
    now: () => current,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        if (Number.isFinite(milliseconds)) {
          current += milliseconds;
          return void setImmediate(resolve);
        }
        signal?.addEventListener("abort", () => resolve(), { once: true });
      }),
  };
}
