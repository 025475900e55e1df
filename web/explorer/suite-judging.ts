// A trader's page answers whether this one is good, and whether following them would have paid.
import { expect, test } from "bun:test";
import { watchedPage } from "../../test/support/browser.ts";
import type { Explored } from "./suite-explored.ts";

const JOURNEY_MS_MAX = 900_000;

export function testJudging(explored: Explored): void {
  test(
    "one judges a trader by their record and moves the sliders to see what following would have earned",
    async () => {
      const { browser, live, leader } = explored;
      const { page, errors, asked, close } = await watchedPage(browser, live.url);
      await page.goto(`${live.url}/traders/${leader.handle}#copy`);
      const record = page.locator("section.card", { hasText: "Track record" });
      await record.locator(".histogram, .empty").first().waitFor();
      const copy = page.locator("#copy");
      await copy.locator(".verdict, .empty").first().waitFor();
      const delay = copy.getByLabel("Seconds behind");
      await delay.focus();
      await delay.press("End");
      await copy.getByText("300 s").first().waitFor();
      await copy.getByLabel("Dollars on each buy").press("ArrowRight");
      await copy.locator(".slider", { hasText: "$250" }).waitFor();
      await copy.getByRole("button", { name: "7 days" }).click();
      await copy.locator(".verdict, .empty").first().waitFor();
      const last = new URL(String(asked.filter((url) => url.includes("/copy?")).at(-1))).searchParams;
      expect(Object.fromEntries(last)).toEqual({ window: "7d", size: "250", capital: "2500", delay: "300" });
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "each position has a small chart with the trader's buys and sells on it, asked for a page at a time when looked at",
    async () => {
      const { browser, live, leader, secret } = explored;
      const { body } = await live.get("listPositions", `/v2/users/${leader.handle}/positions?limit=1`, {
        key: { secret },
      });
      expect(body.count).toBeGreaterThan(0);
      for (const width of [1_440, 390]) {
        const viewport = { width, height: 900 };
        const { page, errors, asked, close } = await watchedPage(browser, live.url, { viewport });
        const calls = () => asked.filter((url) => url.includes("/positions/charts?")).length;
        await page.goto(`${live.url}/traders/${leader.handle}`);
        await page.locator("#app[data-live]").waitFor();
        const boxes = page.locator("td .trade-spark");
        await boxes.first().waitFor({ state: "attached" });
        const empty = await boxes.first().boundingBox();
        await boxes.first().scrollIntoViewIfNeeded();
        const drawn = boxes
          .first()
          .getByRole("img", { name: /^(no )?prices? of .+; \d+ (buy|sell|transfer)/ });
        await drawn.waitFor();
        expect(await drawn.locator("path.mark").count()).toBeGreaterThan(0);
        // The box existed before its content.
        const full = await boxes.first().boundingBox();
        expect([full?.width, full?.height]).toEqual([empty?.width, empty?.height]);
        await boxes.last().scrollIntoViewIfNeeded();
        await boxes.last().getByRole("img").waitFor();
        // One call per page of the two lists, not per row.
        expect(calls()).toBeLessThanOrEqual(2);
        expect(errors).toEqual([]);
        await close();
      }
    },
    JOURNEY_MS_MAX,
  );

  test(
    "one follows a trader on paper by the sliders' terms with the key of this tab, and stops again",
    async () => {
      const { browser, live, leader, secret } = explored;
      const { page, errors, close } = await watchedPage(browser, live.url);
      await page.goto(`${live.url}/traders/${leader.handle}?size=250&delay=10#copy`);
      await page.locator("#app[data-live]").waitFor();
      const copy = page.locator("#copy");
      await copy.getByRole("link", { name: "Enter a key" }).click();
      await page.locator("#app[data-live]").waitFor();
      await page.getByLabel("Your key").fill(secret);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("navigation", { name: "Sections" }).waitFor();
      await page.goto(`${live.url}/traders/${leader.handle}?size=250&delay=10#copy`);
      await copy.getByRole("button", { name: "Follow on paper" }).click();
      await copy.getByText("Followed on paper with $2,500").waitFor();
      const { body } = await live.get("listFollows", "/v2/follows", { key: { secret } });
      expect(body.follows.map(({ handle, status, terms }) => [handle, status, terms.delaySeconds])).toEqual([
        [leader.handle, "active", 10],
      ]);
      // Remembered by another page of this tab.
      await page.reload();
      await copy.getByRole("button", { name: "Stop" }).click();
      await copy.getByRole("button", { name: "Follow on paper" }).waitFor();
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "next to the leaderboard is who was worth following, by window, and each verdict leads to its terms",
    async () => {
      const { browser, live, leader } = explored;
      const { copyBoard } = live.service.store;
      const { body: trader } = await live.get("getTrader", `/v2/users/${leader.handle}`);
      const asOf = live.clock.now();
      await copyBoard.enter([trader.userId], asOf);
      const figures = { pnlUsd: 90, roi: 0.09, low90Usd: 40, high90Usd: 140, orders: 80, roundTrips: 40 };
      await copyBoard.save(
        { userId: trader.userId, asOf, dueAt: asOf + 1 },
        { "7d": { ...figures, verdict: "copyable", doubts: [], covered: 1 } },
      );
      const { page, errors, close } = await watchedPage(browser, live.url);
      await page.goto(`${live.url}/leaderboard/7d`);
      await page.getByRole("link", { name: "Worth following" }).click();
      await page.waitForURL("**/leaderboard/copy/7d");
      const row = page.locator("tbody [data-row]", { hasText: leader.handle });
      await row.getByText("+$40").waitFor();
      await page.getByRole("link", { name: "24 hours" }).click();
      await page.waitForURL("**/leaderboard/copy/24h");
      await page.getByText("Nobody was replayed in this window yet.").waitFor();
      await page.getByRole("link", { name: "7 days" }).click();
      await row.locator("a[href$='#copy']").click();
      await page.waitForURL(`**/traders/${leader.handle}#copy`);
      await page.locator("#copy").getByLabel("Seconds behind").waitFor();
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );
}
