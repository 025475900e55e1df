// Who may read: visitors with a cookie that works for these pages alone, those who enter a key, or nobody.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { VISITOR } from "../../contract/plans.ts";
import { HOUR_MS } from "../../kit/units.ts";
import { launchBrowser, watchedPage } from "../../test/support/browser.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../../test/support/live-service.ts";
import { needing } from "../../test/support/needing.ts";
import { PAGE_HEADER, VISITOR_PREFIX } from "../shared/api.ts";

const JOURNEY_MS_MAX = 900_000;
const SMALL = { traders: 20, historyDays: 1 };
const BOARD = "/v2/leaderboard/tokens/trending?limit=3";

describe("EXPLORER=open", () => {
  let live: LiveService;
  beforeAll(async () => {
    live = await startLiveService(SMALL);
  }, START_MS_MAX);
  afterAll(() => live?.stop(), START_MS_MAX);

  const cookieOf = (answer: Response) => String(answer.headers.get("set-cookie")).split(";")[0] ?? "";
  const ask = (headers: Record<string, string>, path = BOARD, method = "GET") =>
    fetch(`${live.url}${VISITOR_PREFIX}${path}`, { method, headers });

  test("a page sets a cookie for an hour that scripts can't read and other sites do not send", async () => {
    const answer = await fetch(`${live.url}/`);
    const given = String(answer.headers.get("set-cookie"));
    for (const part of ["HttpOnly", "SameSite=Strict", `Path=${VISITOR_PREFIX}`, "Max-Age=3600"])
      expect(given).toContain(part);
    const again = await fetch(`${live.url}/`, { headers: { cookie: cookieOf(answer) } });
    expect(again.headers.get("set-cookie")).toBeNull();
  });

  test("the cookie allows free reads of the platform's data, and nothing of an account", async () => {
    const cookie = cookieOf(await fetch(`${live.url}/`));
    const own = { cookie, [PAGE_HEADER]: "1" };
    const answer = await ask(own);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-credits-cost")).toBe("0");
    expect(answer.headers.get("RateLimit-Policy")).toContain(String(VISITOR.requestsPerMinute));
    for (const path of ["/v2/me", "/v2/keys", "/v2/usage", "/v2/payments"])
      expect((await ask(own, path)).status).toBe(404);
    expect((await ask(own, "/v2/keys", "POST")).status).toBe(404);
    // On the API itself it is worthless.
    expect((await fetch(live.url + BOARD, { headers: own })).status).toBe(401);
    expect(
      ((await (await ask(own, "/v2/alerts?limit=1")).json()) as { delaySeconds: number }).delaySeconds,
    ).toBe(60);
  });

  test.each([
    ["/boards/trending", 200],
    ["/boards/no-such-board", 404],
    ["/console", 200],
    ["/no/such/page", 404],
    ["/pricing", 200],
    ["/recover", 200],
  ])("pages have a rate limit of their own: %s", async (path, status) => {
    const statuses = new Set<number>();
    // However slow the test is, it stays within one minute.
    live.clock.hold();
    for (let count = 0; count <= VISITOR.pagesPerMinute; count++)
      statuses.add((await fetch(`${live.url}${path}`, { headers: { accept: "text/html" } })).status);
    live.clock.release();
    live.clock.push(HOUR_MS);
    expect([...statuses]).toEqual([status, 429]);
  });

  test("no other origin, no script elsewhere, no forged and no old cookie gets through", async () => {
    const cookie = cookieOf(await fetch(`${live.url}/`));
    expect((await ask({ cookie })).status).toBe(403);
    for (const site of ["cross-site", "same-site", "none"])
      expect((await ask({ cookie, [PAGE_HEADER]: "1", "sec-fetch-site": site })).status).toBe(403);
    for (const origin of ["https://elsewhere.example", "null"])
      expect((await ask({ cookie, [PAGE_HEADER]: "1", origin })).status).toBe(403);
    expect((await ask({ cookie, [PAGE_HEADER]: "1", origin: live.url })).status).toBe(200);
    expect((await ask({ [PAGE_HEADER]: "1" })).status).toBe(401);
    const forged = cookie.replace(/=(\d+)/, (_, digits) => `=${Number(digits) + 1}`);
    expect((await ask({ cookie: forged, [PAGE_HEADER]: "1" })).status).toBe(401);
    const preflight = await fetch(`${live.url}${VISITOR_PREFIX}${BOARD}`, {
      method: "OPTIONS",
      headers: { origin: "https://elsewhere.example", "access-control-request-headers": PAGE_HEADER },
    });
    expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).not.toContain(PAGE_HEADER);
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
    live.clock.push(2 * HOUR_MS);
    expect((await ask({ cookie, [PAGE_HEADER]: "1" })).status).toBe(401);
    const renewed = await fetch(`${live.url}${VISITOR_PREFIX}/visit`, {
      method: "POST",
      headers: { [PAGE_HEADER]: "1" },
    });
    expect((await ask({ cookie: cookieOf(renewed), [PAGE_HEADER]: "1" })).status).toBe(200);
  });
});

needing("chromium").describe("EXPLORER=key", () => {
  let live: LiveService;
  let browser: Browser;
  beforeAll(async () => {
    live = await startLiveService({ ...SMALL, explorer: "key" });
    browser = await launchBrowser({ clock: () => live.clock });
  }, START_MS_MAX);
  afterAll(async () => {
    await browser?.close();
    await live?.stop();
  }, START_MS_MAX);

  test(
    "pages contain no data and set no cookie until a key is entered, which stays in the tab",
    async () => {
      const bare = await fetch(`${live.url}/`);
      expect(bare.headers.get("set-cookie")).toBeNull();
      expect(await bare.text()).toContain('"loaded":{}');
      expect(
        (await fetch(`${live.url}${VISITOR_PREFIX}${BOARD}`, { headers: { [PAGE_HEADER]: "1" } })).status,
      ).toBe(404);
      const { page, errors, asked, close } = await watchedPage(browser, live.url);
      await page.goto(`${live.url}/boards/trending`);
      await page.getByText("These pages need a key").waitFor();
      await page.getByLabel("These pages need a key").fill(live.keys.starter.secret);
      await page.getByRole("button", { name: "Use it" }).click();
      await page.locator("tbody [data-row]").first().waitFor();
      expect(asked.join(" ")).not.toContain(live.keys.starter.secret);
      await page.goto(`${live.url}/tape`);
      await page.locator(".tape-row").first().waitFor();
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );
});

describe("EXPLORER=off", () => {
  test(
    "the reference is at the root, and no page links to a missing one",
    async () => {
      const live = await startLiveService({ ...SMALL, explorer: "off" });
      const root = await (await fetch(`${live.url}/`)).text();
      expect(root).toContain("Crowdtape API");
      expect(root).not.toContain('href="/tape"');
      for (const path of ["/tape", "/console", `${VISITOR_PREFIX}${BOARD}`])
        expect((await fetch(live.url + path)).status).toBe(404);
      await live.stop();
    },
    START_MS_MAX,
  );
});
