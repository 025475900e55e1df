import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { fixedPlatform } from "../../protocol/test-platform.ts";
import { TOKEN_ADDRESS, TRADE_ID, USER_ID } from "../../protocol/test-samples.ts";
import { FAULT_KINDS } from "../../simulator/server/faults.ts";
import type { Call, Outcome, Upstream } from "./port.ts";
import { remoteUpstream } from "./remote.ts";
import { pushedClock, type Served, serveForTest, silentLog } from "./test-served.ts";

/** Long enough for any answer on this machine; calls that never answer use a shorter one. */
const PATIENT: Call = { deadlineMs: 10_000 };
const HURRIED: Call = { deadlineMs: 150 };

const CALLS: Record<string, (upstream: Upstream, call: Call) => Promise<Outcome<unknown>>> = {
  ping: (up, call) => up.ping(call),
  traderByHandle: (up, call) => up.traderByHandle("frogqueen", call),
  traderById: (up, call) => up.traderById(USER_ID, call),
  trades: (up, call) => up.trades(USER_ID, { sort: "recent" }, call),
  balances: (up, call) => up.balances(USER_ID, call),
  following: (up, call) => up.following(USER_ID, null, call),
  followers: (up, call) => up.followers(USER_ID, call),
  spotlight: (up, call) => up.spotlight(USER_ID, call),
  swaps: (up, call) => up.swaps(USER_ID, {}, call),
  trade: (up, call) => up.trade(TRADE_ID, call),
  comments: (up, call) => up.comments(TRADE_ID, null, call),
  leaderboard: (up, call) => up.leaderboard("7d", null, call),
  board: (up, call) => up.board("trending", call),
  theses: (up, call) => up.theses({}, call),
  tokenTheses: (up, call) => up.tokenTheses(TOKEN_ADDRESS, { page: 1 }, call),
  userTheses: (up, call) => up.userTheses(USER_ID, {}, call),
  token: (up, call) => up.token(TOKEN_ADDRESS, null, call),
  tokenStats: (up, call) => up.tokenStats(TOKEN_ADDRESS, null, call),
  tokenDevs: (up, call) => up.tokenDevs(TOKEN_ADDRESS, null, call),
  search: (up, call) => up.search("frog", 10, call),
  users: (up, call) => up.users(null, call),
  tokens: (up, call) => up.tokens(null, call),
  feed: (up, call) => up.feed("app", 0, 100, call),
};

let served: Served;
const platform = fixedPlatform();
platform.grow(12);
const clock = pushedClock("by itself");
beforeEach(async () => {
  served = await serveForTest(platform, { clock });
});
afterEach(() => served.stop());

const board = (call = PATIENT) => served.upstream.board("trending", call);
const feed = () => served.upstream.feed("app", 0, 100, PATIENT);

describe("one misbehaviour, one outcome", () => {
  test.each<[Record<string, unknown>, Outcome<unknown>, Call]>([
    [{ kind: "latency", latencyMs: 5_000 }, { kind: "timedOut" }, HURRIED],
    [{ kind: "stall" }, { kind: "timedOut" }, HURRIED],
    [{ kind: "stallBody" }, { kind: "timedOut" }, HURRIED],
    [{ kind: "status", status: 500 }, { kind: "failed", reason: "status" }, PATIENT],
    [{ kind: "status", status: 503 }, { kind: "failed", reason: "status" }, PATIENT],
    [{ kind: "status", status: 429 }, { kind: "failed", reason: "status" }, PATIENT],
    [{ kind: "status", status: 302 }, { kind: "failed", reason: "status" }, PATIENT],
    [{ kind: "status", status: 404 }, { kind: "failed", reason: "status" }, PATIENT],
    [{ kind: "status", status: 403 }, { kind: "failed", reason: "refused" }, PATIENT],
    [{ kind: "status", status: 200 }, { kind: "failed", reason: "malformed" }, PATIENT],
    [{ kind: "reset" }, { kind: "failed", reason: "unreachable" }, PATIENT],
    [{ kind: "truncate" }, { kind: "failed", reason: "unreachable" }, PATIENT],
    [{ kind: "malformed" }, { kind: "failed", reason: "malformed" }, PATIENT],
    [{ kind: "html" }, { kind: "failed", reason: "malformed" }, PATIENT],
    [{ kind: "huge" }, { kind: "failed", reason: "oversized" }, PATIENT],
    [{ kind: "numbers" }, { kind: "failed", reason: "malformed" }, PATIENT],
    [{ kind: "types" }, { kind: "failed", reason: "malformed" }, PATIENT],
  ])("%j", async (fault, outcome, call) => {
    await served.misbehave(fault);
    expect<unknown>(await board(call)).toEqual(outcome);
    await served.misbehave();
    expect((await board()).kind).toBe("found");
  });

  test("latency within the deadline is only latency", async () => {
    await served.misbehave({ kind: "latency", latencyMs: 50 });
    expect((await board()).kind).toBe("found");
  });

  test("keys that reach for prototypes change nothing", async () => {
    const clean = await board();
    await served.misbehave({ kind: "proto" });
    expect(await board()).toEqual(clean);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("a feed doubled and shuffled is the same feed", async () => {
    const clean = await feed();
    await served.misbehave({ kind: "duplicates" }, { kind: "reorder", seed: "any" });
    expect(await feed()).toEqual(clean);
  });

  test("a feed that reports more but sends nothing has failed; one that stands still has not", async () => {
    await served.misbehave({ kind: "emptyLists" });
    expect(await feed()).toEqual({ kind: "failed", reason: "malformed" });
    await served.misbehave({ kind: "silence" });
    expect(await feed()).toEqual({ kind: "found", value: { items: [], oldest: 1, newest: 0 } });
  });

  test("bad items of a feed are refused one by one", async () => {
    await served.misbehave({ kind: "numbers", share: 0.05, seed: "few" });
    const outcome = await feed();
    if (outcome.kind !== "found") throw new Error("some items should have survived this seed");
    const refused = outcome.value.items.filter((item) => "refused" in item);
    expect(outcome.value.items.map((item) => item.position)).toEqual([...Array(12).keys()].map((i) => i + 1));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(12);
  });
});

test.each(FAULT_KINDS)(
  "under %s every call answers in one of the four ways and names no address",
  async (kind) => {
    await served.misbehave({ kind, share: 0.1, latencyMs: 5_000, seed: kind });
    const neverAnswers = ["latency", "stall", "stallBody"].includes(kind);
    const outcomes = await Promise.all(
      Object.values(CALLS).map((ask) => ask(served.upstream, neverAnswers ? HURRIED : PATIENT)),
    );
    for (const outcome of outcomes) {
      expect(["found", "notFound", "timedOut", "failed"]).toContain(outcome.kind);
      if (outcome.kind === "failed") expect(outcome.reason).toMatch(/^[a-z]+$/);
      if (neverAnswers) expect(outcome).toEqual({ kind: "timedOut" });
    }
  },
);

test("calls that time out release their slots and blame no one, even when the thread is blocked", async () => {
  for (const kind of ["stall", "stallBody"]) {
    await served.misbehave({ kind });
    const asked = Promise.all(Array.from({ length: 100 }, () => board(HURRIED)));
    setTimeout(() => Bun.sleepSync(3 * HURRIED.deadlineMs), HURRIED.deadlineMs - 10);
    expect(new Set((await asked).map((outcome) => outcome.kind))).toEqual(new Set(["timedOut"]));
    await served.misbehave();
    expect((await board()).kind).toBe("found");
  }
});

test("calls beyond the queue's limit are refused immediately, and capture is not queued behind them", async () => {
  await served.misbehave({ kind: "stall", path: "/api/boards" });
  const leaving = new AbortController();
  const rush = Array.from({ length: 600 }, () => board({ deadlineMs: 60_000, signal: leaving.signal }));
  expect((await feed()).kind).toBe("found");
  expect(await board()).toEqual({ kind: "failed", reason: "busy" });
  leaving.abort();
  const outcomes = await Promise.all(rush);
  expect(outcomes.filter((outcome) => outcome.kind === "failed")).toHaveLength(600 - 32 - 512);
  expect(outcomes.filter((outcome) => outcome.kind === "timedOut")).toHaveLength(32 + 512);
});

describe("the breaker", () => {
  test("opens on a sick call, leaves the others alone, and closes when it is well", async () => {
    // The test decides when a breaker's pause is over, however slow the machine is.
    const still = pushedClock("when pushed");
    const own = await serveForTest(platform, { clock: still });
    const ask = () => own.upstream.board("trending", PATIENT);
    await own.misbehave({ kind: "status", status: 500, path: "/api/boards" });
    const reasons: string[] = [];
    for (let i = 0; i < 40; i++) {
      const outcome = await ask();
      reasons.push(outcome.kind === "failed" ? outcome.reason : outcome.kind);
    }
    expect(reasons.at(-1)).toBe("paused");
    expect((await own.requests())["/api/boards/:board"]).toBe(10);
    expect((await own.upstream.leaderboard("all", null, PATIENT)).kind).toBe("found");

    still.push(1_000);
    expect(await ask()).toEqual({ kind: "failed", reason: "status" });
    expect(await ask()).toEqual({ kind: "failed", reason: "paused" });
    await own.misbehave();
    still.push(2_000);
    expect((await ask()).kind).toBe("found");
    expect((await ask()).kind).toBe("found");
    await own.stop();
  });

  test("opens on answers that can't be decoded", async () => {
    const still = await serveForTest(platform, { clock: pushedClock("when pushed") });
    await still.misbehave({ kind: "types" });
    const ask = () => still.upstream.board("trending", PATIENT);
    for (let i = 0; i < 10; i++) await ask();
    expect(await ask()).toEqual({ kind: "failed", reason: "paused" });
    await still.stop();
  });

  test("does not blame the server for callers who leave or send questions that it refuses", async () => {
    await served.misbehave({ kind: "stall" });
    for (let i = 0; i < 20; i++) await board({ deadlineMs: 5 });
    await served.misbehave({ kind: "status", status: 400 });
    for (let i = 0; i < 20; i++) expect(await board()).toEqual({ kind: "failed", reason: "refused" });
    await served.misbehave();
    expect((await board()).kind).toBe("found");
  });
});

describe("retries", () => {
  test("hide a rare failure", async () => {
    await served.misbehave({ kind: "status", status: 503, probability: 0.05, seed: "rare" });
    const outcomes: string[] = [];
    for (let i = 0; i < 100; i++) outcomes.push((await board()).kind);
    const failed = outcomes.filter((kind) => kind !== "found").length;
    const requests = (await served.requests())["/api/boards/:board"] ?? 0;
    expect(requests).toBeGreaterThan(100);
    expect(failed).toBeLessThan(requests - 100);
  });

  test.each([
    ["reset", 0.1],
    ["reset", 0.3],
    ["reset", 0.5],
    ["reset", 1],
    ["status", 0.3],
    ["status", 1],
    ["truncate", 0.3],
  ])("never pass a fifth of the requests: %s with a chance of %d", async (kind, probability) => {
    await served.misbehave({ kind, probability, seed: "bounded" });
    const asked = Object.values(CALLS);
    for (let round = 0; round < 4; round++) for (const ask of asked) await ask(served.upstream, PATIENT);
    const total = Object.values(await served.requests()).reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThan(4 * asked.length);
    expect(total).toBeLessThanOrEqual(4 * asked.length * 1.2);
  });

  test("are not made for calls that would fail again", async () => {
    for (const kind of ["malformed", "html", "types"]) {
      await served.misbehave({ kind });
      const before = (await served.requests())["/api/theses"] ?? 0;
      for (let i = 0; i < 3; i++) await served.upstream.theses({}, PATIENT);
      expect((await served.requests())["/api/theses"]).toBe(before + 3);
    }
  });
});

test("a server that is gone is unreachable, and a closed upstream says so", async () => {
  await served.server.stop();
  expect(await board()).toEqual({ kind: "failed", reason: "unreachable" });
  await served.upstream.close();
  expect(await board()).toEqual({ kind: "failed", reason: "closed" });
});

test("a name that would walk up the path is not requested", async () => {
  expect(await served.upstream.traderByHandle("..", PATIENT)).toEqual({ kind: "notFound" });
  expect(await served.upstream.traderByHandle("%2e%2e", PATIENT)).toEqual({ kind: "notFound" });
  expect(await served.upstream.traderByHandle("a/../../status", PATIENT)).toEqual({ kind: "notFound" });
  expect(await served.upstream.traderByHandle("\ud800", PATIENT)).toEqual({ kind: "notFound" });
});

test("only http and https addresses are accepted", () => {
  for (const baseUrl of ["ftp://x", "not a url", "file:///etc/passwd"])
    expect(() => remoteUpstream({ baseUrl, clock, log: silentLog, random: seededRandom("x") })).toThrow(
      RangeError,
    );
});

test("the operator can see how calls ended", async () => {
  const metrics = createMetrics();
  const watched = await serveForTest(platform, { metrics, clock: pushedClock("when pushed") });
  await watched.upstream.board("trending", PATIENT);
  await watched.misbehave({ kind: "html" });
  for (let i = 0; i < 11; i++) await watched.upstream.board("trending", PATIENT);
  const shown = metrics.render();
  expect(shown).toContain('crowdtape_upstream_calls_total{call="board",outcome="found"} 1');
  expect(shown).toContain('crowdtape_upstream_calls_total{call="board",outcome="malformed"} 9');
  expect(shown).toContain('crowdtape_upstream_calls_total{call="board",outcome="paused"} 2');
  expect(shown).toContain('crowdtape_upstream_breaker{call="board"} 2');
  expect(shown).not.toContain("127.0.0.1");
  await watched.stop();
});
