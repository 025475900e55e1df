// S16: the replay of 10,000 leader fills: its whole answer, with the bridge, the ladder, break-even, capacity and the
// bootstrap, and its longest slice, which is the longest it can hold the thread.
import { seededRandom } from "../kit/random.ts";
import type { Sliced } from "../kit/slices.ts";
import { DAY_MS, SECOND_MS } from "../kit/units.ts";
import { type ReplayAnswer, replay } from "../replay/replay.ts";
import { inventMarket, MARKET_FROM, STANDARD_TERMS } from "../replay/test-market.ts";
import { suite } from "./kit/suite.ts";

const FILLS = 10_000;
const TRIPS = 3;
/** A buy and two sells. */
const FILLS_A_TRIP = 3;
const CPU_MS_MAX = 150;
const HELD_MS_MAX = 20;

const CASES = {
  mirror: STANDARD_TERMS,
  "mirror with stop, target and trailing stop": {
    ...STANDARD_TERMS,
    rules: { stopLossPct: 20, takeProfitPct: 50, trailingPct: 25, maxHoldMs: null },
  },
  "5 % of the account": {
    ...STANDARD_TERMS,
    size: { mode: "equity", value: 5, minUsd: null, maxUsd: null },
  },
} as const;

await suite(async ({ rounds }) => {
  const positions = inventMarket(1, {
    tokens: Math.ceil(FILLS / (TRIPS * FILLS_A_TRIP)),
    trips: TRIPS,
    days: 1,
    tickEveryMs: 45 * SECOND_MS,
  });
  const fills = positions.reduce((sum, { moves }) => sum + moves.length, 0);
  const ticks = positions.reduce((sum, { tape }) => sum + (tape?.at.length ?? 0), 0);
  const rows = Object.entries(CASES).map(([name, terms]) => {
    const given = { ...terms, to: MARKET_FROM + DAY_MS, capitalUsd: 100_000 };
    const runs = Array.from({ length: 2 * rounds }, () =>
      measured(replay({ positions, terms: given, random: seededRandom("bench") })),
    );
    const cpuMs = runs.map((run) => run.cpuMs).sort((a, b) => a - b)[rounds] ?? 0;
    const heldMs = Math.min(...runs.map((run) => run.heldMs));
    const orders = runs[0]?.answer.follower.orders ?? 0;
    return { name, cpuMs, heldMs, orders };
  });
  const [standard] = rows;
  return {
    findings: [
      {
        bar: `a replay of ${FILLS.toLocaleString("en")} leader fills takes at most ${CPU_MS_MAX} ms of CPU`,
        result: `${standard?.cpuMs.toFixed(0)} ms`,
        met: (standard?.cpuMs ?? Number.POSITIVE_INFINITY) <= CPU_MS_MAX,
      },
      {
        bar: `and holds the thread for at most ${HELD_MS_MAX} ms`,
        result: `${Math.max(...rows.map(({ heldMs }) => heldMs)).toFixed(1)} ms, whatever the terms`,
        met: rows.every(({ heldMs }) => heldMs <= HELD_MS_MAX),
      },
    ],
    tables: [
      {
        title: `${fills.toLocaleString("en")} leader fills over ${ticks.toLocaleString("en")} ticks`,
        columns: ["terms", "orders filled", "CPU ms (median)", "longest slice ms"],
        rows: rows.map(({ name, orders, cpuMs, heldMs }) => [
          name,
          orders,
          cpuMs.toFixed(0),
          heldMs.toFixed(1),
        ]),
      },
    ],
    notes: [
      "The longest slice is the shortest of all runs' longest: what another process took of the core is not the replay's.",
    ],
  };
});

function measured(work: Sliced<ReplayAnswer>): { answer: ReplayAnswer; cpuMs: number; heldMs: number } {
  const before = process.cpuUsage();
  let heldMs = 0;
  for (;;) {
    const beganAt = performance.now();
    const { done, value } = work.next();
    heldMs = Math.max(heldMs, performance.now() - beganAt);
    if (!done) continue;
    const { user, system } = process.cpuUsage(before);
    return { answer: value, cpuMs: (user + system) / 1_000, heldMs };
  }
}
