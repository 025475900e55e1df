// S13b: every page in the machine's Chromium, on the product as `npm start` runs it, on a desktop and on a phone: bytes
// transferred until it is quiet, first contentful paint, layout shift while it loads and is scrolled, the longest frame
// meanwhile, and axe's findings. Run: bun bench/site.ts [--quick]
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, watchedPage } from "../test/support/browser.ts";
import { type NamedPage, SITE_PAGES, type SitePlaces } from "../test/support/site-pages.ts";
import { watchStrangers } from "./kit/machine.ts";
import { withProduct } from "./kit/product.ts";
import { figure, spreadOf } from "./kit/rounds.ts";
import { type BarFinding, type Measured, type ResultTable, suite } from "./kit/suite.ts";

const WIDTHS = [1_440, 390] as const;
const HEIGHT = 900;
const ROUNDS = { full: 3, quick: 1 };
const HOME_KB_MAX = 120;
const SHIFT_MAX = 0.1;
const CONTENT_MS_MAX = 1_000;
/** By then it has read its world, and its own work no longer takes frames. */
const SETTLED_MS = 30_000;
/** Some pages never stop polling. */
const QUIET_MS_MAX = 10_000;
const SCROLLS_MAX = 15;
/** All of WCAG 2.2 AA, and axe's best practices: landmarks, the order of headings. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Runs in the page, from the start. Shifts after a click are expected; scrolling is not a click. */
const WATCHED = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts.push([startTime, value]);
  }).observe({ type: "layout-shift", buffered: true });
  window.slowestFrame = 0;
  let last = null;
  const look = (at) => { if (last !== null) window.slowestFrame = Math.max(window.slowestFrame, at - last); last = at; requestAnimationFrame(look); };
  new PerformanceObserver((list) => { if (list.getEntriesByName("first-contentful-paint").length > 0) requestAnimationFrame(look); }).observe({ type: "paint", buffered: true });
`;

interface Visit {
  kilobytes: number;
  requests: number;
  contentMs: number;
  shift: number;
  frameMs: number;
}

interface Found extends Visit {
  name: string;
  width: number;
  /** Violated rules, with their counts. */
  broken: string[];
}

/** As browsers add them up: the worst five seconds without a second of rest in between. */
function worstShift(shifts: readonly (readonly [number, number])[]): number {
  let [worst, sum, from, last] = [0, 0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [at, value] of shifts) {
    if (at - last > 1_000 || at - from > 5_000) [sum, from] = [0, at];
    [sum, last] = [sum + value, at];
    worst = Math.max(worst, sum);
  }
  return worst;
}

/** Including headers, in bytes on the wire. */
async function countTraffic(page: Page): Promise<{ bytes: number; requests: number }> {
  const traffic = { bytes: 0, requests: 0 };
  const devtools = await page.context().newCDPSession(page);
  devtools.on("Network.requestWillBeSent", ({ request }) => {
    if (request.url.startsWith("http")) traffic.requests += 1;
  });
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    traffic.bytes += encodedDataLength;
  });
  await devtools.send("Network.enable");
  return traffic;
}

async function visit(page: Page, url: string, { ready }: NamedPage): Promise<Visit> {
  await page.addInitScript(WATCHED);
  const traffic = await countTraffic(page);
  await page.goto(url);
  await page.locator(ready).first().waitFor();
  await page.waitForLoadState("networkidle", { timeout: QUIET_MS_MAX }).catch(() => {});
  const { bytes, requests } = { ...traffic };
  const scrolls = Math.min(
    SCROLLS_MAX,
    Math.ceil(Number(await page.evaluate("document.documentElement.scrollHeight")) / HEIGHT),
  );
  await page.mouse.move(100, HEIGHT / 2);
  for (let n = 0; n < scrolls; n++) {
    await page.mouse.wheel(0, HEIGHT);
    await page.evaluate("new Promise((done) => setTimeout(done, 150))");
  }
  // Instant scrolling: otherwise axe would check the reference mid-scroll, with links half under the sticky bar.
  await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
  const seen = (await page.evaluate(
    `({ shifts: window.shifts, frameMs: window.slowestFrame, contentMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN })`,
  )) as { shifts: [number, number][]; frameMs: number; contentMs: number };
  return {
    kilobytes: bytes / 1_024,
    requests,
    contentMs: seen.contentMs,
    shift: worstShift(seen.shifts),
    frameMs: seen.frameMs,
  };
}

async function brokenRules(page: Page): Promise<string[]> {
  // Axe treats content that is not rendered as having no size and no colour.
  await page.addStyleTag({ content: "* { content-visibility: visible !important }" });
  await page.evaluate(axe.source);
  const options = { runOnly: RULES, resultTypes: ["violations"], preload: false, iframes: false };
  const found = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as axe.Result[];
  for (const { id, nodes } of found)
    for (const { target, html } of nodes.slice(0, 3)) console.log(`  ${id}: ${target} ${html.slice(0, 160)}`);
  return found.map(({ id, nodes }) => `${id} × ${nodes.length}`);
}

/** Each visit uses a fresh browser context. */
async function look(
  browser: Browser,
  origin: string,
  { named, width, rounds, places, secret }: Looked,
): Promise<Found> {
  const visits: Visit[] = [];
  let broken: string[] = [];
  for (let round = 0; round < rounds; round++) {
    // The policy blocks any foreign script, even axe; bypassing it changes nothing else on the page.
    const watched = await watchedPage(browser, origin, {
      viewport: { width, height: HEIGHT },
      bypassCSP: true,
    });
    if (named.signedIn)
      await watched.page.addInitScript(`sessionStorage.setItem("crowdtape-key", ${JSON.stringify(secret)})`);
    visits.push(await visit(watched.page, origin + named.path(places), named));
    if (round === 0) broken = await brokenRules(watched.page);
    await watched.close();
  }
  const median = (what: keyof Visit) => spreadOf(visits.map((one) => one[what])).median;
  return {
    name: named.name,
    width,
    broken,
    kilobytes: median("kilobytes"),
    requests: median("requests"),
    contentMs: median("contentMs"),
    shift: median("shift"),
    frameMs: median("frameMs"),
  };
}

interface Looked {
  named: NamedPage;
  width: number;
  rounds: number;
  places: SitePlaces;
  secret: string;
}

/** Example subjects of this world, and a key obtained as anyone gets one. */
async function findPlaces(url: string): Promise<{ places: SitePlaces; secret: string }> {
  const form = new URLSearchParams({ email: "bench@example.com" });
  const answer = await fetch(`${url}/free-key`, { method: "POST", body: form, headers: { origin: url } });
  const secret = /ct_(?:live|test)_\w+/.exec(await answer.text())?.[0];
  if (secret === undefined) throw new Error("no free key was given");
  const ask = async (path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  const [leader] = (await ask("/v2/leaderboard/7d?limit=1")).traders;
  const [trend] = (await ask("/v2/leaderboard/tokens/trending?limit=1")).tokens;
  const [position] = (await ask(`/v2/users/${leader.handle}/positions?limit=1`)).positions;
  const { pageUrl } = await ask("/pay/create", { plan: "credits", amount: 5 });
  const payment = new URL(pageUrl);
  const places = {
    leader,
    token: trend.token,
    tradeId: position.tradeId,
    paymentPath: payment.pathname + payment.search,
  };
  return { places, secret };
}

function tableOf(width: number, found: readonly Found[]): ResultTable {
  return {
    title: `Every page at ${width} px, nothing cached`,
    columns: ["page", "KB", "requests", "first content, ms", "layout shift", "longest frame, ms", "axe"],
    rows: found
      .filter((one) => one.width === width)
      .map((one) => [
        one.name,
        figure(one.kilobytes, 0),
        one.requests,
        figure(one.contentMs, 0),
        figure(one.shift, 3),
        figure(one.frameMs, 0),
        one.broken.join(", ") || "clean",
      ]),
  };
}

function findingsOf(found: readonly Found[]): BarFinding[] {
  const held = (
    bar: string,
    what: keyof Visit,
    max: number,
    words: (value: number) => string,
  ): BarFinding => {
    const worst = found.reduce((a, b) => (b[what] > a[what] ? b : a));
    const over = found.filter((one) => !(one[what] <= max));
    const cause = over.map((one) => `${one.name} at ${one.width} px (${words(one[what])})`).join(", ");
    return { bar, result: `at most ${words(worst[what])} (${worst.name})`, met: over.length === 0, cause };
  };
  const unclean = found.filter(({ broken }) => broken.length > 0);
  const home = found.filter(({ name }) => name === "home");
  const heaviest = Math.max(...home.map(({ kilobytes }) => kilobytes));
  return [
    {
      bar: "axe finds nothing on any page, WCAG 2.2 AA and good practice, at both widths",
      result: `${found.length - unclean.length} of ${found.length} are clean`,
      met: unclean.length === 0,
      cause: unclean
        .map(({ name, width, broken }) => `${name} at ${width} px: ${broken.join(", ")}`)
        .join("; "),
    },
    {
      bar: `home weighs at most ${HOME_KB_MAX} KB`,
      result: `${figure(heaviest, 0)} KB`,
      met: heaviest <= HOME_KB_MAX,
    },
    held(`layout shift at most ${SHIFT_MAX} on every page`, "shift", SHIFT_MAX, (value) => figure(value, 3)),
    held(
      "first content within 1 s on every page",
      "contentMs",
      CONTENT_MS_MAX,
      (value) => `${figure(value, 0)} ms`,
    ),
  ];
}

await suite(async ({ quick }): Promise<Measured> => {
  const rounds = ROUNDS[quick ? "quick" : "full"];
  const browser = await launchBrowser();
  const work = async (url: string) => {
    const { places, secret } = await findPlaces(url);
    // The server's one-time work belongs to its start.
    for (const { path } of SITE_PAGES) await (await fetch(url + path(places))).arrayBuffer();
    const judge = watchStrangers();
    const found: Found[] = [];
    for (const width of WIDTHS)
      for (const named of SITE_PAGES) {
        console.log(`${named.name}, ${width} px`);
        found.push(await look(browser, url, { named, width, rounds, places, secret }));
      }
    return { found, disturbed: judge() };
  };
  // Each visit has its own IP address, so that earlier ones don't count towards its rate limit.
  const settings = { TRUSTED_PROXIES: "127.0.0.1/32" };
  const { found, disturbed } = await withProduct(SETTLED_MS, work, settings).finally(() => browser.close());
  return {
    findings: findingsOf(found),
    tables: WIDTHS.map((width) => tableOf(width, found)),
    notes: [
      `Median of ${rounds}; each visit waits until the page is quiet, then scrolls through it. A frame counts from the first content on; this browser paints without a GPU.`,
      ...(disturbed === null ? [] : [`the machine was disturbed: ${disturbed}`]),
    ],
  };
});
