import { afterEach, expect, test } from "bun:test";
import { systemClock } from "../../kit/clock.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { createStrictProxy } from "../../test/chains/strict-proxy.ts";
import { majorityOf } from "./agreement.ts";
import { createRpcClient, createRpcMetrics, type RpcClientOptions } from "./client.ts";
import { classify, type RefusalKind, RpcRefused, RpcUnavailable, statedLimit } from "./errors.ts";

interface Asked {
  id: number;
  method: string;
  params: unknown[];
}

const servers: { stop(force: boolean): unknown }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

/** A node with the test's responses; `seen` records its HTTP requests. */
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

/** The same, but always as a list. */
const echoList = (asked: Asked[]) => asked.map(({ id, method }) => ({ jsonrpc: "2.0", id, result: method }));

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

test("a batch is answered in order, whatever order and size the node uses", async () => {
  const one = node((asked) => asked.toReversed().map(({ id, method }) => ({ id, result: method })));
  const { rpc, metrics } = client([one.url], { batchMax: 3 });
  const methods = ["a", "b", "c", "d", "e", "f", "g"];
  const replies = await rpc.batch(methods.map((method) => ({ method, params: [] })));
  expect(replies.map((reply) => "result" in reply && reply.result)).toEqual(methods);
  expect(one.seen.map((asked) => asked.length)).toEqual([3, 3, 1]);
  expect(metrics.render()).toContain('crowdtape_tracker_rpc_calls_total{chain="test"} 7');
});

test("a provider over its limit is paused as long as it asks, and the next one answers", async () => {
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

test.each(BROKEN)("a provider that sends %s is skipped", async (_, answer) => {
  const broken = node(answer);
  const spare = node(echo);
  expect(await client([broken.url, spare.url]).rpc.call("a", [])).toBe("a");
  await expect(client([broken.url]).rpc.call("a", [])).rejects.toThrow(RpcUnavailable);
});

test("a refusal is an answer, not a reason to ask another provider; it names the host but no key", async () => {
  const refusing = node(([asked]) => ({ id: asked?.id, error: { code: -32005, message: "too many" } }));
  const spare = node(echo);
  const { rpc } = client([refusing.url, spare.url]);
  const refused: Error = await rpc.call("a", []).then(
    () => new Error("it answered"),
    (error) => error,
  );
  expect(refused).toBeInstanceOf(RpcRefused);
  expect(refused.message).toContain("127.0.0.1");
  const nowhere = client(["http://127.0.0.1:9/v1/secret-key"]).rpc;
  const gone: Error = await nowhere.call("a", []).then(
    () => new Error("it answered"),
    (error) => error,
  );
  expect(gone).toBeInstanceOf(RpcUnavailable);
  for (const error of [refused, gone]) expect(`${error.message}${error.stack}`).not.toContain("secret-key");
  expect(spare.seen).toEqual([]);
});

test("no more requests are in flight than a provider allows", async () => {
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

test("the majority decides, a tie doesn't, and a provider without the block has no vote", () => {
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

test("a rate limit inside a response is waited out, and the limited calls are retried", async () => {
  let isLimited = true;
  const one = node((asked) => {
    const replies = asked.map(({ id, method }) =>
      isLimited && method === "b"
        ? { id, error: { code: -32005, message: "daily request count exceeded, request rate limited" } }
        : { id, result: method },
    );
    isLimited = false;
    return replies.length === 1 ? replies[0] : replies;
  });
  const spare = node(echo);
  const { rpc } = client([one.url, spare.url]);
  const replies = await rpc.batch(["a", "b", "c"].map((method) => ({ method, params: [] })));
  expect(replies.map((reply) => "result" in reply && reply.result)).toEqual(["a", "b", "c"]);
  expect(one.seen.map((asked) => asked.length)).toEqual([3, 1]);
});

// Real messages of providers and nodes.
const SAID: [RefusalKind, number, string][] = [
  ["rate", 429, "Your app has exceeded its compute units per second capacity."],
  ["rate", -32005, "daily request count exceeded, request rate limited"],
  ["rate", -32007, "50/second request limit reached - reduce calls per second or upgrade your account"],
  ["rate", -32016, "over rate limit"],
  ["rate", -32005, "Too Many Requests"],
  [
    "range",
    -32600,
    "Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.",
  ],
  ["range", -32614, "eth_getLogs is limited to a 10,000 range"],
  ["range", -32701, "exceed maximum block range: 50000"],
  ["range", -32062, "Block range is too wide"],
  ["range", 35, "ranges over 10000 blocks are not supported on freetier"],
  ["range", -32005, "eth_getLogs range limit exceeded: 5 blocks"],
  ["results", -32005, "query returned more than 10000 results"],
  ["results", -32602, "Log response size exceeded. You can make requests with up to a 2K block range"],
  ["filter", -32602, "exceed max topics"],
  ["batch", 31, "Batch of more than 3 requests are not allowed on free tier"],
  ["batch", -32005, "batch limit exceeded"],
  ["pruned", -32000, "missing trie node 0xabc (path ) state 0xdef is not available"],
  ["pruned", -32000, "historical state 0xabc is not available"],
  ["pruned", -32000, "Archive requests require a personal token"],
  ["pruned", -32000, "distance to target block exceeds maximum proof window"],
  ["pruned", -32001, "Block 5 cleaned up, does not exist on node. First available block: 900"],
  ["behind", -32000, "header not found"],
  ["behind", -32016, "Minimum context slot has not been reached"],
  ["behind", -32004, "Block not available for slot 17"],
  ["unsupported", -32601, "the method debug_traceTransaction does not exist/is not available"],
  ["unsupported", -32001, "method is not whitelisted"],
  ["transient", -32603, "Internal error"],
  ["transient", -32005, "Node is behind by 42 slots"],
  ["transient", -32046, "Cannot fulfill request"],
  ["reverted", 3, "execution reverted: no"],
  ["reverted", -32000, "out of gas"],
  ["reverted", -32603, "Error: VM Exception while processing transaction"],
  ["wrong", -32602, "invalid argument 0"],
];

test.each(SAID)("%s is the kind of %d: %s", (kind, code, reason) => {
  expect(classify(code, reason)).toBe(kind);
});

test("a number below the one asked for may be the limit", () => {
  expect(statedLimit("limited to a 10,000 range", 50_000)).toBe(10_000);
  expect(statedLimit("with up to a 2K block range", 10_000)).toBe(2_000);
  expect(statedLimit("Batch of more than 3 requests; up to 100 if you upgrade", 50)).toBe(3);
  expect(statedLimit("limited to 10", 10)).toBeNull();
  expect(statedLimit("0x10 blocks, id a7", 100)).toBeNull();
});

const STYLES = ["413", "one error", "error for each", "page"] as const;

test.each(STYLES)("a plan's batch limit is learned when it refuses more by %s", async (by) => {
  const one = node(echoList);
  const strict = createStrictProxy(one.url, { batch: { max: 3, by } });
  servers.push(strict);
  const { rpc } = client([strict.url], { batchMax: 50 });
  const calls = Array.from({ length: 40 }, (_, at) => ({ method: `m${at}`, params: [] }));
  for (let round = 0; round < 3; round++)
    expect((await rpc.batch(calls)).map((reply) => "result" in reply && reply.result)).toEqual(
      calls.map(({ method }) => method),
    );
  expect(Math.max(...one.seen.map((asked) => asked.length))).toBe(3);
  expect(rpc.health()[0]?.batch).toBe(3);
});

test("when a batch exceeds the rate, its answered calls are kept and the rest is retried", async () => {
  const one = node(echoList);
  const strict = createStrictProxy(one.url, { answeredMax: 2 });
  servers.push(strict);
  const { rpc } = client([strict.url], { batchMax: 10 });
  const calls = Array.from({ length: 9 }, (_, at) => ({ method: `m${at}`, params: [] }));
  const replies = await rpc.batch(calls);
  expect(replies.map((reply) => "result" in reply && reply.result)).toEqual(
    calls.map(({ method }) => method),
  );
  expect(one.seen.flat()).toHaveLength(calls.length);
  expect(rpc.health()[0]?.callsPerSecond).toBeLessThan(10_000);
});

test("what one provider has pruned or does not offer is asked of the next", async () => {
  const pruned = node((asked) =>
    asked.map(({ id, method }) =>
      method === "old"
        ? { id, error: { code: -32000, message: "missing trie node" } }
        : { id, result: `pruned ${method}` },
    ),
  );
  const archive = node((asked) => {
    const replies = asked.map(({ id, method }) => ({ id, result: `archive ${method}` }));
    return replies.length === 1 ? replies[0] : replies;
  });
  const { rpc } = client([pruned.url, archive.url]);
  const replies = await rpc.batch(["new", "old"].map((method) => ({ method, params: [] })));
  expect(replies.map((reply) => "result" in reply && reply.result)).toEqual(["pruned new", "archive old"]);
});

test("each provider can be asked separately; one that failed is left out", async () => {
  const [first, second] = [node(echoList), node(echoList)];
  const down = node(() => new Response("down", { status: 500 }));
  const { rpc } = client([down.url, first.url, second.url], { pauseMsMin: 60_000 });
  await rpc.call("one", []);
  const answers = await Promise.all(rpc.each().map((one) => one.call("two", [])));
  expect(answers).toEqual(["two", "two"]);
  expect([down.seen.length, first.seen.length, second.seen.length]).toEqual([1, 2, 1]);
});
