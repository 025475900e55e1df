import { afterAll, expect, test } from "bun:test";
import { type ManualClock, manualClock } from "../../kit/clock.ts";
import { seededRandom } from "../../kit/random.ts";
import { DAY_MS } from "../../kit/units.ts";
import { eventually } from "../../test/support/eventually.ts";
import type { LogEvent } from "../model/event.ts";
import { connect } from "./test-client.ts";
import { eventMaker } from "./test-events.ts";
import { keyOf, startNode, type TestNode } from "./test-support.ts";

const START = Date.UTC(2026, 3, 1);
const nodes: TestNode[] = [];
afterAll(() => Promise.all(nodes.map((one) => one.close())));
const node = async (clock: ManualClock) => {
  const made = await startNode({ clock, manySockets: true });
  nodes.push(made);
  return made;
};

test("20,000 events under load: no delayed feed gets one early, none misses one, all keep the order", async () => {
  const clock = manualClock(START);
  const one = await node(clock);
  const oldFree = await keyOf(one, "free", START - 8 * DAY_MS);
  const paid = await keyOf(one, "starter");
  const timed = { checked: false, now: clock.now };
  const clients = [
    { delayMs: 0, client: await connect(one.url, "/ws/alerts", { key: paid.secret }, timed) },
    { delayMs: 15_000, client: await connect(one.url, "/ws/alerts", { key: oldFree.secret }, timed) },
    { delayMs: 60_000, client: await connect(one.url, "/ws/alerts", {}, timed) },
    { delayMs: 60_000, client: await connect(one.url, "/ws/alerts", { type: "buy" }, timed) },
  ];
  const make = eventMaker("load");
  const random = seededRandom("load");
  const events = new Map<number, { capturedAt: number; alert: boolean; buy: boolean }>();
  while (events.size < 20_000) {
    const appended = await one.append(make.many(400));
    for (const event of appended) {
      const alert = event.feed !== "chain";
      events.set(event.seq, { capturedAt: event.capturedAt, alert, buy: alert && event.kind === "buy" });
    }
    // Uneven steps, so that what is due falls before, on and after them.
    await clock.advance(random.pick([0, 7, 250, 999, 2_000]));
  }
  await eventually(() => one.streams.counts().seq === 20_000, "the log is read");
  for (let second = 0; second < 62; second++) await clock.advance(1_000);

  const alerts = [...events].filter(([, event]) => event.alert).map(([seq]) => seq);
  const buys = [...events].filter(([, event]) => event.buy).map(([seq]) => seq);
  for (const [index, { delayMs, client }] of clients.entries()) {
    const expected = index === 3 ? buys : alerts;
    await client.until(() => client.times.size >= expected.length, `${expected.length} alerts`);
    expect(client.seqs()).toEqual(expected);
    let early = 0;
    for (const [seq, at] of client.times) {
      if (at < (events.get(seq)?.capturedAt ?? Number.POSITIVE_INFINITY) + delayMs) early++;
    }
    expect(early).toBe(0);
  }
}, 900_000);

test("a delay counts from when this node could show the event, not from when the event was heard", async () => {
  const clock = manualClock(START);
  const one = await node(clock);
  const oldFree = await keyOf(one, "free", START - 8 * DAY_MS);
  const paid = await keyOf(one, "starter");
  const timed = { now: clock.now };
  const first = await connect(one.url, "/ws/alerts", { key: paid.secret }, timed);
  const delayed = await connect(one.url, "/ws/alerts", { key: oldFree.secret }, timed);
  await clock.advance(100);
  // Nobody announces it, so that the node reads it with its next poll.
  const [event] = await one.append([eventMaker("unheard").app()], false);
  await clock.advance(900);
  await first.until(() => first.events().length === 1, "the paying socket's alert");
  for (let step = 0; step < 160; step++) await clock.advance(100);
  await delayed.until(() => delayed.events().length === 1, "the delayed socket's alert");
  const seq = Number(event?.seq);
  expect(Number(first.times.get(seq))).toBeGreaterThan(Number(event?.capturedAt));
  expect(Number(delayed.times.get(seq)) - Number(first.times.get(seq))).toBeGreaterThanOrEqual(15_000);
});

test("a resume on a delayed feed replays up to what is due there, then continues without a gap or a repeat", async () => {
  const clock = manualClock(START);
  const one = await node(clock);
  const make = eventMaker("late-resume");
  const append = async () => {
    const appended = await one.append(Array.from({ length: 10 }, () => make.app()));
    await eventually(() => one.streams.counts().seq === appended.at(-1)?.seq, "the node has read it");
    return appended;
  };
  const first = await append();
  await clock.advance(30_000);
  const second = await append();
  await clock.advance(31_000);
  const { epoch } = await one.store.log.head();
  const client = await connect(one.url, "/ws/alerts", { resume: `${epoch}.4` });
  expect(await client.first("resumed")).toMatchObject({ from: 4, to: 10, count: 6 });
  expect(client.seqs()).toEqual(first.slice(4).map((event) => event.seq));
  await clock.advance(28_000);
  client.send({ action: "ping" });
  await client.first("pong");
  expect(client.events()).toHaveLength(6);
  await clock.advance(1_100);
  await client.until(() => client.events().length >= 16, "the rest");
  expect(client.seqs()).toEqual([...first.slice(4), ...second].map((event) => event.seq));
});

test("a position ahead of a delayed feed, from a realtime one, waits there: nothing comes twice", async () => {
  const clock = manualClock(START);
  const one = await node(clock);
  const make = eventMaker("ahead");
  await one.append(Array.from({ length: 10 }, () => make.app()));
  const { epoch } = await one.store.log.head();
  const client = await connect(one.url, "/ws/alerts", { resume: `${epoch}.7` });
  await clock.advance(59_000);
  client.send({ action: "ping" });
  await client.first("pong");
  expect(client.events()).toEqual([]);
  expect(client.of("heartbeat").every((beat) => beat.seq === 7)).toBe(true);
  expect(client.of("heartbeat").length).toBeGreaterThan(0);
  await clock.advance(1_100);
  expect(await client.first("resumed")).toMatchObject({ from: 7, to: 7, count: 0, complete: true });
  await client.until(() => client.events().length >= 3, "the last three");
  expect(client.seqs()).toEqual([8, 9, 10]);
});

test("a free key's realtime ends while it is connected: later events come 15 s late, none early, lost or twice", async () => {
  const clock = manualClock(START);
  const one = await node(clock);
  const make = eventMaker("expiry");
  // Realtime ends 5.5 seconds from now, between two looks at the clock.
  const key = await keyOf(one, "free", START - 7 * DAY_MS + 5_500);
  const client = await connect(one.url, "/ws/alerts", { key: key.secret }, { now: clock.now });
  const narrow = await connect(one.url, "/ws/alerts", { key: key.secret, type: "buy" });
  expect(client.frames[0]).toMatchObject({ realtime: true, delaySeconds: 0 });
  const all: LogEvent[] = [];
  for (let step = 0; step < 120; step++) {
    all.push(...(await one.append([make.app(), make.app()])));
    await eventually(() => one.streams.counts().seq === all.length, "the node has read it");
    await clock.advance(100);
  }
  for (let step = 0; step < 200; step++) await clock.advance(100);
  await client.until(() => client.events().length >= all.length, "all alerts");
  expect(client.seqs()).toEqual(all.map((event) => event.seq));
  const buys = all.filter((event) => event.kind === "buy").map((event) => event.seq);
  await narrow.until(() => narrow.events().length >= buys.length, "all buys");
  expect(narrow.seqs()).toEqual(buys);
  const early = all.filter((event) => {
    const delayMs = event.capturedAt < START + 5_500 ? 0 : 15_000;
    return Number(client.times.get(event.seq)) < event.capturedAt + delayMs;
  });
  expect(early).toEqual([]);
  expect(client.of("welcome").at(-1)).toMatchObject({ realtime: false, delaySeconds: 15 });
});
