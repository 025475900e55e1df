// A stream that runs until it is closed: it connects, resumes where it was, and delivers each event once, in the order
// of the log. What could not be had is a `gap` among the items, never silence.
import { ApiError, ConnectionFailed, CrowdtapeError, StreamClosed } from "../api-error.ts";
import { CLOSE_CODES, type STREAM_PATHS } from "../generated.ts";
import { backoffMs } from "../time.ts";
import { BUFFER_MAX, createBuffer, type Entry, type Hole, type WhenFull } from "./buffer.ts";
import { createSaver, type PositionStore, type StreamPosition } from "./position.ts";
import {
  type Closed,
  type Connection,
  CUT,
  connect,
  type Filter,
  type Frame,
  type StreamParts,
} from "./socket.ts";

export interface StreamOptions {
  /** Where to continue; without it and without a saved position, from now on. */
  resume?: StreamPosition;
  /** Stores positions between runs. */
  store?: PositionStore;
  /** Or just a callback: called with each processed position. */
  onPosition?: (position: StreamPosition) => void | Promise<void>;
  /** The minimum interval between saved positions; one second by default. */
  saveEveryMs?: number;
  buffer?: { max?: number; whenFull?: WhenFull };
  onStatus?: (status: StreamStatus) => void;
  /** Called with every frame as it arrives, heartbeats included. */
  onFrame?: (frame: Frame) => void;
  /** Ends the loop, as `close()` does. */
  signal?: AbortSignal;
}

export interface StreamStatus {
  state: "connecting" | "live" | "waiting";
  /** While waiting: why, and for how long. */
  closeCode?: number;
  reason?: string;
  delayMs?: number;
  /** When live: the welcome frame. */
  welcome?: Frame;
}

/** Events that did not come over the socket. Rows from REST follow it if `filling` is true. */
export interface Gap extends Hole {
  type: "gap";
  filling: boolean;
}

export interface Stream<Item> extends AsyncIterable<Item> {
  /** The last position that was processed. */
  readonly position: StreamPosition | null;
  /** Marks the current item as processed, so that leaving the loop now does not repeat it. */
  done(): Promise<void>;
  close(): void;
}

export interface StreamSpec<Item> {
  name: keyof typeof STREAM_PATHS;
  filter: Filter;
  /** Which frames are items. */
  isItem(frame: Frame): boolean;
  /** Reads the missing range from REST, oldest first; null when that is impossible. */
  fill(hole: Hole, from: StreamPosition | null, to: StreamPosition): AsyncIterable<Item | Gap> | null;
  /** Whether history comes before the first live item. */
  startsWithFill: boolean;
}

const ANOTHER_LOG: Hole = { reason: "epoch", fromSeq: null, toSeq: null };
const SAVE_EVERY_MS = 1_000;
const BACKOFF_BASE_MS = 500;
const BACKOFF_MS_MAX = 30_000;
/** If the first connection never gets a welcome, the reason is one that retrying won't fix. */
const FIRST_ATTEMPTS_MAX = 6;
const TOO_MANY_MESSAGES = 4029;
const TOO_MANY_MESSAGES_MS = 5_000;

export function openStream<Item extends { type: string; seq?: number }>(
  parts: StreamParts,
  spec: StreamSpec<Item>,
  options: StreamOptions,
): Stream<Item | Gap> {
  const { max = BUFFER_MAX, whenFull = "reconnect" } = options.buffer ?? {};
  const buffer = createBuffer<Item>(max, whenFull);
  const saver = createSaver(async (position) => {
    await options.store?.save(position);
    await options.onPosition?.(position);
  }, options.saveEveryMs ?? SAVE_EVERY_MS);
  const stop = new AbortController();
  let connection: Connection | null = null;
  /** Received up to here; the reader may be behind. */
  let received: StreamPosition | null = null;
  let handed: StreamPosition | null = null;
  let inHand: StreamPosition | null = null;
  let isOver = false;
  /** The progress of the current connection. */
  let stage: "connecting" | "welcomed" | "proven" = "connecting";
  let everWelcomed = false;
  /** The log's position when the current connection began. */
  let welcomed: StreamPosition | null = null;

  const end = (error?: unknown) => {
    if (isOver) return;
    isOver = true;
    stop.abort();
    connection?.close();
    buffer.end(error);
  };

  const push = (entry: Entry<Item>) => {
    if (isOver) return;
    if (buffer.push(entry)) received = entry.position;
    else connection?.close();
  };

  const onFrame = (frame: Frame) => {
    if (isOver) return;
    options.onFrame?.(frame);
    const seq = Number(frame.seq ?? frame.to ?? 0);
    if (frame.type === "welcome") return onWelcome(frame, seq);
    if (frame.type === "reconnect") return connection?.close();
    if (!received) return;
    stage = "proven";
    const { epoch } = received;
    if (frame.type === "gap") {
      if (frame.toSeq === null) push({ item: null, position: welcomed ?? received, gap: ANOTHER_LOG });
      else {
        const [fromSeq, toSeq] = [Number(frame.fromSeq), Number(frame.toSeq)];
        push({
          item: null,
          position: { ...received, seq: toSeq },
          gap: { reason: "retention", fromSeq, toSeq },
        });
      }
    } else if (spec.isItem(frame)) {
      if (seq <= received.seq) return;
      const at = Number(frame.ts ?? frame.blockTs);
      push({ item: frame as unknown as Item, position: { epoch, seq, ts: at } });
    } else if (frame.type === "heartbeat" || frame.type === "resumed") {
      if (seq > received.seq) push({ item: null, position: { ...received, seq } });
    }
  };

  const onWelcome = (frame: Frame, seq: number) => {
    const epoch = String(frame.epoch);
    welcomed = { epoch, seq, ...(received?.ts === undefined ? {} : { ts: received.ts }) };
    stage = "welcomed";
    if (!received) {
      const start: Hole = { reason: "start", fromSeq: null, toSeq: seq };
      push({ item: null, position: welcomed, ...(spec.startsWithFill ? { gap: start } : {}) });
    }
    everWelcomed = true;
    options.onStatus?.({ state: "live", welcome: frame });
  };

  const run = async () => {
    received = options.resume ?? (await options.store?.load()) ?? null;
    handed = received;
    for (let attempt = 0; !isOver; attempt++) {
      await buffer.room();
      if (isOver) return;
      const ended = await connectOnce();
      if (isOver) return;
      if (stage === "proven") attempt = 0;
      await refuseIfFinal(ended, attempt);
      const delayMs =
        backoffMs(parts.time, attempt, BACKOFF_BASE_MS, BACKOFF_MS_MAX) +
        (ended.code === TOO_MANY_MESSAGES ? TOO_MANY_MESSAGES_MS : 0);
      options.onStatus?.({ state: "waiting", closeCode: ended.code, reason: ended.reason, delayMs });
      await parts.time.sleep(delayMs, stop.signal);
    }
  };

  const connectOnce = async (): Promise<Closed> => {
    stage = "connecting";
    options.onStatus?.({ state: "connecting" });
    try {
      connection = await connect(parts, spec.name, spec.filter, received, (frame) => {
        try {
          onFrame(frame);
        } catch (error) {
          end(error);
        }
      });
    } catch (error) {
      const canPass = (error instanceof ApiError && error.retryable) || error instanceof ConnectionFailed;
      if (!canPass) throw error;
      return { code: CUT, reason: error.message };
    }
    // The stream may have been closed while a ticket was being requested.
    if (isOver) connection.close();
    return connection.closed;
  };

  const refuseIfFinal = async ({ code, reason }: Closed, attempt: number) => {
    const [name, reconnect] = CLOSE_CODES[code] ?? ["", true];
    if (!reconnect)
      throw new StreamClosed(code, reason, `The stream was closed: ${reason || name} (${code}).`);
    if (everWelcomed || stage !== "connecting") return;
    if (spec.name === "trades" && parts.hasKey) await refuseWithoutPlan(parts, code);
    if (attempt + 1 >= FIRST_ATTEMPTS_MAX)
      throw new StreamClosed(
        code,
        reason,
        "The stream does not open: check the server, the filter and how many sockets are open.",
      );
  };

  async function* items(): AsyncGenerator<Item | Gap> {
    if (options.signal?.aborted) return;
    const onAbort = () => end();
    options.signal?.addEventListener("abort", onAbort, { once: true });
    run().then(
      () => end(),
      (error) => end(isOver ? undefined : error),
    );
    try {
      for (let entry = await buffer.take(); entry; entry = await buffer.take()) {
        if (entry.gap) yield* across(entry.gap, entry.position);
        else if (entry.item !== null && isNews(entry.position)) {
          inHand = entry.position;
          yield entry.item;
        }
        await dealtWith(entry.position);
      }
    } finally {
      options.signal?.removeEventListener("abort", onAbort);
      end();
      await saver.flush();
    }
  }

  async function* across(hole: Hole, to: StreamPosition): AsyncGenerator<Item | Gap> {
    const rows = spec.fill(hole, handed, to);
    // A position of another log can't be compared with this one's.
    if (hole === ANOTHER_LOG) handed = null;
    if (hole.reason !== "start") yield { type: "gap", ...hole, filling: rows !== null };
    if (rows === null) return;
    for await (const item of rows) {
      if (item.type === "gap") {
        yield item;
        continue;
      }
      const position = { epoch: to.epoch, seq: Number((item as Item).seq) };
      if (!isNews(position)) continue;
      inHand = position;
      yield item;
      await dealtWith(position);
    }
  }

  const isNews = ({ epoch, seq }: StreamPosition) => handed?.epoch !== epoch || seq > handed.seq;

  const dealtWith = async (position: StreamPosition) => {
    inHand = null;
    if (!isNews(position)) return;
    handed = position;
    await saver.note(position);
  };

  let opened: AsyncGenerator<Item | Gap> | null = null;
  return {
    [Symbol.asyncIterator]() {
      if (opened) throw new CrowdtapeError("StreamTaken", "A stream is read once; open another.");
      opened = items();
      return opened;
    },
    get position() {
      return handed;
    },
    async done() {
      if (inHand) await dealtWith(inHand);
    },
    close: () => end(),
  };
}

/** A refused socket gives no reason; the account says what its plan includes. */
async function refuseWithoutPlan({ client }: StreamParts, code: number): Promise<void> {
  const { plan, streams } = await client.getMe();
  if (streams.onChain.included) return;
  throw new StreamClosed(code, "plan_required", `The plan ${plan} does not include the on-chain stream.`);
}
