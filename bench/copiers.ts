// P6: what a replay predicts for a leader, compared with the profit of accounts that actually copy that leader in the
// simulated world, over 20 seeds. Also writes its table into docs/replay.md. Run: bun bench/copiers.ts [--quick]
import { type Prediction, predictCopiers, quantile } from "../test/support/copiers.ts";
import { writeDocTable } from "./kit/doc-table.ts";
import { figure } from "./kit/rounds.ts";
import { type Measured, type ResultTable, suite } from "./kit/suite.ts";

const SEEDS = 20;
const SEEDS_QUICK = 3;
const WORLD = { traders: 600, days: 7, eventsPerSecond: 0.07, copiers: 20 };
/** As a share of the turnover. */
const MEDIAN_MAX = 0.005;
const P95_MAX = 0.03;

const PAGE = "replay.md";
const MARKS = { begin: "<!-- npm run bench -- copiers -->", end: "<!-- end -->" };

const percent = (share: number) => `${figure(share * 100, 2)} %`;
const total = (all: readonly Prediction[], of: (each: Prediction) => number) =>
  all.reduce((sum, each) => sum + of(each), 0);

await suite(async ({ quick }): Promise<Measured> => {
  const rows: { seed: string; predictions: Prediction[] }[] = [];
  for (let seed = 1; seed <= (quick ? SEEDS_QUICK : SEEDS); seed++) {
    const name = `copiers ${seed}`;
    rows.push({ seed: name, predictions: await predictCopiers({ seed: name, ...WORLD }) });
    console.log(`${name}: median ${percent(errorAt(rows.at(-1)?.predictions ?? [], 0.5))}`);
  }
  const all = rows.flatMap(({ predictions }) => predictions);
  const table = tableOf(rows, all);
  if (!quick) await writeDocTable(PAGE, MARKS, table);
  return {
    findings: [
      {
        bar: `the median error is at most ${percent(MEDIAN_MAX)} of turnover`,
        result: percent(errorAt(all, 0.5)),
        met: errorAt(all, 0.5) <= MEDIAN_MAX,
        mustHold: true,
      },
      {
        bar: `19 of 20 errors are at most ${percent(P95_MAX)}`,
        result: percent(errorAt(all, 0.95)),
        met: errorAt(all, 0.95) <= P95_MAX,
        mustHold: true,
      },
    ],
    tables: [table],
  };
});

function errorAt(predictions: readonly Prediction[], share: number): number {
  return quantile(
    predictions.map(({ error }) => error),
    share,
  );
}

function tableOf(
  rows: readonly { seed: string; predictions: Prediction[] }[],
  all: Prediction[],
): ResultTable {
  const row = (seed: string, predictions: readonly Prediction[]) => [
    seed,
    predictions.length,
    figure(
      total(predictions, ({ orders }) => orders),
      0,
    ),
    figure(
      total(predictions, ({ turnoverUsd }) => turnoverUsd),
      0,
    ),
    figure(
      total(predictions, ({ earnedUsd }) => earnedUsd),
      0,
    ),
    figure(
      total(predictions, ({ predictedUsd }) => predictedUsd),
      0,
    ),
    percent(errorAt(predictions, 0.5)),
    percent(errorAt(predictions, 0.95)),
  ];
  return {
    title: `${WORLD.copiers} copiers over ${WORLD.days} days, by seed`,
    columns: [
      "seed",
      "copiers that traded",
      "orders",
      "turnover (USD)",
      "earned (USD)",
      "predicted (USD)",
      "median error",
      "19 of 20 within",
    ],
    rows: [...rows.map(({ seed, predictions }) => row(seed, predictions)), row("all", all)],
  };
}
