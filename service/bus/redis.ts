// The bus of several nodes: a capped Redis stream, written on one connection and read on another. Redis may be killed
// or wiped at any time: this node's own listeners continue, the state says `degraded`, and it rejoins on its own.
import { freshUuid } from "../../kit/ids.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop, type Loop } from "../../kit/loop.ts";
import { createListeners } from "./listeners.ts";
import { createPending } from "./pending.ts";
import { type Bus, type BusMessage, type BusState, parseMessage } from "./port.ts";
import { createRedisLink, type RedisLink } from "./redis-link.ts";

export interface RedisBusParts extends Pick<Kit, "clock" | "log" | "random"> {
  url: string;
  /** Deployments that share one Redis differ in this. */
  stream?: string;
}

const DEFAULT_STREAM = "crowdtape:bus";
// Some minutes of hints; a reader further behind than that reads the log anyway.
const STREAM_MESSAGES = 10_000;
const READ_MESSAGES = 500;
// How often an idle reader checks whether the stream was wiped, and an idle writer whether Redis is still up.
const QUIET_MS = 2_000;
// The backoff: a restarted Redis is found within two seconds, a missing one is tried rarely.
const FIRST_PAUSE_MS = 50;
const PAUSE_MS_MAX = 2_000;
const START = "0-0";

export function redisBus(parts: RedisBusParts): Bus {
  const { log, stream = DEFAULT_STREAM } = parts;
  const node = freshUuid();
  const messages = createListeners<BusMessage>(log);
  const states = createListeners<BusState>(log);
  const pending = createPending();
  const connected = { reading: false, writing: false };
  let state: BusState = "degraded";
  let closed = false;

  const update = (part: keyof typeof connected, up: boolean, error?: unknown) => {
    connected[part] = up;
    const next: BusState = connected.reading && connected.writing ? "up" : "degraded";
    if (next === state) return;
    state = next;
    if (next === "up") log.info("nodes are connected through Redis");
    else log.warn("Redis is down: this node polls the log and enforces limits on its own", { error });
    states.tell(next);
  };

  const write = async (link: RedisLink, signal: AbortSignal) => {
    const quiet = AbortSignal.any([signal, AbortSignal.timeout(QUIET_MS)]);
    const batch = await pending.take(quiet);
    try {
      if (batch.length === 0) await link.send("PING", []);
      else await Promise.all(batch.map((message) => link.send("XADD", entryOf(stream, node, message))));
    } catch (error) {
      pending.putBack(batch);
      throw error;
    }
  };

  let last: string | null = null;
  const catchUp = async (link: RedisLink) => {
    // The first time only new messages count; later, missed ones too, unless the stream was wiped.
    last = placeAfter(last, await newestId(link, stream));
  };
  const read = async (link: RedisLink) => {
    const options = ["COUNT", String(READ_MESSAGES), "BLOCK", String(QUIET_MS)];
    const answer = await link.send("XREAD", [...options, "STREAMS", stream, last ?? START], QUIET_MS);
    const entries = entriesOf(answer, stream);
    for (const { id, from, message } of entries) {
      last = id;
      if (message && from !== node) messages.tell(message);
    }
    if (entries.length === 0) await catchUp(link);
  };

  const loops = [
    keepUsing(parts, {
      begin: (link) => link.send("PING", []),
      step: write,
      onChange: (up, error) => update("writing", up, error),
    }),
    keepUsing(parts, {
      begin: catchUp,
      step: read,
      onChange: (up, error) => update("reading", up, error),
    }),
  ];
  for (const loop of loops) loop.start();

  return {
    announce(message) {
      if (closed) return;
      messages.tell(message);
      pending.put(message);
    },
    listen: messages.add,
    state: () => state,
    onState: states.add,
    async close() {
      closed = true;
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

interface LinkUse {
  /** Must succeed before the connection counts as up. */
  begin(link: RedisLink): Promise<unknown>;
  /** Repeated until it rejects. */
  step(link: RedisLink, signal: AbortSignal): Promise<void>;
  onChange(up: boolean, error?: unknown): void;
}

/** A dedicated connection that reconnects with backoff whenever it breaks. */
function keepUsing({ url, clock, log, random }: RedisBusParts, use: LinkUse): Loop {
  const link = createRedisLink({ url, clock });
  return createLoop({
    failure: (error) => use.onChange(false, error),
    backoff: { firstMs: FIRST_PAUSE_MS, msMax: PAUSE_MS_MAX, random },
    clock,
    log,
    async round(signal, works) {
      signal.addEventListener("abort", link.drop, { once: true });
      try {
        await link.connect();
        await use.begin(link);
        works();
        use.onChange(true);
        while (!signal.aborted) await use.step(link, signal);
      } finally {
        signal.removeEventListener("abort", link.drop);
        link.drop();
      }
    },
  });
}

function entryOf(stream: string, node: string, message: BusMessage): string[] {
  const fields = ["node", node, "message", JSON.stringify(message)];
  return [stream, "MAXLEN", "~", String(STREAM_MESSAGES), "*", ...fields];
}

async function newestId(link: RedisLink, stream: string): Promise<string> {
  const answer = await link.send("XREVRANGE", [stream, "+", "-", "COUNT", "1"]);
  const first = Array.isArray(answer) ? answer[0] : null;
  return Array.isArray(first) && typeof first[0] === "string" ? first[0] : START;
}

/** A newest id older than our position means that the stream was wiped; then all of it is new. */
function placeAfter(place: string | null, newest: string): string {
  if (place === null) return newest;
  return isOlder(newest, place) ? START : place;
}

function isOlder(a: string, b: string): boolean {
  const [aMs = 0, aN = 0] = a.split("-").map(Number);
  const [bMs = 0, bN = 0] = b.split("-").map(Number);
  return aMs < bMs || (aMs === bMs && aN < bN);
}

interface StreamEntry {
  id: string;
  from: string | null;
  message: BusMessage | null;
}

function entriesOf(answer: unknown, stream: string): StreamEntry[] {
  const list = (answer as Record<string, unknown> | null)?.[stream];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    if (!Array.isArray(entry) || typeof entry[0] !== "string" || !Array.isArray(entry[1])) return [];
    const fields: unknown[] = entry[1];
    const fieldOf = (name: string) => {
      const value = fields[fields.indexOf(name) + 1];
      return fields.includes(name) && typeof value === "string" ? value : null;
    };
    const text = fieldOf("message");
    return [{ id: entry[0], from: fieldOf("node"), message: text === null ? null : parseMessage(text) }];
  });
}
