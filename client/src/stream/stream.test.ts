// Streams against a scripted server: every event once and in order through closed sockets, silent sockets, gaps, another log
// and slow readers; and the end, when reconnecting can't help.

import { afterAll, expect, test } from "bun:test";
import type { ServerWebSocket } from "bun";
import { nextTurn } from "../../../kit/turn.ts";
import { eventually } from "../../../test/support/eventually.ts";
import {
  BufferOverflow,
  createClient,
  type Gap,
  StreamClosed,
  type StreamPosition,
  type StreamStatus,
  Unauthorized,
} from "../index.ts";
import { json, refusal, type Script, type ScriptedServer, serveScript } from "../test-server.ts";
import type { AlertStreamOptions } from "./alerts.ts";

const servers: ScriptedServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

type Socket = ServerWebSocket<undefined>;
const say = (socket: Socket, ...frames: object[]) => {
  for (const frame of frames) socket.send(JSON.stringify(frame));
};
const welcome = (seq: number, epoch = "e1", heartbeatSeconds = 20) => ({
  type: "welcome",
  stream: "alerts",
  seq,
  epoch,
  heartbeatSeconds,
});
const alert = (seq: number, more: object = {}) => ({
  type: "alert",
  alertType: "buy",
  seq,
  ts: 1_000 + seq,
  id: `alrt_${seq}`,
  token: "CAT",
  ...more,
});
const alerts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => alert(from + index));

function against(script: Script, key: string | null = "ct_test_k") {
  const server = serveScript(script);
  servers.push(server);
  const time = { sleep: async () => {}, random: () => 0.5 };
  const client = createClient({ server: server.url, time, retries: 0, ...(key === null ? {} : { key }) });
  return { server, client };
}

/** Reads until this many items came. */
async function read(script: Script, count: number, options: AlertStreamOptions = {}) {
  const { server, client } = against(script);
  const got: (number | string)[] = [];
  const gaps: Gap[] = [];
  const stream = client.alerts(options);
  for await (const item of stream) {
    if (item.type === "gap") gaps.push(item);
    got.push(item.type === "gap" ? `gap:${item.reason}` : item.seq);
    if (got.length < count) continue;
    await stream.done();
    break;
  }
  return { server, client, got, gaps, stream };
}

test("a socket that closes is resumed where it was, and no event is repeated", async () => {
  const { got, server } = await read(
    {
      onOpen(socket, query, count) {
        say(socket, welcome(10));
        if (count === 0) {
          say(socket, ...alerts(11, 13));
          return socket.close(1001);
        }
        const after = Number(query.get("resume")?.split(".")[1]);
        // A server that repeats events already received.
        say(socket, ...alerts(after - 1, after + 2));
        if (count === 1) socket.close(4008);
      },
    },
    7,
  );
  expect(got).toEqual([11, 12, 13, 14, 15, 16, 17]);
  expect(server.opened.map((query) => query.get("resume"))).toEqual([null, "e1.13", "e1.15"]);
});

test("a retraction of an alert comes among the alerts, in order, once", async () => {
  const retract = { type: "retract", seq: 12, ts: 1_012, eventId: "e", id: "alrt_11", reason: "reorg" };
  const { client } = against({
    onOpen: (socket) => say(socket, welcome(10), alert(11), retract, retract, alert(13)),
  });
  const got: string[] = [];
  for await (const item of client.alerts()) {
    got.push(item.type === "retract" ? `${item.type} ${item.id}` : item.type);
    if (item.type === "alert" && item.seq === 13) break;
  }
  expect(got).toEqual(["alert", "retract alrt_11", "alert"]);
});

test("a key is never part of a URL: each connection has a ticket of its own", async () => {
  const { server } = await read(
    {
      onOpen(socket, _, count) {
        say(socket, welcome(0), alert(count + 1));
        socket.close(1001);
      },
    },
    3,
    { type: ["buy", "sell"], minUsd: 500 },
  );
  const tickets = server.opened.map((query) => query.get("ticket"));
  expect(new Set(tickets).size).toBe(3);
  for (const query of server.opened) {
    expect(query.toString()).not.toContain("ct_test_k");
    expect(query.get("type")).toBe("buy,sell");
    expect(query.get("minUsd")).toBe("500");
  }
  expect(server.asked[0]?.headers.get("authorization")).toBe("Bearer ct_test_k");
});

test("positions are saved once processed, and a heartbeat advances a quiet stream", async () => {
  const saved: StreamPosition[] = [];
  const { client } = against({
    onOpen: (socket) => say(socket, welcome(5), ...alerts(6, 7), { type: "heartbeat", seq: 90 }),
  });
  const store = {
    load: async () => ({ epoch: "e1", seq: 5 }),
    save: async (position: StreamPosition) => void saved.push(position),
  };
  const stream = client.alerts({ store, saveEveryMs: 0 });
  const iterator = stream[Symbol.asyncIterator]();
  expect((await iterator.next()).value).toMatchObject({ seq: 6 });
  expect(saved).toEqual([]);
  expect((await iterator.next()).value).toMatchObject({ seq: 7 });
  expect(saved).toEqual([{ epoch: "e1", seq: 6, ts: 1_006 }]);
  const pending = iterator.next();
  await eventually(() => saved.at(-1)?.seq === 90, "the heartbeat's place is saved");
  stream.close();
  expect((await pending).done).toBe(true);
  expect(saved.map(({ seq }) => seq)).toEqual([6, 7, 90]);
});

test("leaving the loop repeats the current item, unless it was marked as done", async () => {
  const script: Script = { onOpen: (socket) => say(socket, welcome(0), ...alerts(1, 3)) };
  const left = against(script).client.alerts();
  for await (const item of left) if (item.type === "alert" && item.seq === 2) break;
  expect(left.position?.seq).toBe(1);
  const done = await read(script, 2);
  expect(done.stream.position?.seq).toBe(2);
});

test("a gap is a value among the items, and is filled from REST on request", async () => {
  const script: Script = {
    reply: ({ path }) =>
      path.startsWith("/v2/alerts")
        ? json({ alerts: alerts(3, 8), hasMore: false, nextCursor: null, oldestCursor: null })
        : null,
    onOpen: (socket) =>
      say(socket, welcome(20), { type: "gap", fromSeq: 5, toSeq: 8, recover: "" }, ...alerts(9, 10), {
        type: "resumed",
        from: 4,
        to: 20,
        count: 2,
        complete: false,
      }),
  };
  const resume = { epoch: "e1", seq: 4 };
  const resumed = await read(script, 3, { resume });
  expect(resumed.got).toEqual(["gap:retention", 9, 10]);
  expect(resumed.gaps[0]).toMatchObject({ fromSeq: 5, toSeq: 8, filling: false });
  const filled = await read(script, 7, { resume, fill: true });
  expect(filled.got).toEqual(["gap:retention", 5, 6, 7, 8, 9, 10]);
  expect(filled.server.asked.find(({ path }) => path.includes("/v2/alerts"))?.path).toBe(
    "/v2/alerts?order=asc&before=e1.9&cursor=e1.4&limit=100",
  );
  const bounded = await read(script, 5, { resume, fill: true, fillMax: 3 });
  expect(bounded.got).toEqual(["gap:retention", 5, "gap:fillMax", 9, 10]);
  expect(bounded.gaps[1]).toMatchObject({ fromSeq: 6, toSeq: 8 });
});

test("another log is a gap, and events before its first position are read by time", async () => {
  const { got, server } = await read(
    {
      reply: ({ path }) =>
        path.startsWith("/v2/alerts")
          ? json({ alerts: alerts(1, 2), hasMore: false, nextCursor: null, oldestCursor: null })
          : null,
      onOpen: (socket) =>
        say(socket, welcome(2, "e2"), { type: "gap", fromSeq: null, toSeq: null, recover: "" }, alert(3)),
    },
    4,
    { resume: { epoch: "e1", seq: 900, ts: 60_000 }, fill: true },
  );
  expect(got).toEqual(["gap:epoch", 1, 2, 3]);
  const asked = new URLSearchParams(
    server.asked.find(({ path }) => path.includes("/v2/alerts"))?.path.split("?")[1],
  );
  expect(asked.get("since")).toBe("1970-01-01T00:01:00.000Z");
});

test("history since a time comes first, from REST, and the socket continues without a repeat", async () => {
  const { got } = await read(
    {
      reply: ({ path }) =>
        path.startsWith("/v2/alerts")
          ? json({ alerts: alerts(1, 4), hasMore: false, nextCursor: null, oldestCursor: null })
          : null,
      onOpen: (socket) => say(socket, welcome(3), ...alerts(4, 6)),
    },
    6,
    { since: "2026-01-01T00:00:00Z" },
  );
  expect(got).toEqual([1, 2, 3, 4, 5, 6]);
});

test("a silent socket is closed when heartbeats stop", async () => {
  const states: StreamStatus[] = [];
  const { got } = await read(
    {
      onOpen(socket, _, count) {
        say(socket, welcome(0, "e1", 0.2));
        if (count > 0) say(socket, alert(1));
      },
    },
    1,
    { onStatus: (status) => void states.push(status) },
  );
  expect(got).toEqual([1]);
  expect(states.map(({ state }) => state)).toEqual(["connecting", "live", "waiting", "connecting", "live"]);
  expect(states[2]?.reason).toBe("no heartbeat");
});

test("an invalid frame ends the connection, not the stream", async () => {
  const { got } = await read(
    {
      onOpen(socket, _, count) {
        say(socket, welcome(0));
        if (count === 0) return void socket.send("<html>busy</html>");
        if (count === 1) return void socket.send("null");
        say(socket, alert(1));
      },
    },
    1,
  );
  expect(got).toEqual([1]);
});

test.each([
  [4001, "key_revoked"],
  [4004, "bad_message"],
  [1009, "too_big"],
])("close code %i ends the stream: reconnecting can't help", async (code, name) => {
  const { client, server } = against({
    onOpen(socket) {
      say(socket, welcome(0));
      socket.close(code);
    },
  });
  const error = await Array.fromAsync(client.alerts()).catch((each) => each);
  expect(error).toBeInstanceOf(StreamClosed);
  expect(error.closeCode).toBe(code);
  expect(error.message).toContain(name);
  expect(server.opened.length).toBe(1);
});

test("a refusal is an error with a reason: a bad key, and a plan without the stream", async () => {
  const { client } = against({
    reply: ({ path }) =>
      path === "/v2/me" ? json({ plan: "free", streams: { onChain: { included: false } } }) : null,
    onOpen: (socket) => socket.close(1011),
  });
  const error = await Array.fromAsync(client.trades()).catch((each) => each);
  expect(error.message).toContain("does not include the on-chain stream");
  const keyless = createClient({ server: servers[0]?.url ?? "" });
  expect(() => keyless.trades()).toThrow("needs a key");
  const refused = against({ reply: () => refusal("unauthorized", 401) });
  expect(await Array.fromAsync(refused.client.alerts()).catch((each) => each)).toBeInstanceOf(Unauthorized);
  expect(refused.server.opened.length).toBe(0);
});

test("a stream that never opens fails after some attempts instead of retrying forever", async () => {
  const { client, server } = against({ onOpen: (socket) => socket.close(1011) });
  const error = await Array.fromAsync(client.alerts()).catch((each) => each);
  expect(error).toBeInstanceOf(StreamClosed);
  expect(server.opened.length).toBe(6);
});

/** Sends everything at once, starting at the resume position. */
const flood = (total: number): Script => ({
  onOpen(socket, query) {
    const after = Number(query.get("resume")?.split(".")[1] ?? 0);
    say(socket, welcome(after));
    say(socket, ...alerts(after + 1, total));
  },
});

test("a slow reader loses nothing by default: the socket pauses and resumes", async () => {
  const { client, server } = against(flood(500));
  const got: number[] = [];
  for await (const item of client.alerts({ buffer: { max: 20 } })) {
    if (item.type === "alert") got.push(item.seq);
    if (got.length % 10 === 0) await nextTurn();
    if (got.length === 500) break;
  }
  expect(got).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
  expect(server.opened.length).toBeGreaterThan(3);
});

test("with dropOldest a gap says what was dropped, and with fail the stream ends", async () => {
  const { client } = against({
    onOpen(socket, _, count) {
      say(socket, welcome(count === 0 ? 0 : 100));
      if (count > 0) return;
      say(socket, ...alerts(1, 100));
      socket.close(1001);
    },
  });
  const got: (number | string)[] = [];
  let isAllThere = false;
  const onStatus = ({ state }: StreamStatus) => {
    isAllThere ||= state === "waiting";
  };
  for await (const item of client.alerts({ buffer: { max: 10, whenFull: "dropOldest" }, onStatus })) {
    if (got.length === 0) await eventually(() => isAllThere, "everything came, and the socket is closed");
    got.push(item.type === "gap" ? `${item.fromSeq}-${item.toSeq}` : item.seq);
    if (got.at(-1) === 100) break;
  }
  const gap = String(got.find((each) => typeof each === "string"));
  const [from, to] = gap.split("-").map(Number) as [number, number];
  const numbers = got.filter((each) => typeof each === "number");
  const expected = Array.from({ length: 100 }, (_, index) => index + 1).filter(
    (seq) => seq < from || seq > to,
  );
  expect(numbers).toEqual(expected);

  const failing = against(flood(100)).client.alerts({ buffer: { max: 10, whenFull: "fail" } });
  const reading = (async () => {
    for await (const _ of failing) for (let turn = 0; turn < 100; turn++) await nextTurn();
  })();
  expect(await reading.catch((each) => each)).toBeInstanceOf(BufferOverflow);
});

test("a signal ends the loop like leaving it, without an error", async () => {
  const { client } = against({ onOpen: (socket) => say(socket, welcome(0), alert(1)) });
  const controller = new AbortController();
  const { signal } = controller;
  const seen: unknown[] = [];
  for await (const item of client.alerts({ signal })) {
    seen.push(item);
    controller.abort(new Error("enough"));
  }
  expect(seen).toHaveLength(1);
  for await (const item of client.alerts({ signal })) seen.push(item);
  expect(seen).toHaveLength(1);
});
