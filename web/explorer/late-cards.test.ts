// Cards of a trader's page that load late have their space reserved. The clock is stopped: every fill would change the space
// needed.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { stillness } from "../../test/http/quiet.ts";
import { launchBrowser, watchedPage } from "../../test/support/browser.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../../test/support/live-service.ts";
import { needing } from "../../test/support/needing.ts";

const HEIGHT = 900;

needing("chromium").describe("a trader's page", () => {
  let browser: Browser;
  let live: LiveService;
  beforeAll(async () => {
    [browser, live] = await Promise.all([
      launchBrowser(),
      startLiveService({ traders: 60, historyDays: 2, eventsPerSecond: 0.5 }),
    ]);
    await live.captured();
    await stillness(live);
  }, START_MS_MAX);
  afterAll(async () => {
    await browser.close();
    await live.stop();
  }, START_MS_MAX);

  /**
   * A trader with positions of both kinds, all of them listed: no space is reserved for a missing kind, and too much when the
   * platform counts a position that it lists later.
   */
  const someone = async (): Promise<string> => {
    const { body } = await live.get("getLeaderboard", "/v2/leaderboard/7d?limit=20");
    for (const { handle } of body.traders) {
      const { body: trader } = await live.get("getTrader", `/v2/users/${handle}`);
      const { body: positions } = await live.get("listPositions", `/v2/users/${handle}/positions?limit=1`);
      const isListed = positions.openTotal + positions.closedTotal === trader.trades;
      if (isListed && positions.openTotal > 0 && positions.closedTotal > 0) return handle;
    }
    throw new Error("No trader has both open and closed positions.");
  };

  test("late content does not push down anything below it", async () => {
    const handle = await someone();
    for (const width of [1_440, 390]) {
      const { page, errors, close } = await watchedPage(browser, live.url, {
        viewport: { width, height: HEIGHT },
      });
      const held = Promise.withResolvers<void>();
      await page.route(/\/page-data\//, async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.goto(`${live.url}/traders/${handle}`);
      await page.locator("#app[data-live]").waitFor();
      const before = await cardHeights(page);
      held.resolve();
      await page.locator("#copy").scrollIntoViewIfNeeded();
      await page.locator("#copy .verdict").waitFor();
      await page.locator(".people-card").scrollIntoViewIfNeeded();
      await page.locator("main :is(.skeleton, .room)").first().waitFor({ state: "detached" });
      const after = await cardHeights(page);
      const moved = after.filter(
        ([, height], index) => Math.abs(height - (before[index]?.[1] ?? 0)) > HEIGHT / 10,
      );
      // The theses come last, because their length isn't known.
      expect(moved.filter(([title]) => title !== "Theses")).toEqual([]);
      expect(after.at(-1)?.[0]).toBe("Theses");
      expect(errors).toEqual([]);
      await close();
    }
  });
});

const cardHeights = (page: Page) =>
  page.evaluate(
    `[...document.querySelectorAll(".columns .card")].map((card) => [card.querySelector("h2").textContent, card.offsetHeight])`,
  ) as Promise<[string, number][]>;
