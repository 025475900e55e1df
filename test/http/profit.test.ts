// One profit: every route reports the same profit for a trader and a window at one moment, from the first second on.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import { SECOND_MS } from "../../kit/units.ts";
import { PNL_WINDOWS } from "../../protocol/shapes/trader.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../support/live-service.ts";
import { compareProfits, reachMoment, someTraders } from "../support/profit-agreement.ts";

let live: LiveService;

beforeAll(async () => {
  live = await startLiveService({ traders: 150, historyDays: 4, eventsPerSecond: 0.05 });
  live.clock.hold();
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);

/** The common fields of the answers about one trader. */
interface TraderAnswer {
  asOf: string | null;
  pnlUsd: number | null;
  available?: boolean;
  note?: string | null;
  nextCursor?: string | null;
  windows?: Record<string, { pnlUsd: number }>;
  positions?: { pnlUsd: number | null }[];
}

const FIRST_SECONDS = 120;
/** A page is four calls of a visitor, who is rate-limited. */
const PAGE_EVERY_SECONDS = 6;

test("in every second after a cold start no route contradicts another, and every trader on the board is known", async () => {
  const startedAt = live.clock.now();
  const wrong: string[] = [];
  let compared = 0;
  for (let second = 0; second <= FIRST_SECONDS; second++) {
    live.clock.push(startedAt + second * SECOND_MS - live.clock.now());
    const window = PNL_WINDOWS[second % PNL_WINDOWS.length] ?? "all";
    const { body: board } = await live.get("getLeaderboard", `/v2/leaderboard/${window}?limit=40`);
    const row = board.traders[(second * 7) % board.traders.length];
    if (!row) throw new Error("nobody is ranked");
    const path = `/v2/users/${row.handle}`;
    const paths = [
      path,
      `${path}/pnl?window=${window}`,
      `${path}/pnl/proof?window=${window}`,
      `${path}/positions?limit=500`,
      `${path}/trades`,
      `${path}/balances`,
      `${path}/swaps`,
    ];
    const { body } = await live.ask("/v2/batch", {
      method: "POST",
      body: { requests: paths.map((each) => ({ path: each })) },
    });
    const answers = (body as { responses: { status: number; body: TraderAnswer }[] }).responses;
    for (const [index, { status, body }] of answers.entries()) {
      const isUnknown = body.available === false || /captured/i.test(body.note ?? "");
      // Wallets that are still being resolved are a free 409.
      if (isUnknown || (status !== 200 && status !== 409))
        wrong.push(`second ${second}: ${paths[index]} answered ${status}, ${body.note}`);
    }
    const [user, pnl, proof, positions] = answers.map((each) => each.body);
    const says = [
      [board.asOf, row.pnlUsd],
      [user?.asOf, user?.windows?.[window]?.pnlUsd],
      [pnl?.asOf, pnl?.pnlUsd],
      [proof?.asOf, proof?.pnlUsd],
      ...(window === "all" && positions?.nextCursor === null ? [[positions.asOf, sumOf(positions)]] : []),
    ].filter(([asOf, figure]) => asOf === pnl?.asOf && figure !== undefined);
    compared += says.length - 1;
    for (const [, figure] of says)
      if (Math.abs(Number(figure) - Number(pnl?.pnlUsd)) > 0.01)
        wrong.push(`second ${second}, ${row.handle}, ${window}: ${JSON.stringify(says)}`);
    if (second % PAGE_EVERY_SECONDS === 0) {
      const page = await fetch(`${live.url}/traders/${row.handle}`);
      const text = await page.text();
      if (page.status !== 200 || /nothing was captured/i.test(text))
        wrong.push(`second ${second}: the page of ${row.handle} answered ${page.status}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(FIRST_SECONDS);
}, 900_000);

const sumOf = ({ positions = [] }: TraderAnswer) =>
  positions.reduce((sum, { pnlUsd }) => sum + (pnlUsd ?? 0), 0);

test("leaderboard, user, curve, parts, positions and proof agree to the cent, and so do return, win rate and best trade", async () => {
  const traders = await someTraders(live, 24);
  const { different, windows, ranked, complete, answers, refused } = await compareProfits(live, traders);
  expect(different).toEqual([]);
  expect(complete).toBe(answers);
  // Wallets that are still being resolved are a free 409.
  expect(refused.filter((refusal) => !refusal.endsWith("409"))).toEqual([]);
  expect(windows).toBeGreaterThan(40);
  expect(ranked).toBeGreaterThan(20);
}, 900_000);

/** All pages of the directory in some order. */
async function everybody(query: string): Promise<AnswerOf<Routes["listTraders"]>["traders"]> {
  const rows = [];
  for (let cursor = "start"; ; ) {
    const { body, cost } = await live.get("listTraders", `/v2/traders?limit=40&${query}&cursor=${cursor}`);
    expect([cost, body.count, body.total >= 150]).toEqual([250, body.traders.length, true]);
    rows.push(...body.traders);
    if (body.nextCursor === null) {
      expect([body.complete, rows.length]).toEqual([true, body.total]);
      return rows;
    }
    cursor = body.nextCursor;
  }
}

test("the directory has everybody once, in any order, with the leaderboard's profits", async () => {
  await reachMoment(live);
  const byHandle = await everybody("window=7d");
  const handles = byHandle.map(({ handle }) => handle.toLowerCase());
  expect(handles).toEqual(handles.toSorted());
  expect(new Set(handles).size).toBe(handles.length);
  for (const sort of ["pnl", "volume", "lastFill"])
    for (const order of ["asc", "desc"]) {
      const rows = await everybody(`window=7d&sort=${sort}&order=${order}`);
      expect(new Set(rows.map(({ userId }) => userId))).toEqual(
        new Set(byHandle.map(({ userId }) => userId)),
      );
    }
  const best = await everybody("window=7d&sort=pnl");
  const { body: board } = await live.get("getLeaderboard", "/v2/leaderboard/7d?limit=150");
  const shown = new Map(best.map((row) => [row.userId, row]));
  for (const row of board.traders)
    expect(shown.get(row.userId)).toMatchObject({
      rank: row.rank,
      pnlUsd: row.pnlUsd,
      volumeUsd: row.volumeUsd,
    });
  const walk = await live.get("listTraders", "/v2/traders?limit=40&sort=pnl");
  const other = await live.refused(`/v2/traders?limit=40&sort=volume&cursor=${walk.body.nextCursor}`);
  expect([other.status, other.body.param]).toEqual([400, "cursor"]);
}, 900_000);

test("a leaderboard in any order covers everybody, and unknown values come last", async () => {
  await reachMoment(live);
  const active = (await everybody("window=30d&sort=pnl")).filter(({ rank }) => rank !== null);
  for (const sort of ["pnl", "roi", "winRate", "volume", "trades"] as const)
    for (const order of ["asc", "desc"] as const) {
      const path = `/v2/leaderboard/30d?limit=150&sort=${sort}&order=${order}`;
      const { body } = await live.get("getLeaderboard", path);
      expect([body.sort, body.order, body.note]).toEqual([sort, order, null]);
      expect(body.count).toBe(Math.min(150, active.length));
      const figures = body.traders.map((row) => ({ ...row, pnl: row.pnlUsd, volume: row.volumeUsd })[sort]);
      const known = figures.filter((figure) => figure !== null);
      expect(figures.slice(0, known.length)).toEqual(known);
      const isOrdered = known.every((figure, n) => {
        const before = known[n - 1] ?? figure;
        return order === "asc" ? before <= figure + 1e-9 : before >= figure - 1e-9;
      });
      expect({ path, isOrdered }).toEqual({ path, isOrdered: true });
    }
  await chainsAgree(active.length);
  const { body: worst } = await live.get("getLeaderboard", "/v2/leaderboard/30d?limit=3&order=asc");
  expect(worst.traders.map(({ userId }) => userId)).toEqual(
    active
      .toReversed()
      .slice(0, 3)
      .map(({ userId }) => userId),
  );
}, 900_000);

/** A chain's ranking covers everybody who traded there, by the profit that /pnl attributes to the chain. */
async function chainsAgree(active: number): Promise<void> {
  const { body } = await live.get("getLeaderboard", "/v2/leaderboard/30d?limit=150&chain=base");
  expect([body.chain, body.note]).toEqual(["base", null]);
  expect(body.count).toBeGreaterThan(10);
  expect(body.count).toBeLessThan(active);
  expect(body.traders.map(({ rank }) => rank)).toEqual(body.traders.map((_, n) => n + 1));
  for (const row of [...body.traders.slice(0, 3), ...body.traders.slice(-3)]) {
    const { body: pnl } = await live.get("getPnl", `/v2/users/${row.handle}/pnl?window=30d`);
    const part = pnl.byChain.find(({ chain }) => chain === "base");
    expect(row.pnlUsd).toBeCloseTo(Number(part?.pnlUsd), 2);
    expect([row.trades, row.bestTrade?.chain]).toEqual([Number(part?.fills), "base"]);
  }
  const { body: byVolume } = await live.get(
    "getLeaderboard",
    "/v2/leaderboard/30d?limit=150&chain=base&sort=volume&order=asc",
  );
  const volumes = byVolume.traders.map(({ volumeUsd }) => volumeUsd);
  expect(volumes).toEqual(volumes.toSorted((a, b) => a - b));
  expect(byVolume.count).toBe(body.count);
}
