// A platform whose traders and tokens have names designed to break pages: served through a proxy that renames everybody,
// followed by a whole service, and viewed in a real browser.
import { launchBrowser, watchedPage } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { startServedService } from "../support/live-service.ts";
import { hasProgram } from "../support/programs.ts";
import { noting, type Outcome, type Trial } from "./trial.ts";

const NAMES = [
  `<img src=x onerror="window.broken=1">`,
  `</script><script>window.broken=1</script>`,
  `"><svg onload=window.broken=1>`,
  `javascript:window.broken=1`,
  "{{constructor.constructor('window.broken=1')()}}",
  "\u202Emoc.live\u202C",
  "a".repeat(60),
  "\u0301".repeat(60),
  "__proto__",
];
const NAMED = /^(displayName|name|symbol|description|text|bio|title|twitter)$/;

/** The same answer with all names of people, tokens and theses replaced. */
function renamed(value: unknown, next: () => string, key = ""): unknown {
  if (typeof value === "string") return NAMED.test(key) ? next() : value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, next, key));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renamed(item, next, name)]));
}

function renamingProxy(target: string) {
  let given = 0;
  const next = () => NAMES[given++ % NAMES.length] as string;
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const answer = await fetch(target + pathname + search, {
        method: request.method,
        headers: { "content-type": request.headers.get("content-type") ?? "application/json" },
        ...(request.method === "GET" ? {} : { body: await request.text() }),
        signal: request.signal,
      });
      const type = answer.headers.get("content-type") ?? "";
      if (!type.includes("json"))
        return new Response(answer.body, { status: answer.status, headers: { "content-type": type } });
      return Response.json(renamed(await answer.json(), next), { status: answer.status });
    },
  });
}

export const hostileNames: Trial = {
  name: "traders, tokens and theses with hostile names, in a browser",
  holds: "nothing of a name runs, no page breaks, none asks another origin",
  async run({ factor }): Promise<Outcome> {
    if (!hasProgram("chromium")) return { tried: 0, errors: [], skipped: "Chromium is not installed" };
    const renaming = { stop: async () => {} };
    const live = await startServedService({
      traders: 60,
      historyDays: 1,
      startsAt: Date.now(),
      between: (url) => {
        const proxy = renamingProxy(url);
        renaming.stop = () => proxy.stop(true);
        return `http://127.0.0.1:${proxy.port}`;
      },
    });
    const browser = await launchBrowser();
    const errors: string[] = [];
    let tried = 0;
    try {
      await eventually(async () => (await live.service.store.traders.count()) > 0, "traders are known");
      const board = await live.get("getLeaderboard", "/v2/leaderboard/7d?limit=3");
      const tokens = await live.get("getTrendingTokens", "/v2/leaderboard/tokens/trending?limit=3");
      const paths = [
        "/",
        "/leaderboard/7d",
        "/tape",
        "/theses",
        "/boards/trending",
        "/search?q=%3Cimg",
        "/search?q=a",
        ...board.body.traders.map(({ handle }) => `/traders/${encodeURIComponent(handle)}`),
        ...tokens.body.tokens.map(({ token, network }) => `/tokens/${token.address}?networkId=${network}`),
      ];
      for (let round = 0; round < factor; round++)
        for (const path of paths) {
          tried++;
          const { page, errors: seen, close } = await watchedPage(browser, live.url);
          page.on("dialog", (dialog) => {
            errors.push(`${path} opened a dialog`);
            void dialog.dismiss();
          });
          await page.goto(live.url + path);
          await page.locator("#app[data-live]").waitFor();
          noting(errors)(!(await page.evaluate("'broken' in window")), `${path} ran a name`);
          noting(errors)(
            (await page.locator('img[src="x"], svg[onload]').count()) === 0,
            `${path} made an element`,
          );
          for (const one of seen) errors.push(`${path}: ${one}`);
          await close();
        }
    } finally {
      await browser.close();
      await live.stop();
      await renaming.stop();
    }
    return { tried, errors };
  },
};
