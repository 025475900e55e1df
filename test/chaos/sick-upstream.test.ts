// F1, F2 and F4 on real processes: a failing or dead upstream costs freshness, never money, and is not made worse.

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { HOUR_MS } from "../../kit/units.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/supervised.ts";
import { type Deployment, deploy } from "./deployment.ts";

const PATIENCE_MS = 900_000;
/** The quality page's limit: upstream requests per request of ours, retries included. */
const REQUESTS_MAX = 1.2;

let deployment: Deployment;
let headers: Record<string, string>;
let userIds: string[];
let metricsUrl: string;

beforeAll(async () => {
  const metricsPort = await freePort();
  metricsUrl = `http://127.0.0.1:${metricsPort}`;
  deployment = await deploy({
    shape: "remote",
    seed: "sick",
    nodeSettings: { METRICS_PORT: String(metricsPort) },
  });
  const books = await deployment.books();
  const { grants, keys } = books.access;
  const { id: accountId } = await grants.openAccount("sick@example.com");
  await grants.payForPlan({ accountId, plan: "scale", reference: `sick:${accountId}` });
  const { secret } = await keys.create({ accountId, name: null, requestsPerMinute: 1_000_000 });
  headers = { authorization: `Bearer ${secret}` };
  await eventually(async () => (await books.store.traders.count()) >= 500, "the directory is read");
  userIds = (await books.store.traders.changedAfter(0, 1_000)).rows.map((trader) => trader.userId);
  await books.close();
}, PATIENCE_MS);
afterAll(() => deployment.stop(), PATIENCE_MS);

interface Reply {
  status: number;
  cost: number;
  body: {
    error?: string;
    stale?: boolean;
    ageHours?: number;
    capturedAt?: string;
    count?: number;
    partial?: boolean;
    upstreamCalls?: number;
  };
}

async function ask(path: string): Promise<Reply> {
  const answer = await fetch(`${String(deployment.nodes[0]?.url)}${path}`, { keepalive: false, headers });
  const body = (await answer.json()) as Reply["body"];
  const cost = Number(answer.headers.get("x-credits-cost"));
  return { status: answer.status, cost, body };
}

/** Clocks of two processes on one machine differ by rounding. */
const CLOCKS_APART_MS = 100;

const faultsUrl = () => `${String(deployment.platform?.url)}/admin/faults`;

/** Without the faults set the tests would be meaningless, so this waits as long as it takes. */
async function misbehave(...faults: Record<string, unknown>[]): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(faultsUrl(), { method: "POST", headers, body: JSON.stringify({ faults }) });
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
}

/** The number of requests to the platform so far, for a route or for all. */
async function askedFor(route?: string): Promise<number> {
  const answer = await fetch(faultsUrl());
  const { requests } = (await answer.json()) as { requests: { routes: Record<string, number> } };
  const { "/api/live": _hints, ...calls } = requests.routes;
  if (route !== undefined) return calls[route] ?? 0;
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}

/** Traders that only the checks between the tests request, so that no test finds their answers in a cache. */
const RESERVED = 100;

/** Each requests another trader, and each round another number of names, so that no answer comes from a cache. */
function pathsOver(part: (all: string[]) => string[]) {
  let next = 0;
  return (what: string) => {
    const ids = part(userIds);
    const round = Math.floor(next / ids.length);
    const path = `/v2/users/${String(ids[next++ % ids.length])}/${what}`;
    return what === "followers" || what === "following" ? `${path}?limit=${1 + (round % 50)}` : path;
  };
}
const nextPath = pathsOver((all) => all.slice(RESERVED));
const reservedPath = pathsOver((all) => all.slice(0, RESERVED));

/** Breakers that an earlier test opened have closed again, and the stand-in for a board was captured. */
beforeEach(async () => {
  await misbehave();
  const live = ["spotlight", "balances", "followers", "following", "trades?deep=10"];
  const boards = ["7d", "tokens/trending", "tokens/most-held"];
  let limit = 40;
  await eventually(async () => {
    limit = limit === 99 ? 40 : limit + 1;
    const reported = await Promise.all([
      ...live.map((what) => ask(reservedPath(what))),
      ...boards.map((board) => ask(`/v2/leaderboard/${board}?limit=${limit}`)),
    ]);
    return reported.every(({ status, body }) => status === 200 && !body.partial && !body.stale);
  }, "upstream answers everything");
}, PATIENCE_MS);

test.each([
  [{ kind: "status", status: 503 }, "followers"],
  [{ kind: "reset" }, "following"],
])(
  "under %j a breaker opens, retries stay within their budget, every answer is free, and it recovers by itself",
  async (fault, what) => {
    const route = `/api/users/:userId/${what}`;
    await eventually(async () => (await ask(nextPath(what))).status === 200, "it answers at first");
    const before = await askedFor(route);
    await misbehave({ ...fault, path: "/api/users" });
    const calls = 300;
    const reported: Reply[] = [];
    for (let call = 0; call < calls; call += 10)
      reported.push(...(await Promise.all(Array.from({ length: 10 }, () => ask(nextPath(what))))));
    const asked = (await askedFor(route)) - before;
    expect(reported.filter(({ status, cost }) => status !== 503 || cost !== 0)).toEqual([]);
    // Far fewer than were requested: once it was open, upstream was left alone.
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan((calls / 2) * REQUESTS_MAX);
    await misbehave();
    await eventually(async () => (await ask(nextPath(what))).status === 200, "the breaker closed");
  },
  PATIENCE_MS,
);

/** Upstream calls that the node actually sent, for any caller. */
async function sentCalls(): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  const calls = [...text.matchAll(/^crowdtape_upstream_calls_total\{(.*)\} (\d+)$/gm)];
  const neverSent = /outcome="(paused|busy|closed)"/;
  return calls.reduce(
    (sum, [, labels, count]) => sum + (neverSent.test(String(labels)) ? 0 : Number(count)),
    0,
  );
}

test(
  "an upstream that fails four times in ten gets at most 1.2 requests per call",
  async () => {
    const [askedBefore, sentBefore] = [await askedFor(), await sentCalls()];
    await misbehave({ kind: "status", status: 503, path: "/api/users", probability: 0.4, seed: "often" });
    const reported: Reply[] = [];
    for (let call = 0; call < 300; call += 10)
      reported.push(...(await Promise.all(Array.from({ length: 10 }, () => ask(nextPath("balances"))))));
    await misbehave();
    expect(reported.every(({ status }) => status === 200 || status === 503)).toBe(true);
    const [asked, sent] = [(await askedFor()) - askedBefore, (await sentCalls()) - sentBefore];
    expect(sent).toBeGreaterThan(100);
    expect(asked).toBeGreaterThan(sent);
    expect(asked).toBeLessThanOrEqual(sent * REQUESTS_MAX);
  },
  PATIENCE_MS,
);

test(
  "a deep read with some failed calls is charged for the answered ones, and with only failed calls it is free",
  async () => {
    const deep = () => ask(nextPath("trades?deep=10"));
    await misbehave({ kind: "status", status: 500, path: "/api/users", probability: 0.3, seed: "deep" });
    const reported = await Promise.all(Array.from({ length: 10 }, deep));
    await misbehave({ kind: "status", status: 500, path: "/api/users" });
    const dead = await deep();
    await misbehave();
    const answered = reported.filter(({ status }) => status === 200);
    expect(answered.filter(({ body }) => body.partial).length).toBeGreaterThan(0);
    for (const { cost, body } of answered) {
      // A lookup that found nothing costs one ordinary call, however many calls it took.
      expect(cost).toBe(body.count === 0 ? 250 : 250 * Number(body.upstreamCalls));
      if (body.partial) expect(body.upstreamCalls).toBeLessThan(10);
    }
    expect(reported.filter(({ status, cost }) => status !== 200 && (status !== 503 || cost !== 0))).toEqual(
      [],
    );
    expect(dead).toMatchObject({ status: 503, cost: 0 });
    await eventually(async () => (await deep()).status === 200, "deep reads are answered again");
  },
  PATIENCE_MS,
);

test(
  "an upstream that never answers leads to a free answer at the deadline",
  async () => {
    await misbehave({ kind: "stall" });
    const reported = await Promise.all(Array.from({ length: 20 }, () => ask(nextPath("following"))));
    await misbehave();
    expect(reported.map(({ status, cost, body }) => [status, cost, body.error])).toEqual(
      reported.map(() => [503, 0, "upstream_timeout"]),
    );
    await eventually(async () => (await ask(nextPath("following"))).status === 200, "it recovered");
  },
  PATIENCE_MS,
);

test(
  "with upstream dead, boards continue with a true age, a cold read is a free 503, and both heal by themselves",
  async () => {
    const live = await ask("/v2/leaderboard/tokens/trending?limit=10");
    expect(live).toMatchObject({ status: 200, cost: 250, body: { stale: false, ageHours: 0, count: 10 } });
    await deployment.platform?.kill();
    // Capture has it and it was never requested, so it does not come out of the cache.
    const askedAt = Date.now();
    const stale = await ask("/v2/leaderboard/tokens/graduated?limit=5");
    const answeredAt = Date.now();
    expect(stale).toMatchObject({ status: 200, cost: 250, body: { stale: true, count: 5 } });
    const { capturedAt = "", ageHours = 0 } = stale.body;
    expect(ageHours).toBeGreaterThan(0);
    const asOf = Date.parse(capturedAt) + ageHours * HOUR_MS;
    expect(asOf).toBeGreaterThanOrEqual(askedAt - CLOCKS_APART_MS);
    expect(asOf).toBeLessThanOrEqual(answeredAt + CLOCKS_APART_MS);
    // Another limit each time, so that it does not come out of the cache.
    let limit = 5;
    await eventually(async () => {
      limit += 1;
      const later = await ask(`/v2/leaderboard/tokens/graduated?limit=${limit}`);
      expect(later.body.capturedAt).toBe(capturedAt);
      return Number(later.body.ageHours) > ageHours;
    }, "it says that it is older");
    expect(await ask("/v2/leaderboard/7d?limit=3")).toMatchObject({ status: 200, cost: 250 });
    expect(await ask(nextPath("followers"))).toMatchObject({ status: 503, cost: 0 });

    await deployment.platform?.start();
    await eventually(async () => {
      const [board, cold] = await Promise.all([
        ask("/v2/leaderboard/tokens/graduated?limit=7"),
        ask(nextPath("followers")),
      ]);
      return board.body.stale === false && cold.status === 200;
    }, "boards and live reads are live again");
    expect(deployment.nodes.flatMap((node) => node.crashes)).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  "a board that is empty or wrong never takes a good one's place",
  async () => {
    for (const [index, fault] of [
      { kind: "emptyLists" },
      { kind: "types" },
      { kind: "numbers" },
      { kind: "html" },
    ].entries()) {
      await misbehave({ ...fault, path: "/api/boards" });
      const reported = await ask(`/v2/leaderboard/tokens/most-held?limit=${20 + index}`);
      // Captured, or still fresh from before: in either case a good one.
      expect(reported).toMatchObject({ status: 200, body: { count: 20 + index } });
    }
    await misbehave();
    await eventually(
      async () => !(await ask("/v2/leaderboard/tokens/most-held?limit=30")).body.stale,
      "the board is live again",
    );
  },
  PATIENCE_MS,
);
