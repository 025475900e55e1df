// S19: the board of traders worth following, for the 2,000 traders of the default world: the total processor time, first with
// a tape that has to be requested, then with a cached one; and how long it holds the thread. Run: bun bench/copy-board.ts
// [--quick]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { HOUR_MS } from "../kit/units.ts";
import { createBoardWork } from "../service/api/copy/board.ts";
import { readConfig } from "../service/config.ts";
import { openStore } from "../service/store/store.ts";
import { inProcessUpstream } from "../service/upstream/in-process.ts";
import { openSimulator } from "../simulator/open.ts";
import { figure } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";
import { heldBy, turnsOf } from "./kit/turns.ts";

const STARTS_AT = Date.UTC(2026, 4, 9, 17, 41, 12);
const TRADERS_QUICK = 200;
const TRADERS = 2_000;
const CPU_SECONDS_MAX = 60;
const HELD_MS_MAX = 20;

interface Pass {
  traders: number;
  cpuSeconds: number;
  heldMs: number;
  /** The longest computing time of one turn. */
  computedMs: number;
}

await suite(async ({ quick }): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-copy-board-"));
  const clock = manualClock(STARTS_AT);
  const log = createLog("silent", clock.now);
  const config = readConfig({});
  const simulator = await openSimulator({ ...config.simulator, dataFolder: null, clock });
  const upstream = inProcessUpstream(simulator, { clock, log });
  const store = await openStore({
    location: { file: join(folder, "store.sqlite") },
    clock,
    log,
  });
  const tradersMax = quick ? TRADERS_QUICK : TRADERS;
  const { tapeBytesMax } = config;
  const board = createBoardWork({
    upstream,
    store,
    clock,
    log,
    tapeBytesMax,
    tradersMax,
    isWriting: () => true,
  });
  const signal = new AbortController().signal;
  const nextDue = () => store.copyBoard.nextDue(clock.now());
  const pass = async (): Promise<Pass> => {
    await board.enter(signal);
    let [traders, cpuSeconds] = [0, 0];
    const { longest, computedMs } = await turnsOf(async () => {
      for (let userId = await nextDue(); userId !== null; userId = await nextDue()) {
        const before = process.cpuUsage();
        await board.replay(userId, signal);
        const { user, system } = process.cpuUsage(before);
        cpuSeconds += (user + system) / 1e6;
        traders += 1;
      }
    });
    return { traders, cpuSeconds, heldMs: heldBy(longest), computedMs };
  };
  try {
    const cold = await pass();
    await clock.jump(7 * HOUR_MS);
    const warm = await pass();
    return report(cold, warm, (await store.copyBoard.ranked("30d", tradersMax)).length);
  } finally {
    await store.close();
    await upstream.close();
    await simulator.close();
    rmSync(folder, { recursive: true });
  }
});

function report(cold: Pass, warm: Pass, ranked: number): Measured {
  const row = (what: string, { traders, cpuSeconds, heldMs, computedMs }: Pass) => [
    what,
    traders,
    figure(cpuSeconds, 1),
    figure((1_000 * cpuSeconds) / traders, 1),
    figure(heldMs, 1),
    figure(computedMs, 1),
  ];
  const heldMs = Math.max(cold.heldMs, warm.heldMs);
  const computedMs = Math.max(cold.computedMs, warm.computedMs);
  return {
    findings: [
      {
        bar: `the board of ${TRADERS.toLocaleString("en")} traders takes at most ${CPU_SECONDS_MAX} s of processor time`,
        result: `${figure(warm.cpuSeconds, 1)} s with the tape at hand, ${figure(cold.cpuSeconds, 1)} s with one that has to be asked for`,
        met: Math.max(cold.cpuSeconds, warm.cpuSeconds) <= CPU_SECONDS_MAX,
      },
      {
        bar: `and holds the thread for at most ${HELD_MS_MAX} ms`,
        result: `${figure(heldMs, 1)} ms; no turn computed for more than ${figure(computedMs, 1)} ms`,
        met: heldMs <= HELD_MS_MAX,
      },
    ],
    tables: [
      {
        title: `The default world, three windows of each trader; ${ranked} of them had something to copy in 30 days`,
        columns: [
          "tape",
          "traders",
          "CPU s",
          "CPU ms a trader",
          "thread held at most, ms",
          "a turn computed at most, ms",
        ],
        rows: [row("asked of the simulator", cold), row("from the store, and the newest hours", warm)],
      },
    ],
    notes: [
      "Held counts waiting, also for the collector's own threads, which on a busy machine wait for a core; computing is this thread's own.",
      "The simulator is in the same process: what it takes to make ticks again from its seed is counted, too.",
    ],
  };
}
