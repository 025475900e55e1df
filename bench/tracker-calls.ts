// S15: the number of calls per chain. A stand-in produces a block every two seconds without any activity of the roster, and
// counts the EVM reader's calls as providers bill them. Time passes faster for both, so a minute takes seconds. Run: bun
// bench/tracker-calls.ts [--quick]
import { type Clock, systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { createMetrics } from "../kit/metrics.ts";
import { seededRandom } from "../kit/random.ts";
import { DAY_MS, MINUTE_MS } from "../kit/units.ts";
import { evmChain } from "../tracker/evm/chains.ts";
import { createEvmReader } from "../tracker/evm/reader.ts";
import { createReaderMetrics } from "../tracker/reader-metrics.ts";
import { createRpcClient, createRpcMetrics } from "../tracker/rpc/client.ts";
import { createMemorySink } from "../tracker/test-sink.ts";
import { type QuietChain, serveQuietChain } from "./kit/quiet-chain.ts";
import { type Measured, suite } from "./kit/suite.ts";

const BAR_IDLE_CALLS = 100;
const BAR_BACKFILL_CALLS = 10_000;
const BLOCK_MS = 2_000;
const BASE_CHAIN_ID = 8453;
/** The defaults for Base. */
const READER = { finality: 8, pollMs: 2_000, gapMs: 250, reviewMs: MINUTE_MS };
const HISTORY_DAYS = 30;
/** Traders' histories are read in groups of this many wallets. */
const GROUP_WALLETS = 100;
const HURRY = 10;

function hurriedClock(): Clock {
  const clock = systemClock();
  const start = clock.now();
  return {
    now: () => start + (clock.now() - start) * HURRY,
    sleep: (milliseconds, signal) => clock.sleep(milliseconds / HURRY, signal),
  };
}

const walletsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `0x${(at + 1).toString(16).padStart(40, "0")}`);

async function withReader<T>(
  wallets: readonly string[],
  news: "asked" | "heard",
  work: (reader: ReturnType<typeof createEvmReader>, chain: QuietChain, clock: Clock) => Promise<T>,
): Promise<T> {
  const clock = hurriedClock();
  const chain = serveQuietChain(clock, BLOCK_MS);
  const metrics = createMetrics();
  const watched = new Set(wallets);
  const reader = createEvmReader({
    ...READER,
    chain: evmChain(BASE_CHAIN_ID),
    rpc: createRpcClient({
      chain: "base",
      urls: [chain.url],
      clock,
      random: seededRandom("rpc"),
      metrics: createRpcMetrics(metrics),
      callsPerSecondMax: 100_000,
    }),
    webSocketUrl: news === "heard" ? chain.webSocketUrl : null,
    sink: createMemorySink().connect(),
    watch: { wallets: () => watched, pools: () => new Set(), onChange: () => () => {} },
    clock,
    random: seededRandom("reader"),
    log: createLog("silent", clock.now),
    metrics: createReaderMetrics(metrics)("base"),
  });
  try {
    reader.start();
    return await work(reader, chain, clock);
  } finally {
    await reader.stop();
    await chain.stop();
  }
}

function idleCalls(wallets: number, minutes: number, news: "asked" | "heard"): Promise<number> {
  return withReader(walletsOf(wallets), news, async (reader, chain, clock) => {
    while (reader.status().lagMs !== 0) await clock.sleep(BLOCK_MS);
    const before = chain.calls();
    const startedAt = clock.now();
    await clock.sleep(minutes * MINUTE_MS);
    return ((chain.calls() - before) * MINUTE_MS) / (clock.now() - startedAt);
  });
}

/** The history of one group of wallets without any activity; the few calls for new blocks meanwhile are counted too. */
function backfillCalls(): Promise<number> {
  return withReader([], "asked", async (reader, chain, clock) => {
    while (reader.status().lagMs !== 0) await clock.sleep(BLOCK_MS);
    const before = chain.calls();
    await reader.backfill({
      wallets: walletsOf(GROUP_WALLETS),
      sinceMs: clock.now() - HISTORY_DAYS * DAY_MS,
      name: "past",
    });
    return chain.calls() - before;
  });
}

await suite(async ({ quick }): Promise<Measured> => {
  const minutes = quick ? 2 : 5;
  const idle: [number, number, number][] = [];
  for (const wallets of [10, 100, 1_000])
    idle.push([
      wallets,
      await idleCalls(wallets, minutes, "asked"),
      await idleCalls(wallets, minutes, "heard"),
    ]);
  const worst = Math.max(...idle.map(([, calls]) => calls));
  const worstHeard = Math.max(...idle.map(([, , calls]) => calls));
  const perGroup = await backfillCalls();
  const past = (1_000 / GROUP_WALLETS) * perGroup;
  return {
    findings: [
      {
        bar: `idle on a chain of 2 s blocks, up to 1,000 wallets: at most ${BAR_IDLE_CALLS} calls a minute`,
        result: `${worst.toFixed(0)} calls a minute, ${worstHeard.toFixed(0)} with a WebSocket`,
        met: worst <= BAR_IDLE_CALLS,
      },
      {
        bar: `30 days of 1,000 wallets at ranges of 10,000 blocks: at most ${BAR_BACKFILL_CALLS.toLocaleString("en-US")} calls`,
        result: `${past.toLocaleString("en-US")} calls where nothing was traded; each block with a trade takes four or more on top`,
        met: past <= BAR_BACKFILL_CALLS,
      },
    ],
    tables: [
      {
        title: "Calls a minute while nothing happens",
        columns: ["wallets", "calls a minute", "with a WebSocket, heads that it tells of included"],
        rows: idle.map(([wallets, calls, heard]) => [wallets, calls.toFixed(1), heard.toFixed(1)]),
      },
    ],
    notes: [
      "The reader's own calls. The coin's price comes on top: on Base, with a feed and one pool, four calls a minute by the code.",
    ],
  };
});
