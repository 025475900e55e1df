import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { sql } from "../../database/sql.ts";
import { nextTurn } from "../../kit/turn.ts";
import { eventually } from "../../test/support/eventually.ts";
import { countTurns } from "../../test/support/turns.ts";
import { factsOf } from "../feed/facts.ts";
import { matches } from "../feed/filter.ts";
import { filterFromQuery } from "../feed/filter-input.ts";
import type { LogEvent } from "../model/event.ts";
import { connect, type TestClient } from "./test-client.ts";
import { eventMaker } from "./test-events.ts";
import { keyOf, startNode, type TestNode, temporaryFile } from "./test-support.ts";

const closing: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});
const node = async (...options: Parameters<typeof startNode>): Promise<TestNode> => {
  const made = await startNode(...options);
  closing.push(made.close);
  return made;
};

/** What a socket with this query must get of these events, by our own slow reading of the filter. */
function matching(
  stream: "alerts" | "trades",
  query: Record<string, string>,
  events: readonly LogEvent[],
): number[] {
  const filter = filterFromQuery(stream, query, DEFAULT_CHAINS);
  const trades = new Map(events.flatMap((event) => (event.kind === "trade" ? [[event.eventId, event]] : [])));
  const wanted = events.filter((event) => {
    if ((event.feed === "chain") !== (stream === "trades")) return false;
    if (event.kind === "final") return false;
    const subject = event.kind === "retract" ? trades.get(event.retractedEventId) : event;
    return subject !== undefined && matches(filter, factsOf(subject));
  });
  return wanted.map((event) => event.seq);
}

test("a resume replays what was missed, marked, in order, then says so, then continues live", async () => {
  const one = await node();
  const make = eventMaker("resume");
  const { secret } = await keyOf(one, "scale");
  const events = await one.append(make.many(1_500));
  const { epoch } = await one.store.log.head();
  const from = 200;
  await eventually(() => one.streams.counts().seq === 1_500, "the node has read the log");
  const client = await connect(one.url, "/ws/alerts", {
    key: secret,
    type: "buy,push",
    resume: `${epoch}.${from}`,
  });
  const resumed = await client.first("resumed");
  const expected = matching("alerts", { type: "buy,push" }, events).filter((seq) => seq > from);
  expect(client.seqs()).toEqual(expected);
  expect(resumed).toEqual({ type: "resumed", from, to: 1_500, count: expected.length, complete: true });
  expect(client.of("alert").every((alert) => alert.replay === true)).toBe(true);
  const [live] = await one.append([make.app({ kind: "buy" })]);
  await client.until(() => client.seqs().includes(Number(live?.seq)), "the live alert");
  expect(client.of("alert").at(-1)?.replay).toBeUndefined();
});

test("a position before what the log still has is answered with a gap first, then with all that is left", async () => {
  const one = await node();
  const make = eventMaker("gap");
  const { secret } = await keyOf(one, "scale");
  await one.append(make.many(300));
  const pruned = await one.store.log.prune(one.clock.now() + 1, 100);
  expect(pruned).toBe(100);
  // Memory may still reach further back than the log; a fresh node has only the log.
  const other = await node({ file: one.file });
  const { epoch } = await one.store.log.head();
  const client = await connect(other.url, "/ws/trades", { key: secret, resume: `${epoch}.20` });
  const resumed = await client.first("resumed");
  const position = client.frames.findIndex((frame) => frame.type === "gap");
  expect(client.frames[position]).toMatchObject({ fromSeq: 21, toSeq: 100 });
  expect(position).toBeLessThan(client.frames.findIndex((frame) => frame.type === "trade"));
  expect(resumed).toMatchObject({ from: 20, to: 300, complete: false });
  expect(client.seqs().every((seq) => seq > 100)).toBe(true);
});

test("a position of another log, or one never given out, is answered with a gap and then live", async () => {
  const one = await node();
  const make = eventMaker("other");
  const { secret } = await keyOf(one, "scale");
  await one.append(make.many(10));
  await eventually(() => one.streams.counts().seq === 10, "the node has read the log");
  const { epoch } = await one.store.log.head();
  for (const resume of ["another-log.3", `${epoch}.11`]) {
    const client = await connect(one.url, "/ws/alerts", { key: secret, resume });
    expect(await client.first("gap")).toMatchObject({ fromSeq: null, toSeq: null });
    expect(await client.first("resumed")).toMatchObject({ count: 0, complete: false, to: 10 });
    expect(client.events()).toEqual([]);
  }
});

test("a resume gives way between pages: however long the log, the event loop turns between two reads", async () => {
  const one = await node();
  const make = eventMaker("turns");
  const { secret } = await keyOf(one, "scale");
  await one.append(make.many(9_000));
  const { epoch } = await one.store.log.head();
  const other = await node({ file: one.file });
  const turns = countTurns();
  const readsAt: number[] = [];
  for (const name of ["readAfter", "page"] as const) {
    const read = other.store.log[name].bind(other.store.log) as (...rest: never[]) => Promise<never>;
    Object.assign(other.store.log, {
      [name]: (...rest: never[]) => {
        readsAt.push(turns.now());
        return read(...rest);
      },
    });
  }
  for (const query of [{ minUsd: "99999999" }, { type: "perp" }, {}]) {
    const client = await connect(other.url, "/ws/trades", { key: secret, resume: `${epoch}.0` });
    expect(await client.first("resumed")).toMatchObject({ complete: true });
    const alerts = await connect(other.url, "/ws/alerts", { key: secret, resume: `${epoch}.0`, ...query });
    expect(await alerts.first("resumed")).toMatchObject({ complete: true });
    await client.close();
    await alerts.close();
  }
  turns.stop();
  const perTurn = Map.groupBy(readsAt, (at) => at);
  expect(perTurn.size).toBeGreaterThan(30);
  for (const reads of perTurn.values()) expect(reads.length).toBeLessThanOrEqual(4);
}, 900_000);

test("a resume for a name that nobody has reads no log at all", async () => {
  const one = await node();
  const { secret } = await keyOf(one, "scale");
  await one.append(eventMaker("nobody").many(6_000));
  const { epoch } = await one.store.log.head();
  const other = await node({ file: one.file });
  let read = 0;
  const { readAfter } = other.store.log;
  other.store.log.readAfter = async (seq, options) => {
    const events = await readAfter(seq, options);
    // A replay reads one stream; a delayed lane, which reads both, has its own reasons.
    if (options.feeds) read += events.length;
    return events;
  };
  const client = await connect(other.url, "/ws/alerts", {
    key: secret,
    trader: "nobodyxx",
    resume: `${epoch}.0`,
  });
  expect(await client.first("resumed")).toMatchObject({ from: 0, to: 6_000, count: 0, complete: true });
  expect(read).toBe(0);
});

test("a resume from further back than one may look through begins with a gap that says how to fill it", async () => {
  const one = await node();
  const { secret } = await keyOf(one, "scale");
  const make = eventMaker("far");
  await one.append([make.app()]);
  // What lies between need not be there to be too much.
  await one.store.database.write((tx) => tx.run(sql`UPDATE log_head SET seq = 249999`));
  await one.append(make.many(10));
  const rows = 250_009;
  const other = await node({ file: one.file });
  const { epoch } = await other.store.log.head();
  const client = await connect(other.url, "/ws/alerts", { key: secret, resume: `${epoch}.0` });
  expect(await client.first("resumed")).toMatchObject({ from: 0, to: rows, complete: false });
  const gap = await client.first("gap");
  expect(gap).toMatchObject({ fromSeq: 1, toSeq: rows - 200_000 });
  expect(String(gap.recover)).toContain(`order=asc&cursor=${epoch}.0&before=${epoch}.${rows - 200_000 + 1}`);
}, 900_000);

test("history that is read while a socket is open is in the log, and sent to nobody, live or again", async () => {
  const one = await node();
  const make = eventMaker("history");
  const { secret } = await keyOf(one, "scale");
  const client = await connect(one.url, "/ws/alerts", { key: secret });
  const { epoch } = await one.store.log.head();
  const past = Array.from({ length: 2_200 }, (_, n) => ({ ...make.app(), at: 1_000 + n }));
  await one.append(past);
  const [news] = await one.append([make.app({ kind: "buy" })]);
  await client.until(() => client.seqs().length > 0, "the news");
  expect(client.seqs()).toEqual([Number(news?.seq)]);
  const again = await connect(one.url, "/ws/alerts", { key: secret, resume: `${epoch}.0` });
  expect(await again.first("resumed")).toMatchObject({ count: 1, complete: true });
  expect((await one.store.log.page({ limit: 100, kinds: ["buy"] })).events.length).toBe(100);
});

test("without a resume nothing is replayed", async () => {
  const one = await node();
  const { secret } = await keyOf(one, "scale");
  await one.append(eventMaker("none").many(50));
  await eventually(() => one.streams.counts().seq === 50, "the node has read the log");
  const client = await connect(one.url, "/ws/alerts", { key: secret });
  client.send({ action: "ping" });
  await client.first("pong");
  const kinds = client.frames.map((frame) => frame.type).filter((kind) => kind !== "heartbeat");
  expect(kinds).toEqual(["welcome", "pong"]);
});

const QUERIES: Record<string, string>[] = [
  {},
  { type: "buy" },
  { trader: "trader1,trader2,trader3" },
  { token: "tok1", minUsd: "50" },
  { chain: "solana,altchain" },
];
const TRADE_QUERIES: Record<string, string>[] = [{}, { side: "buy" }, { minUsd: "1000" }, { chain: "sol" }];

test("whatever the order of appends, connects, breaks and resumes, each client gets exactly the matching log", async () => {
  const one = await node({ manySockets: true });
  const two = await node({ manySockets: true, file: one.file });
  const { secret } = await keyOf(one, "scale");
  const all: LogEvent[] = [];
  let runs = 0;

  interface Follower {
    stream: "alerts" | "trades";
    query: Record<string, string>;
    client: TestClient;
    /** Events before this belong to nobody: it connected later. */
    since: number;
    got: number[];
  }

  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("append" as const), count: fc.integer({ min: 1, max: 60 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("connect" as const),
        trades: fc.boolean(),
        query: fc.nat(19),
        second: fc.boolean(),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("break" as const), which: fc.nat(), second: fc.boolean() }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("pause" as const), turns: fc.integer({ min: 0, max: 60 }) }),
    },
  );

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (script) => {
      const make = eventMaker(`race-${++runs}`);
      const followers: Follower[] = [];
      const { epoch } = await one.store.log.head();
      const appending: Promise<unknown>[] = [];
      const place = (second: boolean) => (second ? two.url : one.url);
      const path = (stream: string) => `/ws/${stream}`;
      const last = (follower: Follower) =>
        Math.max(follower.since, ...follower.got, ...follower.client.seqs());
      for (const action of script) {
        if (action.do === "append") {
          appending.push(
            one.append(make.many(action.count)).then((events) => {
              all.push(...events);
              two.bus.announce({ kind: "moved", epoch, seq: events.at(-1)?.seq ?? 0 });
            }),
          );
        } else if (action.do === "connect") {
          const stream = action.trades ? "trades" : "alerts";
          const queries = action.trades ? TRADE_QUERIES : QUERIES;
          const query = queries[action.query % queries.length] ?? {};
          const client = await connect(place(action.second), path(stream), { key: secret, ...query });
          const { seq } = await client.first("welcome");
          followers.push({ stream, query, client, since: seq, got: [] });
        } else if (action.do === "break") {
          const follower = followers[action.which % Math.max(1, followers.length)];
          if (!follower) continue;
          // A client continues from the last event it saw, or from where the server put it.
          await follower.client.close();
          const resume = `${epoch}.${last(follower)}`;
          follower.got.push(...follower.client.seqs());
          const { stream, query } = follower;
          follower.client = await connect(place(action.second), path(stream), {
            key: secret,
            ...query,
            resume,
          });
        } else {
          for (let turn = 0; turn < action.turns; turn++) await nextTurn();
        }
      }
      await Promise.all(appending);
      all.sort((a, b) => a.seq - b.seq);
      for (const { stream, query, client, since, got } of followers) {
        const expected = matching(stream, query, all).filter((seq) => seq > since);
        const now = () => [...got, ...client.seqs()];
        await client.until(() => now().length >= expected.length, `${expected.length} events`);
        client.send({ action: "ping" });
        await client.first("pong");
        expect(now()).toEqual(expected);
        await client.close();
      }
    }),
    { numRuns: 25, interruptAfterTimeLimit: 40_000 },
  );
  await eventually(() => one.streams.counts().sockets + two.streams.counts().sockets === 0, "all are gone");
  expect(one.streams.counts().topics + two.streams.counts().topics).toBe(0);
}, 900_000);

/** So that the log does not grow by much while a process starts. */
const APPEND_EVERY_MS = 10;

test("killed with -9 in mid-stream and started again, and on another node: nothing missing, nothing twice", async () => {
  const { file, remove } = temporaryFile();
  closing.push(remove);
  const writer = await node({ file, manySockets: true });
  const { secret } = await keyOf(writer, "scale");
  const make = eventMaker("kill");
  const { epoch } = await writer.store.log.head();
  const spawn = async () => {
    const child = Bun.spawn([process.execPath, `${import.meta.dir}/test-support.ts`, file], {
      stdout: "pipe",
      stderr: "inherit",
    });
    closing.push(() => child.kill("SIGKILL"));
    const first = await child.stdout.getReader().read();
    return { child, url: `ws://127.0.0.1:${new TextDecoder().decode(first.value).trim()}` };
  };
  const all: LogEvent[] = [];
  let writing = true;
  const appending = (async () => {
    while (writing) {
      all.push(...(await writer.append(make.many(20))));
      await Bun.sleep(APPEND_EVERY_MS);
    }
  })();

  const got: number[] = [];
  let since: number | null = null;
  for (let round = 0; round < 4; round++) {
    // Every second time on a node in this process, over the same log.
    const { child, url } = round % 2 === 0 ? await spawn() : { child: null, url: writer.url };
    const query: Record<string, string> = { key: secret, type: "buy,sell" };
    if (since !== null) query.resume = `${epoch}.${Math.max(since, ...got)}`;
    const client = await connect(url, "/ws/alerts", query);
    since ??= (await client.first("welcome")).seq;
    const enough = 20 + got.length;
    await client.until(() => client.of("alert").length + got.length >= enough, "some alerts");
    if (child) {
      child.kill("SIGKILL");
      await client.closed;
    } else await client.close();
    got.push(...client.seqs());
  }
  writing = false;
  await appending;
  const other = await node({ file, manySockets: true });
  const resume = `${epoch}.${Math.max(...got)}`;
  const last = await connect(other.url, "/ws/alerts", { key: secret, type: "buy,sell", resume });
  await last.first("resumed");
  got.push(...last.seqs());
  const from = Number(since);
  expect(got).toEqual(matching("alerts", { type: "buy,sell" }, all).filter((seq) => seq > from));
}, 900_000);
