import { afterEach, expect, test } from "bun:test";
import { systemClock } from "../../kit/clock.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { eventually } from "../../test/support/eventually.ts";
import { majorityOf } from "./agreement.ts";
import { createRpcClient, createRpcMetrics, type RpcClientOptions } from "./client.ts";
import { RpcRefused, RpcUnavailable } from "./errors.ts";
import { createWakeSocket } from "./wake-socket.ts";

interface Asked {
  id: number;
  method: string;
  params: unknown[];
}

const servers: { stop(force: boolean): unknown }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

/** A node that answers as the test says; `seen` counts its HTTP requests. */
function node(answer: (asked: Asked[]) => Response | unknown): { url: string; seen: Asked[][] } {
  const seen: Asked[][] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = (await request.json()) as Asked | Asked[];
      const asked = Array.isArray(body) ? body : [body];
      seen.push(asked);
      const said = answer(asked);
      return said instanceof Response ? said : Response.json(said);
    },
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${server.port}/v1/secret-key`, seen };
}

const echo = (asked: Asked[]) => {
  const replies = asked.map(({ id, method }) => ({ jsonrpc: "2.0", id, result: method }));
  return replies.length === 1 ? replies[0] : replies;
};

function client(urls: string[], more: Partial<RpcClientOptions> = {}) {
  const metrics = createMetrics();
  const rpc = createRpcClient({
    chain: "test",
    urls,
    clock: systemClock(),
    random: seededRandom("rpc"),
    metrics: createRpcMetrics(metrics),
    callsPerSecondMax: 10_000,
    pauseMsMin: 1,
    timeoutMs: 2_000,
    ...more,
  });
  return { rpc, metrics };
}

test("a batch is answered in order, whatever order and size the node likes", async () => {
  const one = node((asked) => asked.toReversed().map(({ id, method }) => ({ id, result: method })));
  const { rpc, metrics } = client([one.url], { batchMax: 3 });
  const methods = ["a", "b", "c", "d", "e", "f", "g"];
  const replies = await rpc.batch(methods.map((method) => ({ method, params: [] })));
  expect(replies.map((reply) => "result" in reply && reply.result)).toEqual(methods);
  expect(one.seen.map((asked) => asked.length)).toEqual([3, 3, 1]);
  expect(metrics.render()).toContain('crowdtape_tracker_rpc_calls_total{chain="test"} 7');
});

test("a provider over its limit is left alone as long as it asks, and the next one answers", async () => {
  const limited = node(() => new Response("", { status: 429, headers: { "retry-after": "30" } }));
  const spare = node(echo);
  const { rpc } = client([limited.url, spare.url]);
  for (const method of ["a", "b", "c"]) expect(await rpc.call(method, [])).toBe(method);
  expect(limited.seen).toHaveLength(1);
  expect(spare.seen).toHaveLength(3);
});

const BROKEN: [string, () => Response][] = [
  ["a page", () => new Response("<html>", { status: 502 })],
  ["half an answer", () => new Response('{"id":1,"resu')],
  ["another call's answer", () => Response.json({ id: 999, result: "x" })],
  ["neither result nor error", () => Response.json({ id: 1 })],
  ["nothing", () => new Response("")],
  ["null", () => Response.json(null)],
  ["a redirect", () => Response.redirect("http://127.0.0.1:9/", 302)],
];

test.each(BROKEN)("a provider that sends %s is passed over", async (_, answer) => {
  const broken = node(answer);
  const spare = node(echo);
  expect(await client([broken.url, spare.url]).rpc.call("a", [])).toBe("a");
  await expect(client([broken.url]).rpc.call("a", [])).rejects.toThrow(RpcUnavailable);
});

test("a refusal is the answer, not a reason to ask another provider; it names the host and no key", async () => {
  const refusing = node(([asked]) => ({ id: asked?.id, error: { code: -32005, message: "too many" } }));
  const spare = node(echo);
  const { rpc } = client([refusing.url, spare.url]);
  const refused: Error = await rpc.call("a", []).then(
    () => new Error("it answered"),
    (problem) => problem,
  );
  expect(refused).toBeInstanceOf(RpcRefused);
  expect(refused.message).toContain("127.0.0.1");
  const nowhere = client(["http://127.0.0.1:9/v1/secret-key"]).rpc;
  const gone: Error = await nowhere.call("a", []).then(
    () => new Error("it answered"),
    (problem) => problem,
  );
  expect(gone).toBeInstanceOf(RpcUnavailable);
  for (const problem of [refused, gone])
    expect(`${problem.message}${problem.stack}`).not.toContain("secret-key");
  expect(spare.seen).toEqual([]);
});

test("no more requests are under way than a provider allows", async () => {
  let underWay = 0;
  let most = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      underWay += 1;
      most = Math.max(most, underWay);
      const { id } = (await request.json()) as Asked;
      await Bun.sleep(5);
      underWay -= 1;
      return Response.json({ id, result: true });
    },
  });
  servers.push(server);
  const { rpc } = client([`http://127.0.0.1:${server.port}`], { concurrencyMax: 2 });
  await Promise.all(Array.from({ length: 12 }, () => rpc.call("a", [])));
  expect(most).toBe(2);
});

test("the majority decides, a tie does not, and who has no block has no vote", () => {
  const say = (...hashes: (string | null)[]) =>
    majorityOf(
      hashes.map((result, index) => ({ host: `node${index}`, result })),
      (result) => result as string | null,
    );
  expect(say("x", "x", "y")).toEqual({ hash: "x", dissenters: ["node2"] });
  expect(say("x", "y")).toEqual({ hash: null, dissenters: [] });
  expect(say("x", null, null)).toEqual({ hash: "x", dissenters: [] });
  expect(say(null)).toEqual({ hash: null, dissenters: [] });
});

test("a socket that closes is opened again, subscribes anew and wakes each time", async () => {
  const subscribed: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, own) => (own.upgrade(request) ? undefined : new Response()),
    websocket: {
      message(socket, message) {
        subscribed.push(String(message));
        socket.send('{"method":"eth_subscription","params":{"result":"0x1"}}');
        socket.send("not json");
        socket.close();
      },
    },
  });
  servers.push(server);
  const heard: unknown[] = [];
  const socket = createWakeSocket({
    url: `ws://127.0.0.1:${server.port}`,
    clock: systemClock(),
    random: seededRandom("socket"),
    subscriptions: () => [{ method: "eth_subscribe", params: ["newHeads"] }],
    onWake: (params) => heard.push(params),
  });
  socket.start();
  await eventually(() => subscribed.length >= 2, "it subscribed again after the socket was closed");
  socket.stop();
  expect(JSON.parse(String(subscribed[1]))).toMatchObject({ method: "eth_subscribe", params: ["newHeads"] });
  expect(heard).toContainEqual({ result: "0x1" });
  expect(heard).toContain(null);
});
