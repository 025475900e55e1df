// A client for tests: it keeps every frame, and waits for conditions.
import { ServerFrame } from "../../contract/frames.ts";

type FrameOf<Type> = Extract<ServerFrame, { type: Type }>;
type EventFrame = FrameOf<"alert"> | FrameOf<"trade"> | FrameOf<"retract">;

export interface TestClient {
  frames: ServerFrame[];
  socket: WebSocket;
  /** Those of the log, in the order they came. */
  events(): EventFrame[];
  seqs(): number[];
  /** When each of them came, if `now` was given. */
  times: Map<number, number>;
  of<Type extends ServerFrame["type"]>(type: Type): FrameOf<Type>[];
  first<Type extends ServerFrame["type"]>(type: Type): Promise<FrameOf<Type>>;
  until(condition: () => boolean, what: string): Promise<void>;
  send(frame: unknown): void;
  /** Resolves with the code and reason of the close. */
  closed: Promise<{ code: number; reason: string }>;
  close(): Promise<void>;
}

const WAITS_MS = 60_000;

export async function connect(
  base: string,
  path = "/ws/alerts",
  query: Record<string, string> = {},
  options: {
    headers?: Record<string, string>;
    checked?: boolean;
    now?: () => number;
    /** How long it waits for a frame; for what takes long on a busy machine. */
    waitsMs?: number;
  } = {},
): Promise<TestClient> {
  const { waitsMs = WAITS_MS } = options;
  const search = new URLSearchParams(query);
  const url = `${base}${path}${search.size > 0 ? `?${search}` : ""}`;
  const socket = new WebSocket(url, { headers: options.headers ?? {} } as never);
  const frames: ServerFrame[] = [];
  const times = new Map<number, number>();
  const waiting = new Set<() => void>();
  let end: { code: number; reason: string } | null = null;
  const wake = () => {
    for (const look of waiting) look();
  };
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => {
      end = { code, reason };
      resolve(end);
      wake();
    });
  });
  socket.addEventListener("message", ({ data }) => {
    const frame = JSON.parse(String(data));
    // What the contract says is what comes, for every frame of every test.
    frames.push(options.checked === false ? frame : ServerFrame.parse(frame));
    if ("eventId" in frame && options.now) times.set(frame.seq, options.now());
    wake();
  });
  const until = (condition: () => boolean, what: string) =>
    new Promise<void>((resolve, reject) => {
      const finish = (error?: Error) => {
        clearTimeout(timer);
        waiting.delete(look);
        if (error) reject(error);
        else resolve();
      };
      const look = () => {
        if (condition()) finish();
        else if (end) finish(new Error(`closed with ${end.code} ${end.reason} before ${what}`));
      };
      const timer = setTimeout(() => finish(new Error(`this did not come: ${what}`)), waitsMs);
      waiting.add(look);
      look();
    });
  const client: TestClient = {
    frames,
    socket,
    times,
    events: () => frames.filter((frame): frame is EventFrame => "seq" in frame && "eventId" in frame),
    seqs: () => client.events().map((frame) => frame.seq),
    of: <Type extends ServerFrame["type"]>(type: Type) =>
      frames.filter((frame): frame is FrameOf<Type> => frame.type === type),
    async first(type) {
      await until(() => client.of(type).length > 0, `a ${type} frame`);
      return client.of(type)[0] as FrameOf<typeof type>;
    },
    until,
    send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    closed,
    async close() {
      socket.close();
      await closed;
    },
  };
  await until(() => client.of("welcome").length > 0, "welcome");
  return client;
}

/** The answer to an upgrade that is refused. */
export async function refusal(
  base: string,
  path: string,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const search = new URLSearchParams(query);
  const over = new AbortController();
  const response = await fetch(`${base.replace("ws:", "http:")}${path}?${search}`, {
    signal: over.signal,
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...headers,
    },
  });
  // It was let in after all, and its body would never end.
  if (response.status === 101) over.abort();
  const text = response.status === 101 ? "" : await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}
