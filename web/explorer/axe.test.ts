// Every page held to WCAG AA by axe, in light and dark, on a phone and on a desk.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { launchBrowser, watchedPage } from "../../test/support/browser.ts";
import { type LiveService, START_AT_MOST_MS, startLiveService } from "../../test/support/live-service.ts";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
/** Of WCAG 2.2 this is the size of targets, which sticky bars of the long reference seem to cover while it is scrolled. */
const MORE_RULES = "wcag22aa";
const LOOKS = [
  { colorScheme: "light" as const, viewport: { width: 1440, height: 900 } },
  { colorScheme: "dark" as const, viewport: { width: 390, height: 844 } },
];

describe("accessibility", () => {
  let browser: Browser;
  let live: LiveService;
  let paths: [string, string][] = [];
  beforeAll(async () => {
    live = await startLiveService({ traders: 40, historyDays: 1 });
    await live.captured();
    browser = await launchBrowser();
    const { handle } = (await live.get("getLeaderboard", "/v2/leaderboard/7d?limit=1")).body.traders[0] ?? {
      handle: "",
    };
    const token = (await live.get("getTrendingTokens", "/v2/leaderboard/tokens/trending?limit=1")).body
      .tokens[0]?.token;
    paths = [
      ["/", ".tape-row"],
      ["/leaderboard/7d", "[data-row]"],
      [`/traders/${handle}`, ".calendar rect"],
      [`/tokens/${token?.address}?networkId=${token?.networkId}`, ".candle-box canvas, .candles, .empty"],
      ["/tape", ".tape-row"],
      ["/theses", "blockquote"],
      ["/boards/trending", "[data-row]"],
      ["/search?q=a", ".results a"],
      ["/console", "form"],
      ["/no/such/page", "h1"],
      ["/docs", "h1"],
      ["/pricing", "h1"],
      ["/recover", "h1"],
    ];
  }, START_AT_MOST_MS);
  afterAll(async () => {
    await browser?.close();
    await live?.stop();
  }, START_AT_MOST_MS);

  for (const look of LOOKS) {
    test(`every page is clean in ${look.colorScheme}, ${look.viewport.width} wide`, async () => {
      // The policy lets no foreign script in, not even this one; nothing else of the page changes without it.
      const { page, close } = await watchedPage(browser, live.url, { ...look, bypassCSP: true });
      // The reference repeats one form for each call: its first sixteen sections stand for all.
      const found: string[] = [];
      for (const [path, ready] of paths) {
        await page.goto(live.url + path);
        await page.locator(ready).first().waitFor();
        await page.evaluate(axe.source);
        const { violations } = (await page.evaluate(
          `axe.run({ exclude: [".docs main > section:nth-of-type(n+16)"] }, { runOnly: ${JSON.stringify(path === "/docs" ? RULES : [...RULES, MORE_RULES])} })`,
        )) as axe.AxeResults;
        for (const { id, nodes } of violations)
          found.push(
            `${path} ${id}: ${nodes
              .slice(0, 3)
              .map((node) => `${node.html.slice(0, 120)} ${node.failureSummary?.split("\n")[1] ?? ""}`)
              .join(" | ")}`,
          );
      }
      expect(found).toEqual([]);
      await close();
    }, 480_000);
  }
});
