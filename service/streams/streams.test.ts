import { afterAll, expect, test } from "bun:test";
import { createJsonSchemas } from "../../contract/json-schema.ts";
import { sampleOf } from "../../contract/sample.ts";
import { PaperOrder } from "../../contract/shapes/follows.ts";
import { manualClock } from "../../kit/clock.ts";
import { freshUuid } from "../../kit/ids.ts";
import { eventually } from "../../test/support/eventually.ts";
import { bookPaper, insertFollow } from "../store/money/follows.ts";
import { testFollow } from "../store/money/test-follow.ts";
import { connect, refusal } from "./test-client.ts";
import { eventMaker, traderOf, walletOf } from "./test-events.ts";
import { keyOf, startNode, type TestNode } from "./test-support.ts";

const nodes: TestNode[] = [];
const node = async (...options: Parameters<typeof startNode>) => {
  const made = await startNode(...options);
  nodes.push(made);
  return made;
};
afterAll(() => Promise.all(nodes.map((one) => one.close())));
const make = eventMaker("streams");

test("a socket gets welcome first, then the events that match its query, and nothing from before", async () => {
  const one = await node();
  const { secret } = await keyOf(one, "starter");
  const [before] = await one.append([make.app({ kind: "buy", handle: "owl" })]);
  const client = await connect(one.url, "/ws/alerts", { key: secret, trader: "@Owl", type: "buy,sell" });
  const appended = await one.append([
    make.app({ kind: "buy", handle: "Owl" }),
    make.app({ kind: "thesis", handle: "owl" }),
    make.app({ kind: "sell", handle: "other" }),
    make.trade({ handle: "owl" }),
    make.app({ kind: "sell", handle: "OWL" }),
  ]);
  await client.until(() => client.events().length >= 2, "two alerts");
  expect(client.frames[0]).toMatchObject({
    type: "welcome",
    stream: "alerts",
    realtime: true,
    delaySeconds: 0,
    heartbeatSeconds: 20,
    plan: "starter",
    filter: { traders: ["owl"], types: ["buy", "sell"] },
    seq: before?.seq,
    oldestSeq: before?.seq,
  });
  expect(client.seqs()).toEqual([appended[0]?.seq, appended[4]?.seq] as number[]);
  expect(client.of("alert").some((alert) => alert.replay)).toBe(false);
  await client.close();
  await eventually(() => one.streams.counts().sockets === 0, "the socket is forgotten");
  expect(one.streams.counts().topics).toBe(0);
});

test("subscribe replaces the filter, unsubscribe stops, ping is answered", async () => {
  const one = await node();
  const { secret } = await keyOf(one, "starter");
  const client = await connect(one.url, "/ws/alerts", { key: secret, trader: "a" });
  client.send({ action: "subscribe", traders: ["b", "c"], minUsd: 100 });
  expect((await client.first("subscribed")).filter).toEqual({ traders: ["b", "c"], minUsd: 100 });
  const buy = (handle: string, fillUsd: number) => make.app({ kind: "buy", handle, fillUsd });
  const [, , wanted] = await one.append([buy("a", 500), buy("b", 99), buy("c", 100)]);
  await client.until(() => client.events().length > 0, "an alert");
  client.send({ action: "unsubscribe" });
  await client.first("unsubscribed");
  await one.append([buy("b", 500)]);
  client.send({ action: "ping" });
  await client.first("pong");
  client.send({ action: "subscribe" });
  await client.until(() => client.of("subscribed").length === 2, "the second subscribed");
  const [last] = await one.append([buy("z", 1)]);
  await client.until(() => client.seqs().includes(Number(last?.seq)), "the last alert");
  expect(client.seqs()).toEqual([wanted?.seq, last?.seq] as number[]);
});

test("pushes are alerts of source push, and a source filter tells them apart", async () => {
  const one = await node();
  const { secret } = await keyOf(one, "starter");
  const client = await connect(one.url, "/ws/alerts", { key: secret, source: "push" });
  await one.append([make.app(), make.push(), make.app()]);
  await client.until(() => client.events().length > 0, "the push");
  expect(client.of("alert")).toMatchObject([
    { source: "push", alertType: "push", eventId: null, userId: null },
  ]);
});

test("trades carry side, chain and minimum filters, and a retraction follows the filter of its trade", async () => {
  const one = await node();
  const { secret } = await keyOf(one, "growth");
  const buys = await connect(one.url, "/ws/trades", { key: secret, side: "buy", minUsd: "100" });
  const sells = await connect(one.url, "/ws/trades", { key: secret, side: "sell" });
  const buy = make.trade({ side: "buy", usd: 100 });
  const sell = make.trade({ side: "sell", usd: 5 });
  const small = make.trade({ side: "buy", usd: 99 });
  const appended = await one.append([buy, sell, small]);
  const undone = await one.append([make.retract(buy), make.retract(small), make.retract(sell)]);
  await sells.until(() => sells.events().length === 2, "the sell and its retraction");
  await buys.until(() => buys.events().length === 2, "the buy and its retraction");
  expect(buys.seqs()).toEqual([appended[0]?.seq, undone[0]?.seq] as number[]);
  expect(sells.seqs()).toEqual([appended[1]?.seq, undone[2]?.seq] as number[]);
  expect(buys.of("retract")[0]?.id).toBe(buys.of("trade")[0]?.id as string);
  expect(buys.of("retract")[0]?.reason).toBe("reorg");
});

test("a trade is verified exactly when its wallet is one of the trader's", async () => {
  const one = await node();
  const { secret } = await keyOf(one, "growth");
  const { userId, handle, displayName } = traderOf(1);
  const wallet = walletOf(handle);
  const person = { avatar: null, verified: false, bio: null, twitter: null, clan: null, private: false };
  const counts = {
    followers: 0,
    following: 0,
    trades: 0,
    swapCount: 0,
    volumeUsd: 0,
    pnl24h: null,
    createdAt: 0,
  };
  const wallets = {
    status: "resolved" as const,
    solana: null,
    evm: wallet.toUpperCase().replace("0X", "0x"),
  };
  await one.store.traders.save(
    [
      {
        userId,
        handle,
        displayName,
        ...person,
        ...counts,
        wallets: { ...wallets, verified: true, evidence: { solana: null, evm: null }, all: null },
        formerHandles: [],
        pnl: { "24h": 0, "7d": 0, "30d": 0, all: 0 },
        averageHoldTimeSeconds: null,
        holdingsCount: 0,
        holdings: [],
      },
    ],
    1,
  );
  const client = await connect(one.url, "/ws/trades", { key: secret });
  await one.append([
    make.trade({ userId, handle, wallet }),
    make.trade({ userId, handle, wallet: walletOf("x") }),
  ]);
  await client.until(() => client.events().length === 2, "both trades");
  expect(client.of("trade").map((trade) => trade.verified)).toEqual(["db", false]);
});

test("a trade is sent again as final to sockets that asked for it, whatever they subscribe to, and to no other", async () => {
  const one = await node();
  const { secret } = await keyOf(one, "scale");
  const asked = await connect(one.url, "/ws/trades", { key: secret, finality: "1" });
  const plain = await connect(one.url, "/ws/trades", { key: secret });
  const trade = make.trade({ finality: "confirmed", side: "buy" });
  const { epoch } = await one.store.log.head();
  asked.send({ action: "subscribe", side: "buy" });
  await asked.first("subscribed");
  const final = {
    feed: "chain" as const,
    kind: "final" as const,
    eventId: freshUuid(),
    at: trade.at + 1,
    networkId: trade.token.networkId,
    finalizedEventId: trade.eventId,
  };
  const [, , last] = await one.append([trade, final, make.trade({ side: "buy" })]);
  await plain.until(() => plain.seqs().includes(Number(last?.seq)), "the last trade");
  await asked.until(() => asked.seqs().includes(Number(last?.seq)), "the last trade");
  expect(plain.of("trade").filter((frame) => frame.eventId === trade.eventId)).toHaveLength(1);
  const trades = asked.of("trade").filter((frame) => frame.eventId === trade.eventId);
  expect(trades.map((frame) => frame.finality)).toEqual(["confirmed", "finalized"]);
  expect(trades[1]?.id).toBe(trades[0]?.id);
  for (const [query, count] of [
    [{ finality: "1" }, 3],
    [{}, 2],
  ] as const) {
    const again = await connect(one.url, "/ws/trades", { key: secret, resume: `${epoch}.0`, ...query });
    expect(await again.first("resumed")).toMatchObject({ count });
  }
});

test("who may not open a stream is refused before the upgrade, in the error shape", async () => {
  const one = await node({ allowedOrigins: ["https://app.example"] });
  const starter = await keyOf(one, "starter");
  const alerts = "/ws/alerts";
  const trades = "/ws/trades";
  const cases: [string, Record<string, string>, Record<string, string>, number, string][] = [
    [alerts, { key: "ct_live_nonsense" }, {}, 401, "unauthorized"],
    [alerts, { ticket: "tkt_unknown" }, {}, 401, "unauthorized"],
    [alerts, {}, { authorization: "Bearer wrong" }, 401, "unauthorized"],
    [trades, {}, {}, 401, "unauthorized"],
    [trades, { key: starter.secret }, {}, 403, "plan_required"],
    [alerts, {}, { origin: "https://other.example" }, 403, "origin_refused"],
    [alerts, { chain: "mars" }, {}, 400, "invalid_parameter"],
    [alerts, { color: "red" }, {}, 400, "invalid_parameter"],
    [alerts, { side: "buy" }, {}, 400, "invalid_parameter"],
    [trades, { key: starter.secret, source: "feed" }, {}, 400, "invalid_parameter"],
    [alerts, { resume: "12" }, {}, 400, "invalid_parameter"],
    [alerts, { minUsd: "-5" }, {}, 400, "invalid_parameter"],
  ];
  for (const [path, query, headers, status, error] of cases) {
    const answer = await refusal(one.url, path, query, headers);
    expect([path, query, answer.status, answer.body.error]).toEqual([path, query, status, error]);
  }
  const plain = await fetch(`${one.url.replace("ws:", "http:")}${alerts}`);
  expect(plain.status).toBe(400);
  const allowed = await connect(one.url, alerts, {}, { headers: { origin: "https://app.example" } });
  expect(allowed.frames[0]).toMatchObject({ realtime: false, delaySeconds: 60, plan: "keyless" });
});

test("a key works by query, by header and by ticket, a ticket once, and none is ever logged", async () => {
  const one = await node();
  const { secret, keyId } = await keyOf(one, "scale");
  const { ticket } = await one.access.tickets.create(keyId);
  await connect(one.url, "/ws/trades", { key: secret });
  await connect(one.url, "/ws/trades", {}, { headers: { authorization: `Bearer ${secret}` } });
  await connect(one.url, "/ws/trades", { ticket });
  expect((await refusal(one.url, "/ws/trades", { ticket })).status).toBe(401);
  expect(one.lines.join("\n")).not.toContain(secret);
  expect(one.lines.join("\n")).not.toContain(ticket);
});

test("a plan's sockets are counted per account, an address's without a key, and a closed one gives its place back", async () => {
  const one = await node();
  const { secret } = await keyOf(one, "free");
  for (const query of [{ key: secret }, {}] as Record<string, string>[]) {
    const first = await connect(one.url, "/ws/alerts", query);
    await connect(one.url, "/ws/alerts", query);
    const answer = await refusal(one.url, "/ws/alerts", query);
    expect([answer.status, answer.body.error]).toEqual([429, "rate_limited"]);
    await first.close();
    await eventually(async () => {
      const again = await connect(one.url, "/ws/alerts", query).catch(() => null);
      return again !== null;
    }, "the place is free again");
  }
});

test("a frame that is not one of ours closes the socket with 4004 and says why", async () => {
  const one = await node({ manySockets: true });
  const bad = [
    "{",
    "[]",
    "null",
    '"subscribe"',
    '{"action":"shout"}',
    '{"action":"__proto__"}',
    '{"action":"subscribe","chain":"mars"}',
    '{"action":"subscribe","traders":[]}',
    '{"action":"subscribe","traders":[{}]}',
    '{"action":"subscribe","minUsd":"5"}',
    '{"action":"subscribe","color":"red"}',
    '{"action":"subscribe","side":"buy"}',
    `{"action":"subscribe","traders":${JSON.stringify(Array(201).fill("a"))}}`,
  ];
  for (const frame of bad) {
    const client = await connect(one.url);
    client.send(frame);
    const { code, reason } = await client.closed;
    expect([frame, code]).toEqual([frame, 4004]);
    expect(reason.length).toBeGreaterThan(10);
  }
  const binary = await connect(one.url);
  binary.socket.send(new Uint8Array([1, 2, 3]));
  expect((await binary.closed).code).toBe(4004);
});

test("a frame above 64 KiB closes with 1009, a flood of them with 4029, and others notice nothing", async () => {
  const one = await node({ manySockets: true });
  const { secret } = await keyOf(one, "starter");
  const good = await connect(one.url, "/ws/alerts", { key: secret });
  const big = await connect(one.url);
  big.send(JSON.stringify({ action: "ping", filler: "x".repeat(66_000) }));
  expect((await big.closed).code).toBe(1009);
  const flood = await connect(one.url);
  for (let i = 0; i < 200; i++) flood.send({ action: "ping" });
  expect((await flood.closed).code).toBe(4029);
  await one.append([make.app()]);
  await good.until(() => good.events().length === 1, "the alert");
});

test("a heartbeat comes every 20 seconds and shows the log's place, the last event and the lag", async () => {
  const clock = manualClock(Date.UTC(2026, 2, 1));
  const one = await node({ clock });
  const { secret } = await keyOf(one, "starter");
  const client = await connect(one.url, "/ws/alerts", { key: secret, trader: "nobody" });
  const witness = await connect(one.url, "/ws/alerts", { key: secret });
  const [event] = await one.append([make.app()]);
  await witness.first("alert");
  await clock.advance(21_000);
  const beat = await client.first("heartbeat");
  expect(beat).toMatchObject({ seq: event?.seq, lastEventAt: event?.capturedAt, lagMs: 0 });
  expect(beat.quietSeconds).toBe((beat.ts - Number(event?.capturedAt)) / 1000);
  await clock.advance(20_000);
  await client.until(() => client.of("heartbeat").length >= 2, "the second heartbeat");
  const [first, second] = client.of("heartbeat");
  expect(Number(second?.ts) - Number(first?.ts)).toBe(20_000);
});

test("heartbeats keep to 20 seconds where every tick comes late, as on a thread that is busy", async () => {
  const clock = manualClock(Date.UTC(2026, 2, 1));
  const one = await node({ clock });
  const client = await connect(one.url);
  const LATE_MS = 250;
  for (let second = 0; second < 60; second++) await clock.jump(1_000 + LATE_MS);
  await client.until(() => client.of("heartbeat").length >= 3, "three heartbeats");
  const times = client.of("heartbeat").map(({ ts }) => ts);
  for (const [index, ts] of times.slice(1).entries())
    expect(Math.abs(ts - Number(times[index]) - 20_000)).toBeLessThanOrEqual(1_000 + LATE_MS);
});

test("a lost hint costs freshness only: the reader looks by itself", async () => {
  const clock = manualClock(Date.UTC(2026, 2, 1));
  const one = await node({ clock });
  const { secret } = await keyOf(one, "starter");
  const client = await connect(one.url, "/ws/alerts", { key: secret });
  const appended = await one.append([make.app(), make.app()], false);
  await clock.advance(2_100);
  await client.until(() => client.events().length === 2, "both alerts");
  expect(client.seqs()).toEqual(appended.map((event) => event.seq));
});

test("going away is announced to those who asked, and all are closed with 1001, one after the other", async () => {
  const clock = manualClock(Date.UTC(2026, 2, 1));
  const one = await node({ clock, manySockets: true });
  const notified = await connect(one.url, "/ws/alerts", { notices: "true" });
  const others = await Promise.all(Array.from({ length: 9 }, () => connect(one.url)));
  const draining = one.streams.drain(5_000);
  expect((await notified.first("reconnect")).graceMs).toBe(5_000);
  expect((await refusal(one.url, "/ws/alerts")).status).toBe(503);
  await clock.advance(2_500);
  await eventually(() => one.streams.counts().sockets === 5, "half of them are gone at half time");
  await clock.advance(2_500);
  await draining;
  for (const client of [notified, ...others]) expect((await client.closed).code).toBe(1001);
  expect(others.some((client) => client.of("reconnect").length > 0)).toBe(false);
});

test("a rebuilt log closes every socket, and an old position is told apart from a new one", async () => {
  const clock = manualClock(Date.UTC(2026, 2, 1));
  const one = await node({ clock });
  const { secret } = await keyOf(one, "starter");
  await one.append(make.many(5));
  const client = await connect(one.url, "/ws/alerts", { key: secret });
  const { epoch, seq } = await client.first("welcome");
  await one.store.database.write(async (tx) => {
    await tx.run({ text: "DELETE FROM log_event", values: [] });
    await tx.run({ text: "UPDATE log_head SET epoch = 'rebuilt', seq = 0 WHERE id = 1", values: [] });
  });
  await clock.advance(1_100);
  expect((await client.closed).code).toBe(1001);
  const again = await connect(one.url, "/ws/alerts", { key: secret, resume: `${epoch}.${seq}` });
  expect(await again.first("gap")).toMatchObject({ fromSeq: null, toSeq: null });
  expect(await again.first("resumed")).toMatchObject({ from: seq, count: 0, complete: false });
  await one.append([make.app()]);
  await again.until(() => again.events().length === 1, "live continues");
  expect(again.of("welcome")[0]?.epoch).toBe("rebuilt");
});

test("what an account's paper follows book goes to its own sockets that asked, after a position, each once", async () => {
  const one = await node();
  const [owner, other] = [await keyOf(one, "starter"), await keyOf(one, "starter")];
  const schemas = createJsonSchemas();
  const body = JSON.stringify(sampleOf(schemas.of(PaperOrder), schemas.components));
  const book = async (followId: string, accountId: string, ...numbers: number[]) => {
    await one.store.database.write((tx) =>
      bookPaper(
        tx,
        accountId,
        numbers.map((number) => ({ followId, number, bookedAt: 0, body })),
      ),
    );
    one.bus.announce({ kind: "paper", accountId });
  };
  for (const [id, { accountId }] of [
    ["f1", owner],
    ["f2", other],
  ] as const)
    await one.store.database.write((tx) =>
      insertFollow(tx, testFollow({ followId: id, accountId: accountId })),
    );
  await book("f1", owner.accountId, 0, 1, 2);
  const after = await connect(one.url, "/ws/alerts", { key: owner.secret, paper: "1" });
  const quiet = await connect(one.url, "/ws/alerts", { key: owner.secret });
  const stranger = await connect(one.url, "/ws/alerts", { key: other.secret, paper: "0" });
  await after.until(() => after.of("paper").length === 2, "what was booked before");
  await book("f2", other.accountId, 0);
  await book("f1", owner.accountId, 3);
  await after.until(() => after.of("paper").length === 3, "what is booked now");
  await stranger.until(() => stranger.of("paper").length === 1, "the other account's own");
  expect(after.of("paper").map(({ paperSeq, followId }) => [paperSeq, followId])).toEqual([
    [2, "f1"],
    [3, "f1"],
    [4, "f1"],
  ]);
  expect(stranger.of("paper").map(({ followId }) => followId)).toEqual(["f2"]);
  expect(quiet.of("paper")).toEqual([]);
  expect((await refusal(one.url, "/ws/alerts", { paper: "latest" })).status).toBe(401);
  for (const client of [after, quiet, stranger]) await client.close();
});
