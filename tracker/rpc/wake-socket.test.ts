// A node's socket: whatever happens to it, the reader is notified and it reconnects.
import { afterEach, expect, test } from "bun:test";
import { type Clock, manualClock, systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { seededRandom } from "../../kit/random.ts";
import { HOUR_MS } from "../../kit/units.ts";
import { eventually } from "../../test/support/eventually.ts";
import { breakableWire } from "../../test/support/wire.ts";
import { createWakeSocket } from "./wake-socket.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A node with the test's responses. */
function serve(answer: (socket: Bun.ServerWebSocket<undefined>) => void) {
  const seen = { subscribed: [] as string[], pings: 0 };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, own) => (own.upgrade(request) ? undefined : new Response()),
    websocket: {
      message(socket, message) {
        seen.subscribed.push(String(message));
        answer(socket);
      },
      ping: () => void seen.pings++,
    },
  });
  closers.push(() => server.stop(true));
  return { port: server.port as number, seen };
}

function open(port: number, clock: Clock, silenceMsMax?: number) {
  const heard: unknown[] = [];
  const lost: number[] = [];
  const socket = createWakeSocket({
    url: `ws://127.0.0.1:${port}`,
    clock,
    log: createLog("silent", () => 0),
    random: seededRandom("socket"),
    subscriptions: () => [{ method: "eth_subscribe", params: ["newHeads"] }],
    onWake: (params) => heard.push(params),
    onLost: () => void lost.push(clock.now()),
    ...(silenceMsMax === undefined ? {} : { silenceMsMax }),
  });
  socket.start();
  closers.push(() => socket.stop());
  return { heard, lost };
}

test("a socket that closes reconnects, resubscribes and wakes each time", async () => {
  const { port, seen } = serve((socket) => {
    socket.send('{"method":"eth_subscription","params":{"result":"0x1"}}');
    socket.send("not json");
    socket.close();
  });
  const { heard, lost } = open(port, systemClock());
  await eventually(() => seen.subscribed.length >= 2, "it subscribed again after the socket was closed");
  expect(JSON.parse(String(seen.subscribed[1]))).toMatchObject({
    method: "eth_subscribe",
    params: ["newHeads"],
  });
  expect(heard).toContainEqual({ result: "0x1" });
  expect(heard).toContain(null);
  expect(lost.length).toBeGreaterThan(0);
});

test("a quiet node is kept while it answers pings, and eventually resubscribed to", async () => {
  const { port, seen } = serve(() => {});
  const clock = manualClock(0);
  const { lost } = open(port, clock, 270_000);
  await eventually(() => seen.subscribed.length === 1, "it subscribed");
  for (let pings = 1; pings <= 8; pings++) {
    await clock.advance(30_000);
    await eventually(() => seen.pings === pings, `ping ${pings} arrived`);
  }
  await clock.advance(60_000);
  await eventually(async () => {
    await clock.advance(500);
    return seen.subscribed.length === 2;
  }, "it subscribed again");
  // Its resubscription triggers a full look: there is nothing to look for before that.
  expect(lost).toEqual([]);
});

test("a node that vanishes silently is dropped within two minutes, and found when it is back", async () => {
  const { port, seen } = serve(() => {});
  const wire = await breakableWire(port);
  closers.push(wire.close);
  const clock = manualClock(0);
  const { lost } = open(wire.port, clock, HOUR_MS);
  await eventually(() => seen.subscribed.length === 1, "it subscribed");
  wire.cut();
  await clock.advance(120_000);
  await eventually(() => lost.length === 1, "it is given up");
  wire.restore();
  await eventually(async () => {
    await clock.advance(30_000);
    return seen.subscribed.length === 2;
  }, "it subscribed again");
});
