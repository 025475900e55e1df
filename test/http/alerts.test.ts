// The alert feed and the pushes: every event is reachable once and in order whichever way it is walked, filters hold, and no
// feed is earlier than its plan allows.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import type { ServedAlert, ServedNotification } from "../../contract/shapes/types.ts";
import { DAY_MS, MINUTE_MS } from "../../kit/units.ts";
import { eventually } from "../support/eventually.ts";
import { type Asked, type LiveService, START_MS_MAX, startLiveService } from "../support/live-service.ts";
import { quiet, stillness } from "./quiet.ts";

let live: LiveService;

beforeAll(async () => {
  live = await startLiveService({ traders: 150, historyDays: 2, eventsPerSecond: 2 });
  await live.captured();
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);
afterEach(() => live.clock.release());

type Alerts = AnswerOf<Routes["listAlerts"]>;
const alerts = async (query: string, asked?: Asked): Promise<Alerts> =>
  (await live.get("listAlerts", `/v2/alerts?${query}`, asked)).body;
const seqs = (rows: readonly { seq: number }[]) => rows.map((row) => row.seq);

/** Every alert, walked from one end to the other; returned newest first. */
async function walk(
  direction: "older" | "newer",
  query = "limit=100",
  asked?: Asked,
): Promise<ServedAlert[]> {
  const found: ServedAlert[] = [];
  let page = await alerts(direction === "older" ? query : `${query}&order=asc&cursor=start`, asked);
  for (;;) {
    const sign = direction === "older" ? -1 : 1;
    found.push(...page.alerts);
    expect(seqs(page.alerts)).toEqual(seqs(page.alerts).toSorted((a, b) => sign * (a - b)));
    if (!page.hasMore) return direction === "older" ? found : found.reverse();
    const next =
      direction === "older" ? `before=${page.oldestCursor}` : `order=asc&cursor=${page.nextCursor}`;
    page = await alerts(`${query}&${next}`, asked);
  }
}

async function everyEvent() {
  const events = await live.service.store.log.readAfter(0, { limit: 1_000_000, feeds: ["app", "push"] });
  return events.toReversed();
}

describe("alerts", () => {
  test("are reached by walking either way, each once, newest first", async () => {
    await stillness(live);
    const all = seqs(await everyEvent());
    expect(all.length).toBeGreaterThan(1_000);
    expect(seqs(await walk("older"))).toEqual(all);
    expect(seqs(await walk("newer"))).toEqual(all);
  });

  test("with a filter are exactly those that match it", async () => {
    await stillness(live);
    const events = await everyEvent();
    const app = events.filter((event) => event.feed === "app");
    // Those of a trader are requested by kind, too, so it takes a trader who did both.
    const buyers = new Set(app.filter(({ kind }) => kind === "buy").map(({ userId }) => userId));
    const some = app.find(({ kind, token, userId }) => kind === "sell" && token && buyers.has(userId));
    if (!some?.token) throw new Error("there are no sells of a buyer");
    const { handle, userId, token } = some;
    const onAlt = (event: (typeof events)[number]) => "token" in event && event.token?.networkId === 4663;
    const cases: [string, (event: (typeof events)[number]) => boolean][] = [
      ["type=sell", (event) => event.feed === "app" && event.kind === "sell"],
      ["type=thesis", (event) => event.feed === "app" && event.kind === "thesis"],
      ["type=BUY,SELL&minUsd=500", (event) => event.feed === "app" && Number(event.fillUsd) >= 500],
      [
        `token=$${token.symbol}`,
        (event) => "token" in event && event.token?.symbol.toUpperCase() === token.symbol.toUpperCase(),
      ],
      ["source=push", (event) => event.feed === "push"],
      ["source=feed&chain=altchain", (event) => event.feed === "app" && onAlt(event)],
      ["chain=4663", onAlt],
      [`userId=${userId}`, (event) => "userId" in event && event.userId === userId],
      [`trader=@${handle?.toUpperCase()}`, (event) => "userId" in event && event.userId === userId],
      [
        `trader=${userId}&type=buy`,
        (event) => event.feed === "app" && event.kind === "buy" && event.userId === userId,
      ],
      [`token=${token.address}`, (event) => "token" in event && event.token?.address === token.address],
      [
        `token=${token.symbol.toLowerCase()}&type=sell`,
        (event) =>
          event.feed === "app" &&
          event.kind === "sell" &&
          event.token?.symbol.toUpperCase() === token.symbol.toUpperCase(),
      ],
    ];
    for (const [query, matches] of cases) {
      const wanted = seqs(events.filter(matches));
      expect([query, seqs(await walk("older", `limit=100&${query}`))]).toEqual([query, wanted]);
      expect([query, wanted.length > 0]).toEqual([query, true]);
    }
    const others = events.flatMap((event) => (event.feed === "app" && event.userId ? [event.userId] : []));
    const other = others.find((id) => id !== userId);
    const contradiction = await live.refused(`/v2/alerts?trader=${handle}&userId=${other}`);
    expect(contradiction.status).toBe(400);
  });

  test("since an instant are the same in all three notations, and include that instant", async () => {
    await stillness(live);
    const [newest] = await everyEvent();
    // A whole second, so that all three can express it.
    const since = Math.floor((Number(newest?.at) - 60 * MINUTE_MS) / 1_000) * 1_000;
    const wanted = seqs(
      (await everyEvent()).filter((event) => event.at >= since || event.capturedAt >= since),
    );
    for (const text of [new Date(since).toISOString(), String(since / 1_000), String(since)])
      expect(seqs(await walk("older", `limit=100&since=${text}`))).toEqual(wanted);
    const exact = await walk("older", `limit=100&since=${newest?.at}`);
    expect(exact.some((alert) => alert.seq === newest?.seq)).toBe(true);
  });

  test("a cursor gives only newer ones, and stays valid when there are no newer ones", async () => {
    await stillness(live);
    const now = await alerts("limit=5");
    const none = await alerts(`limit=5&cursor=${now.nextCursor}`);
    expect([none.count, none.nextCursor, none.hasMore]).toEqual([0, now.nextCursor, false]);
    const end = await alerts(
      `limit=5&before=${(await walk("older")).length > 0 ? await oldestCursor() : ""}`,
    );
    // At the far end a cursor must not skip events that were never returned.
    expect([end.count, end.oldestCursor, end.nextCursor]).toEqual([0, null, await oldestCursor()]);
    live.clock.release();
    const before = Number(now.alerts[0]?.seq);
    await eventually(
      async () => (await alerts(`cursor=${now.nextCursor}`)).count > 0,
      "something new happened",
    );
    expect(
      (await alerts(`limit=100&cursor=${now.nextCursor}`)).alerts.every((alert) => alert.seq > before),
    ).toBe(true);
    for (const bad of ["cursor=x", "before=start", "cursor=other.5", "order=newest"])
      expect((await live.refused(`/v2/alerts?${bad}`)).status).toBe(400);
  });

  test("between a cursor and a before are all reached, newest first, and hasMore says whether rows are left", async () => {
    await stillness(live);
    const events = seqs(await everyEvent());
    const { epoch } = await live.service.store.log.head();
    const [upper, lower] = [Number(events[20]), Number(events[71])];
    const between = events.filter((seq) => seq < upper && seq > lower);
    const found: number[] = [];
    for (let before = `${epoch}.${upper}`; ; ) {
      const page = await alerts(`limit=20&cursor=${epoch}.${lower}&before=${before}`);
      found.push(...seqs(page.alerts));
      if (!page.hasMore) break;
      before = String(page.oldestCursor);
    }
    expect(found).toEqual(between);
    // With a cursor alone the newest come first, and the ones in between are not lost.
    const newest = await alerts(`limit=20&cursor=${epoch}.${lower}`);
    expect([seqs(newest.alerts), newest.hasMore]).toEqual([events.slice(0, 20), true]);
  });

  test("of an unknown trader or token are a free 404 that names the parameter", async () => {
    for (const [query, param] of [
      ["trader=nobodyxx", "trader"],
      ["token=NOSUCHTOKEN", "token"],
      ["userId=00000000-0000-4000-8000-000000000000", "userId"],
    ] as const) {
      const refused = await live.refused(`/v2/alerts?${query}`);
      expect([refused.status, refused.body.error, refused.body.param]).toEqual([
        404,
        "unknown_filter",
        param,
      ]);
      expect(refused.headers.get("x-credits-cost")).toBe("0");
    }
  });

  async function oldestCursor(): Promise<string> {
    const { epoch } = await live.service.store.log.head();
    return `${epoch}.${seqs(await everyEvent()).at(-1)}`;
  }

  test("are as late as the caller's plan says, and never earlier", async () => {
    await stillness(live);
    const events = await everyEvent();
    const old = await live.makeKey({ createdAt: live.clock.now() - 8 * DAY_MS });
    const young = await live.makeKey({ createdAt: live.clock.now() - 6 * DAY_MS });
    const views: [Asked, number][] = [
      [{ key: null }, 60],
      [{ key: old }, 15],
      [{ key: young }, 0],
      [{ key: "starter" }, 0],
    ];
    for (const lateMs of [0, 14_999, 15_000, 59_999, 60_000]) {
      const newest = Number(events[0]?.capturedAt);
      const now = live.clock.now();
      live.clock.push(Math.max(0, newest + lateMs - now));
      await quiet(live);
      for (const [asked, delaySeconds] of views) {
        const bound = live.clock.now() - delaySeconds * 1_000;
        const visible = (await everyEvent()).filter((event) => event.capturedAt <= bound);
        const page = await alerts("limit=3", asked);
        expect(seqs(page.alerts)).toEqual(seqs(visible.slice(0, 3)));
        expect([page.delaySeconds, page.nextCursor?.split(".")[1]]).toEqual([
          delaySeconds,
          String(visible[0]?.seq),
        ]);
        const newer = await alerts(`limit=3&cursor=${page.nextCursor}`, asked);
        expect(newer.count).toBe(0);
      }
    }
  });

  test("join to the trade and to the trader by id", async () => {
    await stillness(live);
    const { alerts: fills } = await alerts("type=sell&limit=15");
    for (const alert of fills) {
      const trade = await live.get("getTrade", `/v2/trades/${alert.tradeId}`);
      expect([trade.body.trader.userId, trade.body.token.symbol]).toEqual([
        String(alert.userId),
        String(alert.token),
      ]);
      expect(trade.body.swaps.some((swap) => swap.txHash === alert.txHash)).toBe(true);
      const history = await live.get("listTrades", `/v2/users/${alert.userId}/trades?deep=1`);
      // A position that the platform does not list yet is there through its fill, which has no trade id.
      const isOfIt = (row: (typeof history.body.trades)[number]) =>
        row.source === "feed" ? row.token.address === alert.tokenAddress : row.tradeId === alert.tradeId;
      expect(history.body.trades.some(isOfIt)).toBe(true);
    }
  });
});

test("notifications without a type are listed, and left out when a type is requested", async () => {
  await stillness(live);
  const pushes = (await everyEvent()).filter((event) => event.feed === "push");
  const list = async (query: string) => {
    const rows: ServedNotification[] = [];
    for (let before = ""; ; ) {
      const { body } = await live.get("listNotifications", `/v2/notifications?limit=100${query}${before}`);
      rows.push(...body.notifications);
      if (!body.hasMore) return rows;
      before = `&before=${body.oldestCursor}`;
    }
  };
  const all = await list("");
  expect(all.length).toBe(pushes.length);
  expect(all.some((row) => row.notification_type === null)).toBe(true);
  const types = new Set(all.map((row) => row.notification_type).filter((type) => type !== null));
  expect(types.size).toBeGreaterThan(1);
  for (const type of types) {
    const typed = await list(`&notificationType=${type}`);
    expect(typed.every((row) => row.notification_type === type)).toBe(true);
    expect(typed.length).toBe(all.filter((row) => row.notification_type === type).length);
  }
});
