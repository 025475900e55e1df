// Whether the counts of /risk identify accounts that trade against their followers, without flagging others, over ten seeds.
// Also writes its table into docs/replay.md. Run: bun bench/bait.ts [--quick]
import { isCaught, type JudgedTrader, judgeWorld } from "../test/support/bait.ts";
import { writeDocTable } from "./kit/doc-table.ts";
import { figure } from "./kit/rounds.ts";
import { type Measured, type ResultTable, suite } from "./kit/suite.ts";

const SEEDS = 10;
const SEEDS_QUICK = 2;
const WORLD = { traders: 200, days: 7, eventsPerSecond: 0.03, baiters: 3 };
/** Share of accounts that are not baiters. */
const FALSE_MAX = 0.05;

const PAGE = "replay.md";
const MARKS = { begin: "<!-- npm run bench -- bait -->", end: "<!-- end of bait -->" };

const baiters = (all: readonly JudgedTrader[]) => all.filter(({ isBait }) => isBait);
const others = (all: readonly JudgedTrader[]) => all.filter(({ isBait }) => !isBait);
const caught = (all: readonly JudgedTrader[]) => all.filter(isCaught).length;
const falseShare = (all: readonly JudgedTrader[]) => caught(others(all)) / others(all).length;
const percent = (share: number) => `${figure(share * 100, 1)} %`;

await suite(async ({ quick }): Promise<Measured> => {
  const rows: { seed: string; judged: JudgedTrader[] }[] = [];
  for (let seed = 1; seed <= (quick ? SEEDS_QUICK : SEEDS); seed++) {
    const name = `bait ${seed}`;
    const judged = await judgeWorld({ seed: name, ...WORLD });
    rows.push({ seed: name, judged });
    console.log(
      `${name}: ${caught(baiters(judged))} of ${baiters(judged).length}, ${percent(falseShare(judged))}`,
    );
  }
  const all = rows.flatMap(({ judged }) => judged);
  const table = tableOf(rows, all);
  if (!quick) await writeDocTable(PAGE, MARKS, table);
  const worst = Math.max(...rows.map(({ judged }) => falseShare(judged)));
  return {
    findings: [
      {
        bar: "every baiter is flagged",
        result: `${caught(baiters(all))} of ${baiters(all).length}`,
        met: caught(baiters(all)) === baiters(all).length,
        mustHold: true,
      },
      {
        bar: `at most ${percent(FALSE_MAX)} of the others are, in every world`,
        result: percent(worst),
        met: worst <= FALSE_MAX,
        mustHold: true,
      },
    ],
    tables: [table],
  };
});

function tableOf(
  rows: readonly { seed: string; judged: readonly JudgedTrader[] }[],
  all: readonly JudgedTrader[],
): ResultTable {
  const row = (seed: string, judged: readonly JudgedTrader[]) => [
    seed,
    `${caught(baiters(judged))} of ${baiters(judged).length}`,
    `${caught(others(judged))} of ${others(judged).length}`,
    percent(falseShare(judged)),
  ];
  return {
    title: `${WORLD.baiters} baiters among ${WORLD.traders} traders over ${WORLD.days} days, by seed`,
    columns: ["seed", "baiters flagged", "others flagged", "share of the others"],
    rows: [...rows.map(({ seed, judged }) => row(seed, judged)), row("all", all)],
  };
}
