// One request, against real servers: the address that was checked is the one that is called, under the right name, and
// nothing an endpoint does takes longer or reads more than it may.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../kit/clock.ts";
import { createPost } from "./post.ts";

const clock = systemClock();
const folder = mkdtempSync(join(tmpdir(), "crowdtape-post-"));
const never = new AbortController().signal;
const request = { headers: { "webhook-id": "1" }, body: "{}" };
let ca = "";
let secure: Bun.Server<undefined>;
let plain: Bun.Server<undefined>;
let asked: string[] = [];

beforeAll(() => {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const made = Bun.spawnSync([
    ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=hooks.example"],
    ...["-addext", "subjectAltName=DNS:hooks.example"],
  ]);
  expect(made.exitCode).toBe(0);
  ca = readFileSync(cert, "utf8");
  const answer = (call: Request) => {
    const { pathname } = new URL(call.url);
    asked.push(`${call.headers.get("host")} ${pathname}`);
    if (pathname === "/redirect")
      return new Response(null, { status: 307, headers: { location: "/elsewhere" } });
    if (pathname === "/later") return new Response(null, { status: 429, headers: { "retry-after": "120" } });
    if (pathname === "/never") return new Promise<Response>(() => {});
    if (pathname === "/endless")
      return new Response(
        new ReadableStream({
          async pull(controller) {
            controller.enqueue(new Uint8Array(65_536));
            await Bun.sleep(1);
          },
        }),
      );
    return new Response("fine");
  };
  secure = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { cert: ca, key: readFileSync(key, "utf8") },
    fetch: answer,
  });
  plain = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
});
afterAll(async () => {
  await Promise.all([secure.stop(true), plain.stop(true)]);
  rmSync(folder, { recursive: true, force: true });
});

const local = async () => ["127.0.0.1"];
const to = (path: string) => `http://127.0.0.1:${plain.port}${path}`;
const open = (more: { timeoutMs?: number } = {}) =>
  createPost({ targets: "any", clock, timeoutMs: 5_000, ...more });

test("over TLS the endpoint's own name is asked for and its certificate checked, at the address that was resolved", async () => {
  asked = [];
  const post = createPost({ targets: "any", clock, timeoutMs: 5_000, resolve: local, ca });
  const good = await post(`https://hooks.example:${secure.port}/in`, request, never);
  expect([good.outcome, good.status]).toEqual(["delivered", 200]);
  expect(asked).toEqual([`hooks.example:${secure.port} /in`]);
  const other = await post(`https://other.example:${secure.port}/in`, request, never);
  expect([other.outcome, other.note]).toEqual(["unreachable", "Its certificate is not trusted."]);
  const distrusting = createPost({ targets: "any", clock, timeoutMs: 5_000, resolve: local });
  expect((await distrusting(`https://hooks.example:${secure.port}/in`, request, never)).outcome).toBe(
    "unreachable",
  );
});

test("a name that leads to any address which is not public is not called, however often it changes its mind", async () => {
  asked = [];
  const answers = [
    ["127.0.0.1"],
    ["93.184.216.34", "10.0.0.1"],
    ["::ffff:127.0.0.1"],
    ["169.254.169.254"],
    ["::1"],
  ];
  for (const addresses of answers) {
    const post = createPost({
      targets: "public",
      clock,
      timeoutMs: 5_000,
      resolve: async () => addresses,
      ca,
    });
    const { outcome, note } = await post(`https://hooks.example:${secure.port}/in`, request, never);
    expect([addresses, outcome]).toEqual([addresses, "address_refused"]);
    // What lies behind a name is not the owner's to learn.
    for (const address of addresses) expect(note).not.toContain(address);
  }
  expect(asked).toEqual([]);
});

test("a name is resolved at every delivery, and once: what is checked is what is called", async () => {
  let lookups = 0;
  const rebinding = async () => (++lookups === 1 ? ["127.0.0.1"] : ["127.0.0.2"]);
  const post = createPost({ targets: "any", clock, timeoutMs: 5_000, resolve: rebinding });
  expect((await post(`http://hooks.example:${plain.port}/in`, request, never)).outcome).toBe("delivered");
  expect(lookups).toBe(1);
  expect((await post(`http://hooks.example:${plain.port}/in`, request, never)).outcome).toBe("unreachable");
  expect(lookups).toBe(2);
});

test("http and private addresses are refused outside tests, also when such a URL is stored", async () => {
  const post = createPost({ targets: "public", clock, timeoutMs: 5_000 });
  for (const url of [to("/in"), "https://127.0.0.1/in", "https://localhost/in"])
    expect((await post(url, request, never)).outcome).toBe("address_refused");
});

test("a proxy of the environment is not used: it, and not we, would choose where the connection goes", async () => {
  asked = [];
  let calls = 0;
  const proxy = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(`${++calls}`) });
  const NAMES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
  const before = NAMES.map((name) => [name, process.env[name]] as const);
  for (const name of NAMES) process.env[name] = proxy.url.href;
  try {
    const post = createPost({ targets: "any", clock, timeoutMs: 5_000, resolve: local, ca });
    expect((await post(`https://hooks.example:${secure.port}/in`, request, never)).outcome).toBe("delivered");
    expect((await post(`http://hooks.example:${plain.port}/in`, request, never)).outcome).toBe("delivered");
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    await proxy.stop(true);
  }
  expect(asked).toEqual([`hooks.example:${secure.port} /in`, `hooks.example:${plain.port} /in`]);
  expect(calls).toBe(0);
});

test("a redirect is not followed", async () => {
  asked = [];
  const { outcome, status } = await open()(to("/redirect"), request, never);
  expect([outcome, status]).toEqual(["redirected", 307]);
  expect(asked).toHaveLength(1);
});

test("an answer without an end counts by its status, and is not read", async () => {
  expect((await open()(to("/endless"), request, never)).outcome).toBe("delivered");
});

test("no answer in time is a timeout, also while the name is being resolved", async () => {
  const late = await open({ timeoutMs: 50 })(to("/never"), request, never);
  expect([late.outcome, late.status]).toEqual(["timeout", null]);
  const stuck = createPost({ targets: "any", clock, timeoutMs: 50, resolve: () => new Promise(() => {}) });
  expect((await stuck("http://hooks.example/", request, never)).outcome).toBe("timeout");
});

test("Retry-After is heard", async () => {
  const { outcome, retryAfterMs } = await open()(to("/later"), request, never);
  expect([outcome, retryAfterMs]).toEqual(["refused", 120_000]);
});

test("what is cut from outside ends at once", async () => {
  const cut = new AbortController();
  const posting = open()(to("/never"), request, cut.signal);
  cut.abort();
  expect((await posting).outcome).not.toBe("delivered");
});
