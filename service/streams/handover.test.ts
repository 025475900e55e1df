// The hand-over from replay to live, under a log whose every read takes a random number of turns and an event in
// nearly every turn: the windows in which one could be lost or sent twice are met thousands of times.
import { expect, test } from "bun:test";
import type { Server } from "bun";
import fc from "fast-check";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { type Random, seededRandom } from "../../kit/random.ts";
import { eventually } from "../../test/support/eventually.ts";
import type { Access } from "../access/access.ts";
import { memoryBus } from "../bus/memory.ts";
import type { NameDirectory } from "../feed/resolve-filter.ts";
import { createTail } from "../feed/tail.ts";
import type { LogEvent } from "../model/event.ts";
import type { LogStore } from "../store/captured/log.ts";
import type { Session, Socket } from "./session.ts";
import { createStreams } from "./streams.ts";
import { eventMaker } from "./test-events.ts";

const EPOCH = "5f0c1c7e-2c53-4f57-9d8e-0a5be2a1c001";
/** Of the log, in memory: replays begin before it, in it and at its edge. */
const ENTRIES_IN_MEMORY = 64;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Names stay names: nobody is in this directory. */
const NOBODY: NameDirectory = {
  userIdOf: async () => null,
  knownUserIds: async () => new Set<string>(),
  knowsAddress: async () => false,
  knowsSymbol: async () => false,
};

/** A log in memory that answers late, and with what it holds at that moment. */
function jumpyLog(random: Random, seed: number, now: () => number) {
  const make = eventMaker(seed);
  const events: LogEvent[] = [];
  const pause = async () => {
    for (let turns = random.below(4); turns > 0; turns--)
      await (random.chance(0.5) ? turn() : Promise.resolve());
  };
  /** As an index would find them: only what a page needs is looked at. */
  const within = (from: number, to: number, most: number, isWanted: (event: LogEvent) => boolean) => {
    const found: LogEvent[] = [];
    for (let at = from; at < Math.min(to, events.length) && found.length < most; at++) {
      const event = events[at] as LogEvent;
      if (isWanted(event)) found.push(event);
    }
    return found;
  };
  const store: LogStore = {
    append: () => Promise.reject(new Error("this log is written to directly")),
    async page({ limit, after = 0, before = events.length + 1 }) {
      await pause();
      const range = within(after, before - 1, limit + 1, ({ feed }) => feed !== "chain");
      await pause();
      return { events: range.slice(0, limit), hasMore: range.length > limit, reached: null };
    },
    prune: () => Promise.resolve(0),
    begin: async () => false,
    appendHistory: async () => [],
    historyLeft: async () => [],
    beganAt: async () => 0,
    isSymbol: async () => false,
    async head() {
      await pause();
      return { epoch: EPOCH, seq: events.length, capturedAt: 1 };
    },
    async oldest() {
      await pause();
      return { seq: 1, capturedAt: 1, isFirst: true };
    },
    async readAfter(seq, { limit, upTo = events.length, feeds }) {
      await pause();
      const page = within(seq, upTo, limit, ({ feed }) => !feeds || feeds.includes(feed));
      await pause();
      return page;
    },
    positionAt: async () => 0,
    retractionsAfter: async () => [],
    find: async (eventId) => events.find((event) => event.eventId === eventId) ?? null,
  };
  const add = (count: number) => {
    for (const event of make.many(count))
      events.push({ ...event, seq: events.length + 1, capturedAt: now() });
  };
  return { store, events, add };
}

/** Sockets and the server's topics, without a network: what is sent is there at once. */
function paperServer(random: Random, drained: (socket: Socket) => void) {
  const topics = new Map<string, Set<Paper>>();
  interface Paper {
    got: number[];
    frames: string[];
  }
  const papers: Paper[] = [];
  const server = {
    publish(topic: string, text: string) {
      for (const paper of topics.get(topic) ?? []) take(paper, text);
    },
    upgrade(_request: Request, { data }: { data: Session }) {
      const paper: Paper = { got: [], frames: [] };
      papers.push(paper);
      let unread = 0;
      const socket = {
        data,
        send: (text: string) => take(paper, text),
        subscribe: (topic: string) => topics.set(topic, (topics.get(topic) ?? new Set()).add(paper)),
        unsubscribe: (topic: string) => topics.get(topic)?.delete(paper),
        close: () => {},
        getBufferedAmount() {
          // Now and then the client is slow for a turn.
          if (unread === 0 && random.chance(0.1)) {
            unread = 1_000_000;
            setImmediate(() => {
              unread = 0;
              drained(socket as unknown as Socket);
            });
          }
          return unread;
        },
      };
      opened(socket as unknown as Socket);
      return true;
    },
  };
  let opened: (socket: Socket) => void = () => {};
  const take = (paper: Paper, text: string) => {
    const frame = JSON.parse(text);
    paper.frames.push(frame.type);
    if ("eventId" in frame) paper.got.push(frame.seq);
  };
  return {
    papers,
    server: server as unknown as Server<Session>,
    onOpen: (open: (socket: Socket) => void) => {
      opened = open;
    },
  };
}

async function run(seed: number): Promise<void> {
  const random = seededRandom("handover", seed);
  const clock = systemClock();
  const { store, events, add } = jumpyLog(random, seed, clock.now);
  const log = createLog("silent", clock.now);
  const bus = memoryBus(log);
  // More than memory holds, so that the oldest positions are read from the store.
  add(random.chance(0.3) ? 1_000 : random.below(50));
  const caller = { kind: "key", keyId: "key_1", accountId: "acc_1", plan: "scale", realtimeSince: 0 };
  const access = {
    identify: () => caller,
    pace: () => ({}),
    openSocket: () => () => {},
    delayMsOf: () => 0,
    onChange: () => () => {},
    keys: { review: async () => new Map([["key_1", { works: true, plan: "scale" }]]) },
  } as unknown as Access;
  const tail = createTail({
    store: { log: store, traders: { byIds: async () => [] } },
    bus,
    chains: DEFAULT_CHAINS,
    clock,
    log,
    entriesMax: ENTRIES_IN_MEMORY,
  });
  await tail.start();
  const streams = createStreams({
    tail,
    database: undefined as never,
    bus,
    access,
    clock,
    log,
    metrics: createMetrics(),
    chains: DEFAULT_CHAINS,
    directory: NOBODY,
    allowedOrigins: ["*"],
    upgradeUrl: "/pricing",
  });
  const paper = paperServer(random, (socket) => streams.handler.drain?.(socket));
  paper.onOpen((socket) => void streams.handler.open?.(socket));
  await streams.start();

  const expected: { from: number; stream: string }[] = [];
  const connect = async () => {
    const stream = random.pick(["alerts", "trades"]);
    const head = events.length;
    const from = random.chance(0.7) ? head - random.below(Math.min(head, 40) + 1) : random.below(head + 1);
    const request = new Request(`http://localhost/ws/${stream}?resume=${EPOCH}.${from}`, {
      headers: {
        upgrade: "websocket",
        "sec-websocket-key": "x",
        "sec-websocket-version": "13",
      },
    });
    expected.push({ from, stream });
    await streams.upgrades[`/ws/${stream}`]?.(request, paper.server, "127.0.0.1");
  };
  for (let step = 0; step < 60; step++) {
    add(1 + random.below(3));
    bus.announce({ kind: "moved", epoch: EPOCH, seq: events.length });
    if (random.chance(0.3)) await connect();
    for (let turns = random.below(3); turns > 0; turns--) await turn();
  }
  await eventually(() => streams.counts().seq === events.length, "all is delivered");
  const live = () => paper.papers.every(({ frames }) => frames.includes("resumed"));
  await eventually(live, "every socket is live");
  for (const [index, { from, stream }] of expected.entries()) {
    const wanted = events.filter(
      (event) => event.seq > from && (event.feed === "chain") === (stream === "trades"),
    );
    expect(paper.papers[index]?.got).toEqual(wanted.map((event) => event.seq));
  }
  await streams.stop();
  await tail.stop();
}

test("at every hand-over from replay to live each event comes exactly once", async () => {
  await fc.assert(fc.asyncProperty(fc.nat(), run), { numRuns: 60, interruptAfterTimeLimit: 30_000 });
}, 900_000);
