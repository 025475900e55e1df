// The bus of several nodes: a capped Redis stream, written on one connection and read on another. Redis may be killed
// or wiped at any time: this node's own listeners go on, the state says `degraded`, and it joins again by itself.
import type { Clock } from "../../kit/clock.ts";
import { freshUuid } from "../../kit/ids.ts";
import type { Log } from "../../kit/log.ts";
import type { Random } from "../../kit/random.ts";
import { createListeners } from "./listeners.ts";
import { createPending } from "./pending.ts";
import { type Bus, type BusMessage, type BusState, parseMessage } from "./port.ts";
import { keepLink, type Send } from "./redis-link.ts";

export interface RedisBusParts {
  url: string;
  clock: Clock;
  random: Random;
  log: Log;
  /** Deployments that share one Redis differ in this. */
  stream?: string;
}

const DEFAULT_STREAM = "crowdtape:bus";
// Some minutes of hints; a reader further behind than that reads the log anyway.
const STREAM_MESSAGES = 10_000;
const READ_MESSAGES = 500;
// How often a quiet reader looks whether the stream was wiped, and a quiet writer whether Redis is still there.
const QUIET_MS = 2_000;
const START = "0-0";

export function redisBus({ url, clock, random, log, stream = DEFAULT_STREAM }: RedisBusParts): Bus {
  const node = freshUuid();
  const messages = createListeners<BusMessage>(log);
  const states = createListeners<BusState>(log);
  const pending = createPending();
  const stop = new AbortController();
  const connected = { reading: false, writing: false };
  let state: BusState = "degraded";

  const update = (part: keyof typeof connected, up: boolean, error?: unknown) => {
    connected[part] = up;
    const next: BusState = connected.reading && connected.writing ? "up" : "degraded";
    if (next === state) return;
    state = next;
    if (next === "up") log.info("nodes hear each other through Redis");
    else log.warn("Redis is away: this node polls the log and keeps its own limits", { error });
    states.tell(next);
  };

  const write = async (send: Send, up: () => void) => {
    await send("PING", []);
    up();
    update("writing", true);
    while (!stop.signal.aborted) {
      const quiet = AbortSignal.any([stop.signal, AbortSignal.timeout(QUIET_MS)]);
      const batch = await pending.take(quiet);
      try {
        if (batch.length === 0) await send("PING", []);
        else await Promise.all(batch.map((message) => send("XADD", entryOf(stream, node, message))));
      } catch (error) {
        pending.putBack(batch);
        throw error;
      }
    }
  };

  let last: string | null = null;
  const read = async (send: Send, up: () => void) => {
    // The first time only what comes from now on counts; later, what came meanwhile, unless it was wiped.
    last = placeAfter(last, await newestId(send, stream));
    up();
    update("reading", true);
    while (!stop.signal.aborted) {
      const options = ["COUNT", String(READ_MESSAGES), "BLOCK", String(QUIET_MS)];
      const answer = await send("XREAD", [...options, "STREAMS", stream, last], QUIET_MS);
      const entries = entriesOf(answer, stream);
      for (const { id, from, message } of entries) {
        last = id;
        if (message && from !== node) messages.tell(message);
      }
      if (entries.length === 0) last = placeAfter(last, await newestId(send, stream));
    }
  };

  const link = (part: keyof typeof connected, work: typeof read) =>
    keepLink({
      ...{ url, clock, random, work, signal: stop.signal },
      down: (error) => update(part, false, error),
    });
  const links = [link("writing", write), link("reading", read)];

  return {
    announce(message) {
      if (stop.signal.aborted) return;
      messages.tell(message);
      pending.put(message);
    },
    listen: messages.add,
    state: () => state,
    onState: states.add,
    async close() {
      stop.abort();
      await Promise.all(links);
    },
  };
}

function entryOf(stream: string, node: string, message: BusMessage): string[] {
  const fields = ["node", node, "message", JSON.stringify(message)];
  return [stream, "MAXLEN", "~", String(STREAM_MESSAGES), "*", ...fields];
}

async function newestId(send: Send, stream: string): Promise<string> {
  const answer = await send("XREVRANGE", [stream, "+", "-", "COUNT", "1"]);
  const first = Array.isArray(answer) ? answer[0] : null;
  return Array.isArray(first) && typeof first[0] === "string" ? first[0] : START;
}

/** A newest id that is older than our place means that the stream began anew; then all of it is news. */
function placeAfter(place: string | null, newest: string): string {
  if (place === null) return newest;
  return isOlder(newest, place) ? START : place;
}

function isOlder(a: string, b: string): boolean {
  const [aMs = 0, aN = 0] = a.split("-").map(Number);
  const [bMs = 0, bN = 0] = b.split("-").map(Number);
  return aMs < bMs || (aMs === bMs && aN < bN);
}

interface Entry {
  id: string;
  from: string | null;
  message: BusMessage | null;
}

function entriesOf(answer: unknown, stream: string): Entry[] {
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
