// S13: the explorer in the machine's Chromium, on the product as `npm start` runs it: when home shows its content in a fresh
// browser context, and the tape at 200 events a second for a minute: frames, the page's thread, memory. Run: bun bench/tape.ts
// [--quick]
import type { Browser } from "playwright-core";
import { launchBrowser, weighLoad } from "../test/support/browser.ts";
import { watchStrangers } from "./kit/machine.ts";
import { withProduct } from "./kit/product.ts";
import { figure, interleaved, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";

const EVENTS_PER_SECOND = 200;
const TAPE_SECONDS = { full: 60, quick: 10 };
const LONG_FRAME_MS = 50;
/** Three screen refreshes are 50 ms, and are measured as slightly more. */
const FRAME_SLACK_MS = 1;
const CONTENT_WITHIN_MS = 1_000;
const HOME_KB_MAX = 120;
/** By then it has read its world, and its own work no longer takes frames. */
const SETTLED_MS = 30_000;
const VIEWPORT = { width: 1440, height: 900 };

/** Runs in the page: a socket that sends made-up trades at a steady pace, and a frame monitor. */
const busySocket = `(() => {
  // Fast until the tape is full, then at the pace that is measured.
  let seq = 10000000;
  window.sent = 0;
  window.frames = [];
  window.tasks = [];
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.tasks.push(entry.duration); }).observe({ type: "longtask" });
  let last = performance.now();
  const look = (at) => { window.frames.push(at - last); last = at; requestAnimationFrame(look); };
  requestAnimationFrame(look);
  window.WebSocket = class extends EventTarget {
    constructor() {
      super();
      setTimeout(() => {
        this.onopen?.();
        const say = (frame) => this.onmessage?.({ data: JSON.stringify(frame) });
        say({ type: "welcome", stream: "alerts", realtime: true, delaySeconds: 0, heartbeatSeconds: 20, plan: "keyless", filter: {}, seq: 1, epoch: "bench", oldestSeq: 1, note: null });
        setInterval(() => { for (let n = 0; n < (window.sent < 7000 ? 50 : ${EVENTS_PER_SECOND / 50}); n++) { seq++; window.sent++; say({ type: "alert", id: "a" + seq, seq, eventId: null, alertType: seq % 2 ? "buy" : "sell", source: "feed", trader: "trader_" + seq % 900, displayName: "T", userId: null, tradeId: null, token: "TOK" + seq % 300, tokenAddress: "0x" + String(seq % 300).padStart(40, "0"), chainId: 8453, chain: "base", text: null, ts: Date.now(), fillUsd: seq % 4000, priceUsd: 0.0042, realizedPnlUsdDelta: seq % 2 ? null : 12 }); } }, 20);
      });
    }
    close() {}
  };
})()`;

interface FirstLook {
  contentMs: number;
  lcpMs: number;
  kilobytes: number;
}

/** Home in a fresh context: nothing cached, no connection open. */
async function firstLook(browser: Browser, url: string): Promise<FirstLook> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const bytes = await weighLoad(page, `${url}/`, ".tape-row");
  const [contentMs = Number.NaN, lcpMs = Number.NaN] = (await page.evaluate(`new Promise((done) => {
    const content = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    new PerformanceObserver((list) => done([content, list.getEntries().at(-1)?.startTime])).observe({ type: "largest-contentful-paint", buffered: true });
  })`)) as number[];
  await context.close();
  return { contentMs, lcpMs, kilobytes: bytes / 1_024 };
}

/** The tape at a steady, fast pace. */
async function busyTape(browser: Browser, url: string, seconds: number) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  await page.addInitScript(busySocket);
  await page.goto(`${url}/tape`);
  await page.locator("[data-seq]").first().waitFor();
  const devtools = await context.newCDPSession(page);
  const heapMb = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    return ((await devtools.send("Runtime.getHeapUsage")) as { usedSize: number }).usedSize / 2 ** 20;
  };
  // By thread time: time taken by other processes does not count.
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const busySeconds = async () => {
    const { metrics } = (await devtools.send("Performance.getMetrics")) as {
      metrics: { name: string; value: number }[];
    };
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  // Full, so that any growth from here on would be unbounded growth.
  while (!(await page.evaluate("window.sent >= 7000"))) await Bun.sleep(100);
  const heapBefore = await heapMb();
  const busyBefore = await busySeconds();
  const judge = watchStrangers();
  await page.evaluate("window.frames.length = window.tasks.length = 0");
  await Bun.sleep(seconds * 1_000);
  const busy = (await busySeconds()) - busyBefore;
  const frames = ((await page.evaluate("window.frames.slice()")) as number[]).sort((a, b) => a - b);
  const tasks = (await page.evaluate("window.tasks.slice()")) as number[];
  const disturbed = judge();
  const elements = Number(await page.evaluate("document.querySelectorAll('*').length"));
  const heapAfter = await heapMb();
  await context.close();
  return { frames, tasks, heapBefore, heapAfter, elements, disturbed, busyMs: (busy * 1_000) / seconds };
}

await suite(async ({ quick, rounds }): Promise<Measured> => {
  const seconds = TAPE_SECONDS[quick ? "quick" : "full"];
  const browser = await launchBrowser();
  const { looks, tape } = await withProduct(SETTLED_MS, async (url) => ({
    looks: await interleaved([{ name: "home", measure: () => firstLook(browser, url) }], rounds),
    tape: await busyTape(browser, url, seconds),
  })).finally(() => browser.close());
  const of = (what: keyof FirstLook) => spreadOf(looks.kept.map((round) => round.home?.[what] ?? Number.NaN));
  const { frames, tasks } = tape;
  const at = (share: number) => frames[Math.min(frames.length - 1, Math.floor(frames.length * share))] ?? 0;
  const long = frames.filter((ms) => ms > LONG_FRAME_MS + FRAME_SLACK_MS).length;
  return {
    findings: [
      {
        bar: `home shows its content within ${figure(CONTENT_WITHIN_MS / 1_000, 0)} s, with nothing cached`,
        result: `${spreadText(of("contentMs"), 0)} ms`,
        met: of("contentMs").median <= CONTENT_WITHIN_MS,
      },
      {
        bar: `home's first load is at most ${HOME_KB_MAX} KB`,
        result: `${figure(of("kilobytes").high, 0)} KB`,
        met: of("kilobytes").high <= HOME_KB_MAX,
      },
      {
        bar: `the tape at ${EVENTS_PER_SECOND} events/s: no frame over ${LONG_FRAME_MS} ms`,
        result: `${long} of ${figure(frames.length, 0)}; the longest ${figure(at(1), 0)} ms`,
        met: long === 0,
        cause: `${tasks.length} tasks of the page took longer than that (the browser also waits for the machine: this one paints without a GPU).`,
      },
      {
        bar: "and its memory does not grow once it is full",
        result: `${figure(tape.heapBefore, 1)} MB, ${seconds} s later ${figure(tape.heapAfter, 1)} MB`,
        met: tape.heapAfter <= tape.heapBefore * 1.25 + 1,
      },
    ],
    tables: [
      {
        title: "Home in an empty browser, ms",
        columns: ["first content", "largest content", "KB that travelled"],
        rows: [[spreadText(of("contentMs"), 0), spreadText(of("lcpMs"), 0), spreadText(of("kilobytes"), 0)]],
      },
      {
        title: `The tape, ${EVENTS_PER_SECOND} events a second for ${seconds} s`,
        columns: [
          "frames",
          "p50 ms",
          "p99 ms",
          "longest ms",
          "tasks over 50 ms",
          "ms of CPU a second",
          "elements",
        ],
        rows: [
          [
            frames.length,
            figure(at(0.5), 1),
            figure(at(0.99), 1),
            figure(at(1), 1),
            tasks.length,
            figure(tape.busyMs, 0),
            tape.elements,
          ],
        ],
      },
    ],
    notes: [
      ...looks.notes,
      ...(tape.disturbed === null ? [] : [`the tape was disturbed: ${tape.disturbed}`]),
    ],
  };
});
