// The proxy behind the campaign's wire faults: it must disturb what it says and nothing else.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { seededRandom } from "../../kit/random.ts";
import { eventually } from "../support/eventually.ts";
import { type FaultProxy, faultProxy, type WireFault } from "./fault-proxy.ts";

const BODY = "crowdtape ".repeat(20_000);
let asked = 0;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: async (request) => {
    asked += 1;
    return new Response(request.method === "POST" ? await request.text() : BODY);
  },
});
let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await faultProxy(Number(server.port), seededRandom("proxy"));
});
afterAll(async () => {
  await proxy.close();
  await server.stop(true);
});

const ask = (init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${proxy.port}/`, { keepalive: false, ...init }).then((answer) => answer.text());
/** The answer, or "nothing" if none comes within a moment. */
const hurried = () => ask({ signal: AbortSignal.timeout(200) }).catch(() => "nothing");

test.each<WireFault>([
  { kind: "latency", delayMs: 5 },
  { kind: "slice", bytesMax: 997 },
  { kind: "bandwidth", bytesPerSecond: 2_000_000 },
])("under %j every byte still comes, in order, in both directions", async (fault) => {
  proxy.set(fault);
  expect(await ask()).toBe(BODY);
  expect(await ask({ method: "POST", body: BODY })).toBe(BODY);
  proxy.set(null);
});

test("a stall passes nothing and loses nothing: requests are answered when it is over", async () => {
  proxy.set({ kind: "stall" });
  const before = asked;
  const waiting = ask();
  expect(await hurried()).toBe("nothing");
  expect(asked).toBe(before);
  proxy.set(null);
  expect(await waiting).toBe(BODY);
});

test("stuck answers let requests through, so that a caller can't know their outcome", async () => {
  proxy.set({ kind: "stallAnswers" });
  const before = asked;
  const leaving = new AbortController();
  const left = ask({ signal: leaving.signal }).catch(() => "nothing");
  await eventually(() => asked === before + 1, "the request came through");
  leaving.abort();
  expect(await left).toBe("nothing");
  proxy.set(null);
});

test.each<WireFault>([{ kind: "reset", afterBytesMax: 1_000 }, { kind: "cut" }])(
  "%j breaks connections, and a good wire is good again",
  async (fault) => {
    proxy.set(fault);
    expect(await hurried()).toBe("nothing");
    proxy.set(null);
    expect(await ask()).toBe(BODY);
  },
);
