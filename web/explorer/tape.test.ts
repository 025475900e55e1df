// The tape in a real browser: its filters are its address, a reload and a dropped socket leave no gap, it can be paused, and a
// minute of a busy market neither grows it nor fills the page.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page, WebSocketRoute } from "playwright-core";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import { launchBrowser, watchedPage } from "../../test/support/browser.ts";
import { eventually } from "../../test/support/eventually.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../../test/support/live-service.ts";
import { needing } from "../../test/support/needing.ts";
import { TAPE_EVENTS_MAX } from "./tape-store.ts";

const JOURNEY_MS_MAX = 900_000;
const TALL = { viewport: { width: 1440, height: 3_600 } };

needing("chromium").describe("the tape", () => {
  let browser: Browser;
  let live: LiveService;
  beforeAll(async () => {
    live = await startLiveService({ traders: 40, historyDays: 1, eventsPerSecond: 8 });
    browser = await launchBrowser({ pictures: false, clock: () => live.clock });
  }, START_MS_MAX);
  afterAll(async () => {
    await browser?.close();
    await live?.stop();
  }, START_MS_MAX);

  /** With a paid key in the tab, so that the feed is not delayed. */
  const open = async (path: string, options = {}) => {
    const watched = await watchedPage(browser, live.url, options);
    await watched.page.addInitScript(
      `sessionStorage.setItem("crowdtape-key", ${JSON.stringify(live.keys.scale.secret)})`,
    );
    return { ...watched, go: () => watched.page.goto(live.url + path) };
  };
  const seqs = (page: Page) =>
    page.evaluate(
      "[...document.querySelectorAll('[data-seq]')].map((row) => Number(row.dataset.seq))",
    ) as Promise<number[]>;
  const newest = async (page: Page) => Math.max(0, ...(await seqs(page)));
  /** Newest first. A page's hundred may all be newer than the rows that a busy browser has shown. */
  const alertsDownTo = async (seq: number) => {
    const alerts: AnswerOf<Routes["listAlerts"]>["alerts"] = [];
    for (let older = ""; ; ) {
      const { body } = await live.get("listAlerts", `/v2/alerts?limit=100${older}`);
      alerts.push(...body.alerts);
      if (body.oldestCursor === null || (alerts.at(-1)?.seq ?? 0) <= seq) return alerts;
      older = `&before=${body.oldestCursor}`;
    }
  };

  test(
    "a dropped socket and a reload leave no gap and repeat nothing",
    async () => {
      const { page, errors, go, close } = await open("/tape", TALL);
      const sockets: WebSocketRoute[] = [];
      await page.routeWebSocket(/\/ws\/alerts/, (socket) => {
        socket.connectToServer();
        sockets.push(socket);
      });
      await go();
      await page.getByText("live", { exact: true }).waitFor();
      const before = await newest(page);
      await eventually(async () => (await newest(page)) > before + 5, "the tape runs");
      const addresses: string[] = [];
      page.on("websocket", (socket) => addresses.push(socket.url()));
      for (let drop = 0; drop < 3; drop++) {
        const [known, place] = [sockets.length, await newest(page)];
        await sockets.at(-1)?.close({ code: 1012 });
        await eventually(() => sockets.length > known, "it comes back");
        await eventually(async () => (await newest(page)) > place + 3, "it runs on");
      }
      expect(sockets.slice(1).every((socket) => socket.url().includes("resume="))).toBe(true);
      const held = (await seqs(page)).sort((one, other) => other - one);
      const shown = held.slice(0, 120);
      const alerts = await alertsDownTo(shown.at(-1) ?? 0);
      // Rows are drawn by time: a late one may be below the drawn ones. If it happened before the log began, no socket sends it.
      const drawnFrom = Math.min(...alerts.filter(({ seq }) => held.includes(seq)).map(({ ts }) => ts));
      const beganAt = await live.service.store.log.beganAt();
      const isDue = (ts: number) => ts > drawnFrom && ts >= beganAt;
      const known = alerts
        .filter(({ seq, ts }) => seq <= (shown[0] ?? 0) && (isDue(ts) || held.includes(seq)))
        .map(({ seq }) => seq);
      const least = Math.max(known.at(-1) ?? 0, shown.at(-1) ?? 0);
      expect(shown.filter((seq) => seq >= least)).toEqual(known.filter((seq) => seq >= least));
      expect(new Set(held).size).toBe(held.length);
      await page.reload();
      await eventually(async () => (await newest(page)) >= (held[0] ?? 0), "a reload continues");
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "an invalid filter is reported, even on a tape that showed another one before",
    async () => {
      const { page, go, close } = await open("/tape", TALL);
      await go();
      await page.locator("#app[data-live]").waitFor();
      await page.locator(".tape-row").first().waitFor();
      const trader = page.getByLabel("Trader");
      await trader.pressSequentially("nobody_of");
      const before = await newest(page);
      await eventually(async () => (await newest(page)) > before, "an event comes while it is typed");
      await trader.pressSequentially("_that_name");
      await trader.press("Enter");
      const said = page
        .locator("main")
        .getByText('There is no trader "nobody_of_that_name" that we know of.');
      await said.waitFor();
      await page.reload();
      await said.waitFor();
      expect(await page.getByText("Retrying automatically").count()).toBe(0);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "filters are in the address and survive a reload; only what matches is shown",
    async () => {
      const { page, errors, go, close } = await open("/tape", TALL);
      await go();
      await page.locator("#app[data-live]").waitFor();
      await page.getByLabel("Kind").selectOption("sell");
      await page.waitForURL("**/tape?type=sell");
      const isOnlySells = async () => {
        const kinds = (await page.evaluate(
          "[...document.querySelectorAll('.tape-row .side')].map((tag) => tag.textContent)",
        )) as string[];
        return kinds.length > 0 && kinds.every((kind) => kind === "sell");
      };
      await eventually(isOnlySells, "only sells are shown");
      await page.reload();
      await eventually(isOnlySells, "only sells are shown after a reload");
      expect(await page.getByLabel("Kind").inputValue()).toBe("sell");
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "while paused it stays unchanged and counts new events; resumed it shows all of them",
    async () => {
      const { page, errors, go, close } = await open("/tape", TALL);
      await go();
      await page.getByText("live", { exact: true }).waitFor();
      await page.keyboard.press("p");
      await page.getByRole("button", { name: /^Resume/ }).waitFor();
      const still = await seqs(page);
      await page.getByRole("button", { name: /^Resume, \d+ new/ }).waitFor();
      expect(await seqs(page)).toEqual(still);
      await page.keyboard.press("p");
      await eventually(async () => (await newest(page)) > (still[0] ?? 0), "it continues");
      const after = await seqs(page);
      expect(new Set(after).size).toBe(after.length);
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "a lost connection is shown, and a quiet stream is not mistaken for one",
    async () => {
      const { page, close } = await watchedPage(browser, live.url);
      let isRefusing = false;
      const sockets: WebSocketRoute[] = [];
      await page.routeWebSocket(/\/ws\/alerts/, (socket) => {
        if (isRefusing) return void socket.close({ code: 1011 });
        sockets.push(socket);
        socket.send(JSON.stringify({ ...WELCOME, heartbeatSeconds: 1 }));
        socket.send(
          JSON.stringify({
            type: "heartbeat",
            ts: 0,
            seq: 1,
            lastEventAt: null,
            quietSeconds: null,
            lagMs: 4,
          }),
        );
      });
      await page.goto(`${live.url}/tape?type=listing`);
      await page.getByText(/^live/).waitFor();
      isRefusing = true;
      // No more heartbeats: after two intervals the connection counts as dead.
      await page.getByText("disconnected, reconnecting…").waitFor();
      isRefusing = false;
      await page.getByText(/^live/).waitFor();
      expect(sockets.length).toBeGreaterThan(1);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "a minute's worth of 200 events a second stays within its bounds of rows and memory",
    async () => {
      const busy = busyFeed(live.url);
      const { page, errors, close } = await watchedPage(browser, busy.url);
      await page.route("**/page-data/v2/token/*", (route) => route.fulfill({ json: { supply: 1e9 } }));
      await page.goto(`${busy.url}/tape`);
      await page.getByText(/^live/).waitFor();
      const devtools = await page.context().newCDPSession(page);
      const heap = async () => {
        await devtools.send("HeapProfiler.collectGarbage");
        return ((await devtools.send("Runtime.getHeapUsage")) as { usedSize: number }).usedSize;
      };
      const send = async (from: number, count: number) => {
        for (let seq = from; seq < from + count; seq++) busy.send(alert(seq));
        await eventually(async () => (await newest(page)) >= from + count - 1, "all is shown");
      };
      await send(BUSY_FROM, TAPE_EVENTS_MAX * 1.25);
      const full = await heap();
      await send(BUSY_FROM + TAPE_EVENTS_MAX * 1.25, 6_000);
      const later = await heap();
      // As many events again as its limit went through it; none of the first are left.
      expect(later / full).toBeLessThan(1.5);
      await page.locator(".tape-cap", { hasText: "$4.20M" }).first().waitFor();
      expect(await page.evaluate("document.querySelectorAll('.tape-row').length")).toBeLessThan(60);
      expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(2_000);
      await page.locator(".tape-box").evaluate((box) => {
        box.scrollTop = 3_000;
      });
      await eventually(async () => (await seqs(page)).length > 0, "rows further down are there too");
      expect(errors).toEqual([]);
      await close();
      await busy.stop();
    },
    JOURNEY_MS_MAX,
  );
});

/**
 * The service with another alert feed: a real socket takes thousands of events at once, where one of the browser's tools takes
 * seconds.
 */
function busyFeed(service: string) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request, self) {
      const { pathname, search } = new URL(request.url);
      if (pathname !== "/ws/alerts")
        return fetch(service + pathname + search, { headers: request.headers, decompress: false });
      return self.upgrade(request) ? undefined : new Response(null, { status: 400 });
    },
    websocket: {
      open(socket) {
        socket.send(JSON.stringify(WELCOME));
        socket.subscribe("alerts");
      },
      message() {},
    },
  });
  return {
    url: server.url.origin,
    send: (event: object) => server.publish("alerts", JSON.stringify(event)),
    stop: () => server.stop(true),
  };
}

/** Above any position in the small world's log. */
const BUSY_FROM = 10_000_000;

const WELCOME = {
  type: "welcome",
  stream: "alerts",
  realtime: true,
  delaySeconds: 0,
  heartbeatSeconds: 20,
  plan: "keyless",
  filter: {},
  seq: 1,
  epoch: "test",
  oldestSeq: 1,
  note: null,
};

const alert = (seq: number) => ({
  type: "alert",
  id: `alrt_${seq}`,
  seq,
  eventId: null,
  alertType: seq % 2 ? "buy" : "sell",
  source: "feed",
  trader: `trader_${seq % 900}`,
  displayName: "T",
  userId: null,
  tradeId: null,
  token: `TOK${seq % 300}`,
  tokenAddress: `0x${String(seq % 300).padStart(40, "0")}`,
  chainId: 8453,
  chain: "base",
  text: null,
  ts: 4_000_000_000_000 + seq,
  fillUsd: seq % 4_000,
  priceUsd: 0.0042,
  realizedPnlUsdDelta: seq % 2 ? null : 12,
});
