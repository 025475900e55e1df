// Checks every page with axe for WCAG AA, light on a desktop and dark on a phone, and that it fits its window from a phone to
// a wide screen. A page is loaded once; its window and colours then change under it, as they do for a reader.
import { afterAll, beforeAll, expect, test } from "bun:test";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { type WatchedPage, watchedPage } from "../../test/support/browser.ts";
import { START_MS_MAX } from "../../test/support/live-service.ts";
import { needing } from "../../test/support/needing.ts";
import { type NamedPage, SITE_PAGES } from "../../test/support/site-pages.ts";
import type { Explored } from "./suite-explored.ts";

const PAGE_MS_MAX = 900_000;
const HEIGHT = 900;
const DESK = 1_440;
const PHONE = 390;
const WIDE = 1_920;

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** Rules affected by colours and widths. Names and roles are not; the frame that only phones show is the same on every page. */
const LOOK_RULES = ["color-contrast", "target-size"];
const FRAME_OF_ALL = "home";
/** Rows of a table or list come from one function: the first eight stand for all. */
const MORE_ROWS = ":is([data-row], .theses li):nth-child(n+9)";
/** Rows that are added later are hidden too. Off-screen content is rendered. */
const LESS = `${MORE_ROWS} { display: none } * { content-visibility: visible !important }`;
/** Axe also walks hidden elements, and for some rules that is most of its work. */
const REMOVE_ROWS = `for (const row of document.querySelectorAll(${JSON.stringify(MORE_ROWS)})) row.remove()`;
/** The reference has ninety sections of a dozen kinds: one of each kind is checked. */
const SECTIONS = [
  "start",
  "plans",
  "tag-traders",
  "getLeaderboard",
  "createKey",
  "deleteWebhook",
  "batch",
  "streams",
  "socket-walk",
  "stream-alerts",
  "frames",
  "frame-heartbeat",
  "client-frames",
  "frame-subscribe",
  "close-codes",
  "errors",
];

/** Steps to prepare a page before the check. */
const PREPARED: Record<string, (page: Page) => Promise<unknown>> = {
  "the search dialog": async (page) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("a");
    await page.getByRole("option").first().waitFor();
  },
  "the reference": async (page) => {
    const kept = await page.evaluate(
      `[...document.querySelectorAll(".docs main > section")].filter((section) => ${JSON.stringify(SECTIONS)}.includes(section.id) || section.remove()).length`,
    );
    expect(kept).toBe(SECTIONS.length);
  },
};

const DIALOG: NamedPage = { name: "the search dialog", path: () => "/search", ready: "#app[data-live]" };

export function testEveryPage(explored: Explored): void {
  needing("chromium").describe("every page", () => {
    const own: Partial<Record<"visitor" | "owner", WatchedPage>> = {};
    /** Pictures that a page shows and the service does not have. */
    const missing: string[] = [];
    beforeAll(async () => {
      // The policy blocks any foreign script, even axe; bypassing it changes nothing else on the page.
      const open = async () => {
        const watched = await watchedPage(explored.pictured, explored.live.url, { bypassCSP: true });
        watched.page.on("response", (answer) => {
          if (answer.request().resourceType() === "image" && answer.status() >= 400)
            missing.push(answer.url());
        });
        return watched;
      };
      own.visitor = await open();
      own.owner = await open();
      await own.owner.page.addInitScript(
        `sessionStorage.setItem("crowdtape-key", ${JSON.stringify(explored.secret)})`,
      );
    }, START_MS_MAX);
    afterAll(async () => {
      await own.visitor?.close();
      await own.owner?.close();
    }, START_MS_MAX);

    for (const { name, path, ready, signedIn } of [...SITE_PAGES, DIALOG])
      test(
        `${name} is clean, light on a desk and dark on a phone, and fits its window`,
        async () => {
          const { page } = own[signedIn ? "owner" : "visitor"] as WatchedPage;
          await page.emulateMedia({ colorScheme: "light" });
          await page.setViewportSize({ width: DESK, height: HEIGHT });
          await page.goto(explored.live.url + path(explored));
          await page.locator(ready).first().waitFor();
          await PREPARED[name]?.(page);
          // A tab of the console is the same document.
          if (!(await page.evaluate("'axe' in window"))) {
            await page.addStyleTag({ content: LESS });
            await page.evaluate(axe.source);
          }
          const found = [
            ...(await violations(page, RULES, `light, ${DESK}`)),
            ...(await overflow(page, DESK)),
            ...(await overflow(page, WIDE)),
            ...(await overflow(page, PHONE)),
            ...(await violations(page, name === FRAME_OF_ALL ? RULES : LOOK_RULES, `dark, ${PHONE}`, "dark")),
          ];
          expect([...found, ...missing.splice(0)]).toEqual([]);
        },
        PAGE_MS_MAX,
      );
  });
}

async function violations(
  page: Page,
  rules: readonly string[],
  look: string,
  colorScheme?: "light" | "dark",
): Promise<string[]> {
  if (colorScheme) await page.emulateMedia({ colorScheme });
  await page.evaluate(REMOVE_ROWS);
  await drawn(page);
  const options = { runOnly: rules, resultTypes: ["violations"], preload: false, iframes: false };
  const found = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as axe.Result[];
  return found.map(({ id, nodes }) => {
    const some = nodes.slice(0, 3).map((node) => {
      const [, reason = ""] = node.failureSummary?.split("\n") ?? [];
      return `${node.html.slice(0, 120)} ${reason}`;
    });
    return `${look}: ${id}: ${some.join(" | ")}`;
  });
}

/** Sets the window's width; reports if the page does not fit in it. */
async function overflow(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: HEIGHT });
  await drawn(page);
  const needed = Number(await page.evaluate("document.documentElement.scrollWidth"));
  return needed > width ? [`needs ${needed} px of ${width}`] : [];
}

/** Waits until observers of sizes and colours have redrawn. */
const drawn = (page: Page) =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
