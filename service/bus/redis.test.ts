import { afterAll, describe, expect, test } from "bun:test";
import { systemClock } from "../../kit/clock.ts";
import { freshUuid } from "../../kit/ids.ts";
import { createLog } from "../../kit/log.ts";
import { seededRandom } from "../../kit/random.ts";
import { eventually } from "../../test/support/eventually.ts";
import { needing } from "../../test/support/needing.ts";
import { sharedRedis, throwAwayRedis } from "../../test/support/redis.ts";
import { createPending, PENDING_MAX } from "./pending.ts";
import { type Bus, type BusMessage, parseMessage } from "./port.ts";
import { redisBus } from "./redis.ts";
import { busSuite } from "./suite.ts";

const clock = systemClock();
const log = createLog("silent", clock.now);
const opened: Bus[] = [];

function node(url: string, stream: string): Bus & { heard: BusMessage[] } {
  const bus = redisBus({ url, stream, clock, log, random: seededRandom(stream, opened.length) });
  opened.push(bus);
  const heard: BusMessage[] = [];
  bus.listen((message) => heard.push(message));
  return Object.assign(bus, { heard });
}

const isUp = (...nodes: Bus[]) =>
  eventually(() => nodes.every((bus) => bus.state() === "up"), "all nodes are up");
const hears = (bus: { heard: BusMessage[] }, message: BusMessage) =>
  eventually(
    () => bus.heard.some((heard) => Bun.deepEquals(heard, message)),
    `${JSON.stringify(message)} is heard`,
  );

afterAll(async () => {
  await Promise.all(opened.map((bus) => bus.close()));
});

needing("redis").describe("the bus in Redis", () => {
  busSuite(async () => node((await sharedRedis()).url, freshUuid()));

  test("other nodes hear every kind of message, each once and in order, and other deployments hear nothing", async () => {
    const { url } = await sharedRedis();
    const stream = freshUuid();
    const [a, b, stranger] = [node(url, stream), node(url, stream), node(url, freshUuid())];
    await isUp(a, b, stranger);
    const sent: BusMessage[] = [
      { kind: "revoked", keyId: "k1" },
      { kind: "accountChanged", accountId: "a1" },
      { kind: "moved", epoch: "e", seq: 1 },
    ];
    for (const message of sent) a.announce(message);
    await hears(b, { kind: "moved", epoch: "e", seq: 1 });
    expect(b.heard).toEqual(sent);
    expect(a.heard).toEqual(sent);
    expect(stranger.heard).toEqual([]);
  });

  test("a Redis that is killed degrades the bus and comes back on its own, with what was announced meanwhile", async () => {
    const redis = await throwAwayRedis();
    const [a, b] = [node(redis.url, "s"), node(redis.url, "s")];
    const states: string[] = [];
    a.onState((state) => states.push(state));
    await isUp(a, b);
    await redis.kill();
    await eventually(() => a.state() === "degraded" && b.state() === "degraded", "both notice");
    a.announce({ kind: "revoked", keyId: "while-away" });
    for (let seq = 1; seq <= 50; seq++) a.announce({ kind: "moved", epoch: "e", seq });
    expect(a.heard.length).toBe(51);
    await redis.start();
    await isUp(a, b);
    await hears(b, { kind: "revoked", keyId: "while-away" });
    await hears(b, { kind: "moved", epoch: "e", seq: 50 });
    expect(states).toEqual(["up", "degraded", "up"]);
    await Promise.all([a.close(), b.close()]);
    await redis.stop();
  }, 900_000);

  test("after a wipe nodes still hear each other", async () => {
    const redis = await throwAwayRedis();
    const [a, b] = [node(redis.url, "s"), node(redis.url, "s")];
    await isUp(a, b);
    a.announce({ kind: "moved", epoch: "e", seq: 1 });
    await hears(b, { kind: "moved", epoch: "e", seq: 1 });
    await redis.wipe();
    a.announce({ kind: "moved", epoch: "e", seq: 2 });
    await hears(b, { kind: "moved", epoch: "e", seq: 2 });
    await Promise.all([a.close(), b.close()]);
    await redis.stop();
  }, 900_000);

  test("a Redis that goes silent is noticed and, once it answers, joined again", async () => {
    const redis = await throwAwayRedis();
    const [a, b] = [node(redis.url, "s"), node(redis.url, "s")];
    await isUp(a, b);
    redis.freeze();
    a.announce({ kind: "moved", epoch: "e", seq: 1 });
    await eventually(() => a.state() === "degraded", "silence is noticed");
    redis.thaw();
    await isUp(a, b);
    await hears(b, { kind: "moved", epoch: "e", seq: 1 });
    await Promise.all([a.close(), b.close()]);
    await redis.stop();
  }, 900_000);
});

describe("the pending", () => {
  test("keeps the newest move, one of each other message, and never more than its bound", async () => {
    const pending = createPending();
    for (let seq = 1; seq <= 5; seq++) pending.put({ kind: "moved", epoch: "e", seq });
    for (let n = 0; n < PENDING_MAX * 2; n++) pending.put({ kind: "revoked", keyId: `k${n}` });
    pending.put({ kind: "moved", epoch: "e", seq: 6 });
    const taken = await pending.take(AbortSignal.abort());
    expect(taken.length).toBe(PENDING_MAX);
    expect(taken.filter((message) => message.kind === "moved")).toEqual([
      { kind: "moved", epoch: "e", seq: 6 },
    ]);
    expect(taken[0]).toEqual({ kind: "revoked", keyId: `k${PENDING_MAX + 1}` });
  });

  test("what is put back does not replace something newer", async () => {
    const pending = createPending();
    pending.put({ kind: "moved", epoch: "e", seq: 1 });
    const failed = await pending.take(AbortSignal.abort());
    pending.put({ kind: "moved", epoch: "e", seq: 2 });
    pending.putBack(failed);
    expect(await pending.take(AbortSignal.abort())).toEqual([{ kind: "moved", epoch: "e", seq: 2 }]);
  });
});

test("unknown messages are ignored", () => {
  const strange = [
    "",
    "{",
    "null",
    "[]",
    '"x"',
    '{"kind":"new"}',
    '{"kind":"moved","epoch":"e","seq":1.5}',
    '{"kind":"revoked"}',
  ];
  for (const text of strange) expect(parseMessage(text)).toBeNull();
  expect(parseMessage('{"kind":"moved","epoch":"e","seq":9,"more":1}')).toEqual({
    kind: "moved",
    epoch: "e",
    seq: 9,
  });
});
