// What a few can do to the many, and what is cut off when: slow readers, revoked keys, changed plans, crowds.
import { afterAll, expect, test } from "bun:test";
import { connect as connectTcp, type Socket } from "node:net";
import { UNREAD_BYTES_MAX } from "../../contract/frames.ts";
import { manualClock } from "../../kit/clock.ts";
import { eventually } from "../../test/support/eventually.ts";
import { connect } from "./test-client.ts";
import { eventMaker } from "./test-events.ts";
import { keyOf, startNode, type TestNode } from "./test-support.ts";

const nodes: TestNode[] = [];
const raw: Socket[] = [];
afterAll(async () => {
  for (const socket of raw) socket.destroy();
  await Promise.all(nodes.map((one) => one.close()));
});
const node = async (...options: Parameters<typeof startNode>) => {
  const made = await startNode(...options);
  nodes.push(made);
  return made;
};

/** A client that opens a stream and then reads nothing, until the test lets it. */
async function lazyClient(
  port: number,
  path: string,
): Promise<{ socket: Socket; readToEnd(): Promise<Buffer> }> {
  const socket = connectTcp({ port, host: "127.0.0.1" });
  raw.push(socket);
  const lines = [
    `GET ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  await new Promise((resolve) => socket.once("data", resolve));
  socket.pause();
  return {
    socket,
    readToEnd: () =>
      new Promise((resolve) => {
        let tail = Buffer.alloc(0);
        socket.on("data", (data: Buffer) => {
          tail = Buffer.concat([tail, Buffer.from(data)]).subarray(-200);
        });
        socket.on("close", () => resolve(tail));
        socket.resume();
      }),
  };
}

test("a slow reader is closed with 4008 at its bound, and the fast ones get everything meanwhile", async () => {
  const one = await node({ manySockets: true });
  const { secret } = await keyOf(one, "scale");
  const make = eventMaker("slow");
  const fast = await Promise.all(
    Array.from({ length: 5 }, () =>
      connect(one.url, "/ws/alerts", { key: secret }, { checked: false, now: () => 0 }),
    ),
  );
  const slow = await lazyClient(one.port, `/ws/alerts?key=${secret}`);
  expect(one.streams.counts().sockets).toBe(6);
  const text = "a long thesis ".repeat(500);
  let sent = 0;
  // The system's own buffers come first, and differ; the bound is ours.
  while (one.streams.counts().sockets === 6 && sent < 20_000) {
    await one.append(Array.from({ length: 100 }, () => make.app({ kind: "thesis", text })));
    sent += 100;
    for (const client of fast) await client.until(() => client.times.size === sent, `all ${sent} alerts`);
  }
  expect(one.streams.counts().sockets).toBe(5);
  expect(one.metrics.render()).toContain('crowdtape_stream_closes_total{code="4008"} 1');
  expect(sent * text.length).toBeGreaterThan(UNREAD_BYTES_MAX);
  const tail = await slow.readToEnd();
  // The last frame it finds, once it reads, is the close: 0x88, its length, 4008.
  const at = tail.lastIndexOf(Buffer.from([0x0f, 0xa8]));
  expect(tail[at - 2]).toBe(0x88);
  for (const client of fast)
    expect(client.seqs()).toEqual(Array.from({ length: sent }, (_, index) => index + 1));
}, 900_000);

test("a replay goes no faster than its reader: a lazy one holds a page, not the log", async () => {
  const one = await node({ manySockets: true });
  const { secret } = await keyOf(one, "scale");
  const make = eventMaker("lazy");
  const text = "a long thesis ".repeat(500);
  for (let i = 0; i < 20; i++) {
    await one.append(Array.from({ length: 200 }, () => make.app({ kind: "thesis", text })));
  }
  await eventually(() => one.streams.counts().seq === 4_000, "the node has read the log");
  const { epoch } = await one.store.log.head();
  const lazy = await lazyClient(one.port, `/ws/alerts?key=${secret}&resume=${epoch}.0`);
  const eager = await connect(
    one.url,
    "/ws/alerts",
    { key: secret, resume: `${epoch}.0` },
    { checked: false },
  );
  expect(await eager.first("resumed")).toMatchObject({ count: 4_000, complete: true });
  expect(eager.seqs()).toEqual(Array.from({ length: 4_000 }, (_, index) => index + 1));
  // 28 MB wait for the lazy one, and it is neither closed nor buffered.
  expect(one.streams.counts().sockets).toBe(2);
  lazy.socket.destroy();
}, 900_000);

test("a message in endless fragments is cut at the same bound as one large frame", async () => {
  const one = await node({ manySockets: true });
  const client = await lazyClient(one.port, "/ws/alerts");
  const fragment = (opcode: number) => {
    const payload = Buffer.alloc(4_096, "a");
    // Not final, masked with zeros, a length of two bytes.
    return Buffer.concat([Buffer.from([opcode, 0x80 | 126, 0x10, 0x00, 0, 0, 0, 0]), payload]);
  };
  client.socket.write(fragment(0x01));
  for (let i = 0; i < 20; i++) client.socket.write(fragment(0x00));
  await client.readToEnd();
  await eventually(() => one.streams.counts().sockets === 0, "the socket is gone");
});

test("a revoked key's sockets close with 4001: at once by a hint, within 5 seconds without one", async () => {
  const clock = manualClock(Date.UTC(2026, 4, 1));
  const one = await node({ clock });
  const two = await node({ clock, file: one.file });
  const key = await keyOf(one, "growth");
  const other = await keyOf(one, "growth");
  const here = await connect(one.url, "/ws/alerts", { key: key.secret });
  // This node shares the store but hears no hints.
  const there = await connect(two.url, "/ws/trades", { key: key.secret });
  const unharmed = await connect(two.url, "/ws/trades", { key: other.secret });
  const keyless = await connect(two.url);
  await one.access.keys.revoke({ accountId: key.accountId, keyId: key.keyId });
  expect(await here.closed).toMatchObject({ code: 4001 });
  await clock.advance(4_000);
  expect(await there.closed).toMatchObject({ code: 4001 });
  for (const client of [unharmed, keyless]) {
    client.send({ action: "ping" });
    await client.first("pong");
  }
});

test("a plan that changes closes its sockets with 4003, and the next connection has the new plan", async () => {
  const clock = manualClock(Date.UTC(2026, 4, 1));
  const one = await node({ clock });
  const key = await keyOf(one, "free", Date.UTC(2026, 3, 1));
  const client = await connect(one.url, "/ws/alerts", { key: key.secret });
  expect(client.frames[0]).toMatchObject({ plan: "free", delaySeconds: 15 });
  await one.access.grants.payForPlan({ accountId: key.accountId, plan: "starter", reference: "pay:1" });
  expect(await client.closed).toMatchObject({ code: 4003 });
  const again = await connect(one.url, "/ws/alerts", { key: key.secret });
  expect(again.frames[0]).toMatchObject({ plan: "starter", delaySeconds: 0, realtime: true });
});

test("five thousand filters over a thousand sockets: each socket gets its own and nobody else's", async () => {
  const one = await node({ manySockets: true });
  const { secret } = await keyOf(one, "scale");
  const clients = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) =>
      connect(one.url, "/ws/alerts", { key: secret, trader: `trader${index}` }, { checked: false }),
    ),
  );
  expect(one.streams.counts().topics).toBe(1_000);
  // Each changes its filter four times, so that five thousand come and four thousand go.
  for (let round = 1; round <= 4; round++) {
    for (const [index, client] of clients.entries()) {
      client.send({ action: "subscribe", trader: `trader${index}`, minUsd: round });
    }
    await Promise.all(
      clients.map((client) => client.until(() => client.of("subscribed").length === round, "subscribed")),
    );
  }
  expect(one.streams.counts().topics).toBe(1_000);
  const make = eventMaker("crowd");
  const appended = await one.append(
    Array.from({ length: 2_000 }, (_, index) =>
      make.app({ kind: "buy", handle: `Trader${index % 1_000}`, fillUsd: index < 1_000 ? 4 : 3.99 }),
    ),
  );
  await Promise.all(clients.map((client) => client.until(() => client.events().length === 1, "its alert")));
  for (const [index, client] of clients.entries())
    expect(client.seqs()).toEqual([Number(appended[index]?.seq)]);
}, 900_000);
