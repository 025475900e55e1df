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
}
