// `bun bench/tape.ts [--quick]`: the explorer's tape at 200 events a second for a minute, in the machine's Chromium: how
// long frames take, how many are long, and what it holds in memory. Run on its own; the whole bench does not need a browser.
import { launchBrowser } from "../test/support/browser.ts";
import { startLiveService } from "../test/support/live-service.ts";

const EVENTS_PER_SECOND = 200;
const SECONDS = process.argv.includes("--quick") ? 10 : 60;
const LONG_FRAME_MS = 50;

/** In the page: a socket that tells of made-up trades at a steady pace, and a look at every frame. */
const busySocket = `(() => {
  let seq = 10000000;
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
        setInterval(() => { for (let n = 0; n < ${EVENTS_PER_SECOND / 50}; n++) { seq++; say({ type: "alert", id: "a" + seq, seq, eventId: null, alertType: seq % 2 ? "buy" : "sell", source: "feed", trader: "trader_" + seq % 900, displayName: "T", userId: null, tradeId: null, token: "TOK" + seq % 300, tokenAddress: "0x" + String(seq % 300).padStart(40, "0"), chainId: 8453, chain: "base", text: null, ts: Date.now(), fillUsd: seq % 4000, priceUsd: 0.0042, realizedPnlUsdDelta: seq % 2 ? null : 12 }); } }, 20);
      });
    }
    close() {}
  };
})()`;

const live = await startLiveService({ traders: 20, historyDays: 1 });
const browser = await launchBrowser();
try {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.addInitScript(busySocket);
  await page.goto(`${live.url}/tape`);
  await page.locator("[data-seq]").first().waitFor();
  const devtools = await page.context().newCDPSession(page);
  const heapMb = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    return (
      ((await devtools.send("Runtime.getHeapUsage")) as { usedSize: number }).usedSize /
      2 ** 20
    ).toFixed(1);
  };
  // By the thread's own time: what a busy machine takes away from it does not count.
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const busySeconds = async () => {
    const { metrics } = (await devtools.send("Performance.getMetrics")) as {
      metrics: { name: string; value: number }[];
    };
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  const before = await heapMb();
  const busyBefore = await busySeconds();
  await page.evaluate("window.frames.length = window.tasks.length = 0");
  await Bun.sleep(SECONDS * 1_000);
  const busy = (await busySeconds()) - busyBefore;
  const frames = ((await page.evaluate("window.frames")) as number[]).sort((a, b) => a - b);
  const at = (share: number) =>
    (frames[Math.min(frames.length - 1, Math.floor(frames.length * share))] ?? 0).toFixed(1);
  console.table({
    "events a second": EVENTS_PER_SECOND,
    seconds: SECONDS,
    frames: frames.length,
    "frame p50 ms": at(0.5),
    "frame p99 ms": at(0.99),
    "frame max ms": at(1),
    [`frames over ${LONG_FRAME_MS} ms`]: frames.filter((ms) => ms > LONG_FRAME_MS).length,
    "main thread busy, ms of CPU a second": ((busy * 1_000) / SECONDS).toFixed(1),
    "CPU ms for one of ten drawings a second": ((busy * 100) / SECONDS).toFixed(1),
    // What the page's own thread was held for, by the wall; frames also wait for the machine to paint.
    "tasks over 50 ms": (await page.evaluate("window.tasks.length")) as number,
    "longest task ms": Math.max(0, ...((await page.evaluate("window.tasks")) as number[])),
    "heap before, MB": before,
    "heap after, MB": await heapMb(),
    "elements on the page": await page.evaluate("document.querySelectorAll('*').length"),
  });
} finally {
  await browser.close();
  await live.stop();
}
process.exit(0);
