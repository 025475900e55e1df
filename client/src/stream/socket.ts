// One connection: opened with a ticket, so that no key is part of a URL; monitored by the heartbeat; ended with a close code
// that says whether to reconnect.
import { HEARTBEAT_SECONDS, type Methods, type Rows, STREAM_PATHS } from "../generated.ts";
import type { Time } from "../time.ts";
import type { StreamPosition } from "./position.ts";

/** The part of the browser's WebSocket that is used here; event types differ between implementations. */
export interface WebSocketLike {
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  close(code?: number, reason?: string): void;
}

export interface StreamParts {
  client: Pick<Methods, "createStreamTicket" | "getMe"> & { rows: Rows };
  server: string;
  hasKey: boolean;
  time: Time;
  WebSocket: (new (url: string) => WebSocketLike) | undefined;
}

export interface Frame extends Record<string, unknown> {
  type: string;
}

export interface Closed {
  code: number;
  reason: string;
}

export interface Connection {
  closed: Promise<Closed>;
  close(): void;
}

export type Filter = Readonly<Record<string, unknown>>;

/** The time from start to the first frame. */
const WELCOME_WITHIN_MS = 15_000;
/** Heartbeats that may be missed: one can be late, two can't. */
const BEATS_MISSED_MAX = 2.5;
/** The code of an abnormal closure, when none was given. */
export const CUT = 1006;

export async function connect(
  parts: StreamParts,
  stream: keyof typeof STREAM_PATHS,
  filter: Filter,
  resume: StreamPosition | null,
  onFrame: (frame: Frame) => void,
): Promise<Connection> {
  const { WebSocket } = parts;
  if (!WebSocket)
    throw new TypeError("This runtime has no WebSocket. Pass one to createClient as WebSocket.");
  const ticket = parts.hasKey ? (await parts.client.createStreamTicket()).ticket : null;
  const socket = new WebSocket(addressOf(parts.server, STREAM_PATHS[stream], filter, ticket, resume));

  let timer: ReturnType<typeof setTimeout>;
  let patienceMs = WELCOME_WITHIN_MS;
  const closed = new Promise<Closed>((resolve) => {
    const finish = (end: Closed) => {
      clearTimeout(timer);
      socket.onmessage = null;
      resolve(end);
    };
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        // A dead connection may take minutes to close, so don't wait for it.
        finish({ code: CUT, reason: "no heartbeat" });
        socket.close();
      }, patienceMs);
    };
    socket.onclose = ({ code, reason }: Closed) => finish({ code, reason });
    socket.onerror = () => {};
    socket.onmessage = ({ data }: { data: unknown }) => {
      const frame = frameOf(data);
      if (!frame) {
        finish({ code: CUT, reason: "not a frame" });
        return socket.close();
      }
      if (frame.type === "welcome")
        patienceMs = Number(frame.heartbeatSeconds ?? HEARTBEAT_SECONDS) * 1_000 * BEATS_MISSED_MAX;
      watch();
      onFrame(frame);
    };
    watch();
  });
  const close = () => {
    // Frames still in flight belong to the next connection.
    socket.onmessage = null;
    socket.close(1000);
  };
  return { closed, close };
}

/** A proxy in between may send anything. */
function frameOf(data: unknown): Frame | null {
  try {
    const frame: unknown = JSON.parse(String(data));
    return typeof frame === "object" && frame !== null && "type" in frame ? (frame as Frame) : null;
  } catch {
    return null;
  }
}

function addressOf(
  server: string,
  path: string,
  filter: Filter,
  ticket: string | null,
  resume: StreamPosition | null,
): string {
  const query = new URLSearchParams({ notices: "true" });
  for (const [name, value] of Object.entries(filter))
    if (value !== undefined) query.set(name, Array.isArray(value) ? value.join(",") : String(value));
  if (resume) query.set("resume", `${resume.epoch}.${resume.seq}`);
  if (ticket !== null) query.set("ticket", ticket);
  return `${server.replace(/^http/, "ws")}${path}?${query}`;
}
