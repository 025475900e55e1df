// One request, against real servers: the address that was checked is the one that is called, under the right name, and
// nothing an endpoint does takes longer or reads more than it may.

import { expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../kit/clock.ts";
import { nextTurn } from "../../kit/turn.ts";
import { HOUR_MS } from "../../kit/units.ts";
import { certify } from "../../test/support/certificate.ts";
import { needing } from "../../test/support/needing.ts";
import { createPost } from "./post.ts";

const { afterAll, beforeAll, test } = needing("openssl");
const clock = systemClock();
const folder = mkdtempSync(join(tmpdir(), "crowdtape-post-"));
const never = new AbortController().signal;
const request = { headers: { "webhook-id": "1" }, body: "{}" };
let ca = "";
let secure: Bun.Server<undefined>;
let plain: Bun.Server<undefined>;
let asked: string[] = [];

beforeAll(() => {
  const certificate = certify(folder, "hooks.example");
  ca = certificate.cert;
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
            await nextTurn();
          },
        }),
      );
    return new Response("fine");
  };
  secure = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: certificate,
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

test("a name that leads to any address which is not public is not called, no matter how many times its answer changes", async () => {
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

/** A server that answers with these bytes, again and again, for as long as the caller reads. */
async function flood(bytes: string) {
  let written = 0;
  const pump = (socket: Bun.Socket) => {
    for (let count = bytes.length; count === bytes.length; ) written += count = socket.write(bytes);
  };
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: pump, drain: pump, error: () => {} },
  });
  return { url: `http://127.0.0.1:${server.port}/`, written: () => written, stop: () => server.stop(true) };
}

const FLOODS: Record<string, string> = {
  "100 Continue": "HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000),
  "103 Early Hints": `HTTP/1.1 103 Early Hints\r\nlink: ${"x".repeat(1_000)}\r\n\r\n`.repeat(100),
  "a header without an end": "x".repeat(65_536),
};
for (const [name, bytes] of Object.entries(FLOODS)) {
  test(`an endpoint that keeps answering ${name} is cut off after a bounded number of bytes`, async () => {
    const server = await flood(bytes);
    // No deadline helps here: the answer itself has to end it.
    const posted = await open({ timeoutMs: HOUR_MS })(server.url, request, never);
    expect([posted.outcome, posted.status]).toEqual(["unreachable", null]);
    // What was read, and what the system had buffered on the way.
    expect(server.written()).toBeLessThan(32 * 1_048_576);
    await server.stop();
  }, 900_000);
}

test("an interim answer is passed over, and the final one counts", async () => {
  const text =
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\nHTTP/1.1 410 Gone\r\n\r\n";
  for (const part of [text.length, 1, 7]) {
    const server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        async data(socket) {
          for (let at = 0; at < text.length; at += part) {
            socket.write(text.slice(at, at + part));
            await new Promise((resolve) => setImmediate(resolve));
          }
        },
        error: () => {},
      },
    });
    const { outcome, status } = await open()(`http://127.0.0.1:${server.port}/`, request, never);
    expect([outcome, status]).toEqual(["gone", 410]);
    server.stop(true);
  }
});

test("what is not HTTP, or ends before it has answered, is a failed connection", async () => {
  for (const text of ["SSH-2.0-OpenSSH_9.6\r\n\r\n", "HTTP/1.1 200 OK\r\n", ""]) {
    const server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end(text), error: () => {} },
    });
    const { outcome, note } = await open()(`http://127.0.0.1:${server.port}/`, request, never);
    expect([outcome, note]).toEqual(["unreachable", "The connection failed."]);
    server.stop(true);
  }
});
