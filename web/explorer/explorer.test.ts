// The explorer in a real browser against a whole service: each page's journey, its content before any script runs, and every
// state. No page logs an error, requests anything from another origin, or runs anything that its policy does not allow.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type WatchedPage, watchedPage, weighLoad } from "../../test/support/browser.ts";
import { START_MS_MAX } from "../../test/support/live-service.ts";
import { needing } from "../../test/support/needing.ts";
import { testEveryPage } from "./suite-every-page.ts";
import { type Explored, explore } from "./suite-explored.ts";
import { testFinding } from "./suite-finding.ts";
import { testFollowing } from "./suite-following.ts";
import { testJudging } from "./suite-judging.ts";

const JOURNEY_MS_MAX = 900_000;
/** The whole first load of home, in bytes on the wire. */
const HOME_BYTES_MAX = 120 * 1_024;

needing("chromium").describe("the explorer", () => {
  const explored = {} as Explored;
  let { browser, pictured, live, leader, token } = explored;
  beforeAll(async () => {
    ({ browser, pictured, live, leader, token } = Object.assign(explored, await explore()));
  }, START_MS_MAX);
  afterAll(() => explored.close?.(), START_MS_MAX);

  const visit = async (path: string, options = {}): Promise<WatchedPage> => {
    const watched = await watchedPage(browser, live.url, options);
    await watched.page.goto(live.url + path);
    return watched;
  };
  const html = async (path: string) =>
    (await fetch(live.url + path, { headers: { accept: "text/html" } })).text();

  test("home, trader and token have their numbers and a card before any script runs", async () => {
    const home = await html("/");
    const board = await live.get("getLeaderboard", "/v2/leaderboard/7d?limit=15");
    // Ranks change while the page is being read, but not all of them.
    const shown = board.body.traders.filter(({ handle }) => home.includes(`href="/traders/${handle}"`));
    expect(shown.length).toBeGreaterThan(board.body.traders.length / 2);
    expect(home).toContain('class="simulated"');
    expect((await live.get("getInfo", "/v1")).body.simulated).toBe(true);
    expect(home).toMatch(
      /<td class="right"[^>]*><a class="plain-link" href="\/traders\/[^"]+\?window=7d#proof"[^>]*><span class="num gain">.*?\+\$/s,
    );
    const trader = await html(`/traders/${leader.handle}`);
    const name = Bun.escapeHTML(leader.displayName);
    expect(trader).toContain(`<meta property="og:title" content="${name} (@${leader.handle})`);
    expect(trader).toMatch(/<meta property="og:description" content="PnL [+−]?\$/);
    for (const window of ["all", "30d", "7d", "24h"])
      expect(trader).toContain(`href="/traders/${leader.handle}?window=${window}#proof"`);
    const page = await html(`/tokens/${token.address}?networkId=${token.networkId}`);
    expect(page).toMatch(/<dt>Market cap<\/dt><dd><span class="num">\$/);
    expect(page).toContain(`<meta property="og:title" content="${token.symbol} $`);
    const trade = await html(`/trades/${explored.tradeId}?show=thesis`);
    for (const [text, kind] of [
      [trader, "trader"],
      [page, "token"],
      [trade, "thesis"],
    ] as const) {
      const card = String(/<meta property="og:image" content="([^"]+)"/.exec(text)?.[1]);
      expect(card).toStartWith(`${live.url}/cards/${kind}/`);
      const picture = await fetch(card);
      expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    }
    const frame = await fetch(`${live.url}/embed/trader/${leader.handle}`);
    expect(frame.headers.get("content-security-policy")).toContain("frame-ancestors *");
  });

  test(
    "the first load of home is small",
    async () => {
      const { page, errors, close } = await watchedPage(pictured, live.url);
      const bytes = await weighLoad(page, `${live.url}/`, ".tape-row");
      expect(bytes).toBeLessThan(HOME_BYTES_MAX);
      // A row that stays gets its pictures.
      await page.locator(".tape-row img.face").first().waitFor();
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test("files are named by their content hash, compressed, and cached forever", async () => {
    const file = String(/src="(\/assets\/[^"]+\.js)"/.exec(await html("/"))?.[1]);
    const answer = await fetch(live.url + file, { headers: { "accept-encoding": "br" } });
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("content-encoding")).toBe("br");
    expect((await fetch(`${live.url}/assets/home-00000000.js`)).status).toBe(404);
  });

  test(
    "a visitor gets from home over the leaderboard to a trader and on to a token",
    async () => {
      const { page, errors, close } = await visit("/");
      await page.getByRole("link", { name: "Leaderboard" }).first().click();
      await page.getByRole("heading", { name: "Leaderboard" }).waitFor();
      await page.locator(".spark path").first().waitFor();
      // A row whose rank changed says by how much, as a visible mark and as a sentence for screen readers.
      const moved = page.locator("tbody [data-row] .rank", {
        hasText: /(up|down) [\d,]+ places? in 2[34] hours/,
      });
      await moved.first().waitFor();
      expect(await moved.locator('[aria-hidden="true"]').first().textContent()).toMatch(/^[▲▼][\d,]+$/);
      await page.getByRole("link", { name: "24 hours" }).click();
      await page.waitForURL("**/leaderboard/24h");
      await page.getByRole("button", { name: "Return" }).click();
      await page.waitForURL("**/leaderboard/24h?sort=roi");
      await page.reload();
      await page.locator('th[aria-sort="descending"]', { hasText: "Return" }).waitFor();
      // Click again for ascending order, which starts with the smallest of all, and hide a column.
      await page.getByRole("button", { name: "Return" }).click();
      await page.locator('th[aria-sort="ascending"]', { hasText: "Return" }).waitFor();
      await page.getByRole("button", { name: "Largest losses" }).click();
      await page.waitForURL("**/leaderboard/24h?order=asc");
      await page.locator("tbody [data-row] .loss").first().waitFor();
      await page.getByText("Columns", { exact: true }).click();
      await page.getByLabel("Best trade").uncheck();
      await page.getByRole("columnheader", { name: "Best trade" }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Largest losses" }).click();
      await page.getByLabel("Find").fill("zzzz-nobody");
      await page.getByText("No trader in this ranking is called that").waitFor();
      await page.getByLabel("Find").fill("");
      await page.locator("tbody [data-row] a.who").first().click();
      await page.getByRole("heading", { name: "Open positions" }).waitFor();
      await page.getByRole("button", { name: "30 days" }).first().click();
      await page.locator(".curve path.line").waitFor();
      await page.locator(".curve svg").press("ArrowLeft");
      await page.locator(".curve .cross").waitFor();
      await page.locator(".treemap a, .empty").first().waitFor();
      await page.locator(".calendar rect").first().waitFor();
      const people = page.locator(".people-card");
      await people.scrollIntoViewIfNeeded();
      await people.getByRole("button", { name: "Following" }).click();
      await people.locator(".people a, .empty").first().waitFor();
      const of = `token=${token.address}&chain=${token.networkId}`;
      const { body } = await live.get("listFills", `/v2/fills?${of}&order=desc&limit=100`);
      await page.goto(`${live.url}/tokens/${token.address}?networkId=${token.networkId}`);
      await page.locator(".candle-box canvas").first().waitFor();
      const isMarked = (least: number) =>
        Number(/traders: ([\d,]+)/.exec(document.body.textContent)?.[1]?.replace(",", "")) >= least;
      await page.waitForFunction(isMarked, body.count);
      await page.getByRole("heading", { name: "Flow" }).waitFor();
      await page.getByRole("button", { name: "Market cap" }).click();
      await page.getByRole("img", { name: /last market cap \$/ }).waitFor();
      await page.locator(".flow-hours svg").press("ArrowLeft");
      await page.locator(".flow-hours .pointed").waitFor({ state: "attached" });
      await page.locator(".holders-card .trend, .holders-card .empty").waitFor();
      await page.getByRole("columnheader", { name: "Since" }).waitFor();
      await page.getByRole("button", { name: "5m", exact: true }).click();
      await page.locator(".candle-box canvas, .empty").first().waitFor();
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "boards, theses and search show what they promise",
    async () => {
      const { page, errors, close } = await visit("/boards/trending");
      await page.locator("tbody [data-row]").first().waitFor();
      await page.getByRole("link", { name: "Graduated" }).click();
      await page.waitForURL("**/boards/graduated");
      await page.goto(`${live.url}/theses`);
      await page.locator(".theses blockquote").first().waitFor();
      await page.locator("#app[data-live]").waitFor();
      await page.keyboard.press("Control+k");
      const field = page.getByRole("dialog").getByRole("combobox");
      // One letter too many: search tolerates a typo.
      await field.fill(`${leader.handle.slice(0, 5)}x${leader.handle.slice(5)}`);
      await page.getByRole("option").filter({ hasText: leader.handle }).first().waitFor();
      await field.fill(leader.handle);
      await page
        .getByRole("option", { selected: true })
        .filter({ hasText: `@${leader.handle}` })
        .waitFor();
      await field.press("Enter");
      await page.waitForURL(`**/traders/${leader.handle}`);
      // A profit links to its proof.
      await page.locator('.stats a[href$="?window=30d#proof"]').first().click();
      await page.waitForURL("**?window=30d#proof");
      await page.locator(".proof[open] tbody [data-row]").first().waitFor();
      expect(await page.locator(".curve svg").first().getAttribute("aria-label")).toContain("over 30d");
      await page.goto(`${live.url}/search?q=${token.symbol}&type=tokens`);
      await page.locator(".results a").first().waitFor();
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "the keyboard alone gets everywhere: j and k walk rows, and the focus is visible",
    async () => {
      const { page, errors, close } = await visit("/boards/trending");
      await page.locator("#app[data-live]").waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("j");
      const row = () =>
        page.evaluate(
          "[...document.querySelectorAll('[data-row]')].indexOf(document.activeElement.closest('[data-row]'))",
        );
      expect(await row()).toBe(1);
      await page.keyboard.press("k");
      expect(await row()).toBe(0);
      expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/tokens/**");
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "anything that people wrote is shown as text",
    async () => {
      const attack = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>`;
      const { page, errors, close } = await watchedPage(pictured, live.url);
      await page.route("**/page-data/v2/thesis?*", async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        for (const thesis of body.theses)
          Object.assign(thesis, { text: attack, handle: attack, name: attack });
        await route.fulfill({ json: body });
      });
      await page.goto(`${live.url}/theses`);
      await page.getByLabel("Chain").selectOption("solana");
      await page.locator("blockquote", { hasText: attack }).first().waitFor();
      expect(await page.title()).not.toBe("owned");
      await page.goto(`${live.url}/traders/${encodeURIComponent(attack)}`);
      await page.goto(`${live.url}/search?q=${encodeURIComponent(attack)}`);
      await page.getByText("Nothing is called").waitFor();
      expect(await page.locator("img[src=x]").count()).toBe(0);
      expect(await page.title()).not.toBe("owned");
      // A handle that can't exist is a page that does not exist.
      expect(errors.filter((error) => !error.includes("the server responded with a status of 4"))).toEqual(
        [],
      );
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "every state has its look: late, old, loading, empty, failed and retried, unsupported",
    async () => {
      const { page, close } = await watchedPage(browser, live.url);
      await page.goto(`${live.url}/`);
      await page.getByText("60 s late").first().waitFor();
      let isAway = true;
      await page.route("**/page-data/v2/users/*/balances", (route) =>
        isAway
          ? route.fulfill({
              status: 503,
              json: {
                error: "upstream_timeout",
                message: "The live read did not finish.",
                status: 503,
                retryable: true,
                requestId: "req_1",
              },
            })
          : route.fulfill({
              json: {
                handle: "x",
                userId: "x",
                available: false,
                count: 0,
                holdings: [],
                totalValueUsd: null,
                asOf: null,
                note: "This platform tells no balances.",
              },
            }),
      );
      await page.goto(`${live.url}/traders/${leader.handle}`);
      const failed = page.getByRole("alert").filter({ hasText: "The live read did not finish." });
      await failed.waitFor();
      expect(await failed.getByRole("button", { name: "Try again" }).isVisible()).toBe(true);
      // The server is back: the card recovers by itself.
      isAway = false;
      await page.getByText("This platform tells no balances.").waitFor();
      const seenLoading = Promise.withResolvers<void>();
      await page.route("**/page-data/v2/users/*/pnl?*", (route) =>
        seenLoading.promise.then(() => route.continue()),
      );
      await page.goto(`${live.url}/traders/${leader.handle}`);
      await page.getByRole("button", { name: "30 days" }).first().click();
      await page.getByRole("status", { name: "Loading" }).first().waitFor();
      seenLoading.resolve();
      await page.route("**/page-data/v2/leaderboard/24h?*", async (route) => {
        const body = await (await route.fetch()).json();
        await route.fulfill({ json: { ...body, stale: true, asOf: new Date(0).toISOString() } });
      });
      await page.goto(`${live.url}/`);
      await page.getByRole("button", { name: "24 hours" }).click();
      await page.locator(".chip", { hasText: /^stale, \d+ d old$/ }).waitFor();
      await page.goto(`${live.url}/tape?type=listing&minUsd=999999999`);
      await page.getByText("Nothing matched yet").waitFor();
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "a token whose feed can't be read says that nothing is known, and recovers by itself",
    async () => {
      const { page, close } = await watchedPage(browser, live.url);
      let isAway = true;
      await page.routeWebSocket("**/ws/alerts*", (socket) => socket.close({ code: 1013 }));
      await page.route("**/page-data/v2/alerts?*", (route) =>
        isAway ? route.fulfill({ status: 503, json: {} }) : route.continue(),
      );
      const { body } = await live.get("getTrendingTokens", "/v2/leaderboard/tokens/trending?limit=1");
      const [row] = body.tokens;
      await page.goto(`${live.url}/tokens/${row?.token.address}?networkId=${row?.network}`);
      const activity = page.locator("section.card", { hasText: "Activity" });
      await activity.getByText("Not known.").waitFor();
      expect(await activity.getByText("No tracked trader").count()).toBe(0);
      isAway = false;
      await activity.locator(".tape-row, .empty").first().waitFor();
      expect(await activity.getByText("Not known.").count()).toBe(0);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "a missing page is HTML for a person and the one error shape for a program",
    async () => {
      const { page, close } = await visit("/no/such/page");
      await page.getByRole("heading", { name: "There is no such page." }).waitFor();
      await close();
      expect((await live.refused("/no/such/page", { key: null })).body.error).toBe("not_found");
      const mistyped = `${token.address.slice(0, -1)}${token.address.endsWith("1") ? "2" : "1"}`;
      const wrong = [
        [`/traders/${leader.handle}q`, `href="/traders/${leader.handle}"`],
        [`/traders/${leader.handle}%00%20%3F`, `href="/traders/${leader.handle}"`],
        ["/traders/nobody_of_this_name", "There is no such trader."],
        [`/tokens/${mistyped}`, `href="/tokens/${token.address}?`],
        [`/tokens/${mistyped.slice(0, 20)}`, `href="/tokens/${token.address}?`],
        [`/tokens/${token.address}?networkId=nowhere`, `href="/tokens/${token.address}?`],
      ] as const;
      for (const [path, suggested] of wrong) {
        const answer = await fetch(live.url + path, { headers: { accept: "text/html" } });
        expect([path, answer.status]).toEqual([path, 404]);
        expect(await answer.text()).toContain(suggested);
      }
      expect((await fetch(`${live.url}/boards/none`)).status).toBe(404);
      for (const section of ["leaderboard", "boards", "traders", "tokens"]) {
        const first = await fetch(`${live.url}/${section}`);
        expect([section, first.status, first.redirected]).toEqual([section, 200, true]);
      }
    },
    JOURNEY_MS_MAX,
  );

  testFinding(explored);
  testJudging(explored);
  testFollowing(explored);
  testEveryPage(explored);
});
