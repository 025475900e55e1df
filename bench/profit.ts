// P1: one profit on every route. For traders of the default world, soon after a cold start, later, and after a restart: how
// many figures differ between two routes by more than a cent. The clock is advanced instead of waiting; exits with 1 on a
// difference. Run: bun bench/profit.ts [--quick]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MINUTE_MS, SECOND_MS } from "../kit/units.ts";
import { readConfig } from "../service/config.ts";
import { type LiveService, startLiveService } from "../test/support/live-service.ts";
import { compareProfits, type ProfitAgreement, someTraders } from "../test/support/profit-agreement.ts";
import { figure } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";

const TRADERS = 200;
const TRADERS_QUICK = 30;
const SHOWN_DIFFERENCES = 10;

const { simulator: DEFAULT_WORLD } = readConfig({});

const MOMENTS = [
  ["30 s after a cold start", 30 * SECOND_MS],
  ["2 min after", 2 * MINUTE_MS],
  ["10 min after", 10 * MINUTE_MS],
] as const;

interface Compared extends ProfitAgreement {
  when: string;
}

await suite(async ({ quick }): Promise<Measured> => {
  const wanted = quick ? TRADERS_QUICK : TRADERS;
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-profit-"));
  const compared: Compared[] = [];
  const compare = async (live: LiveService, when: string) => {
    compared.push({ when, ...(await compareProfits(live, await someTraders(live, wanted))) });
    console.log(`${when}: ${compared.at(-1)?.pairs} pairs, ${compared.at(-1)?.different.length} different`);
  };

  const live = await startLiveService({ ...DEFAULT_WORLD, folder });
  live.clock.hold();
  const startedAt = live.clock.now();
  for (const [when, afterMs] of MOMENTS) {
    live.clock.push(startedAt + afterMs - live.clock.now());
    await compare(live, when);
  }
  const stoppedAt = live.clock.now();
  await live.stop();
  const again = await startLiveService({ ...DEFAULT_WORLD, folder, startsAt: stoppedAt + SECOND_MS });
  again.clock.hold();
  await compare(again, "after a restart");
  await again.stop();
  rmSync(folder, { recursive: true, force: true });
  return outcomeOf(compared, wanted);
});

function outcomeOf(compared: readonly Compared[], traders: number): Measured {
  const all = (count: (each: Compared) => number) => compared.reduce((sum, each) => sum + count(each), 0);
  const different = compared.flatMap((each) => each.different.map((one) => ({ when: each.when, ...one })));
  const refused = compared.flatMap((each) => each.refused);
  return {
    findings: [
      {
        bar: "no two figures of one trader and window more than a cent apart",
        result: `${different.length} of ${figure(
          all((each) => each.pairs),
          0,
        )} pairs`,
        met: different.length === 0,
        mustHold: true,
      },
      {
        bar: "every answer is complete",
        result: `${figure(
          all((each) => each.complete),
          0,
        )} of ${figure(
          all((each) => each.answers),
          0,
        )}`,
        met: all((each) => each.answers - each.complete) === 0,
      },
    ],
    tables: [
      {
        title: `${traders} traders × 4 windows on the default world: what each place says, compared with \`/pnl\` at one \`asOf\``,
        columns: [
          "when",
          "windows",
          "ranked",
          "pairs",
          "more than a cent apart",
          "largest, $",
          "complete answers",
        ],
        rows: compared.map((each) => [
          each.when,
          each.windows,
          each.ranked,
          each.pairs,
          each.different.length,
          each.apartUsdMax.toExponential(1),
          `${each.complete} of ${each.answers}`,
        ]),
      },
    ],
    notes: [
      `Seed: ${DEFAULT_WORLD.seed}; as of ${compared.map(({ asOf }) => asOf).join(", ")}.`,
      ...(refused.length > 0 ? [`${refused.length} traders were left out: ${refused[0]}.`] : []),
      ...different
        .slice(0, SHOWN_DIFFERENCES)
        .map(
          ({ when, handle, window, place, says, expected }) =>
            `${when}, ${handle}, ${window}: ${place} says ${says} and not ${expected}.`,
        ),
    ],
  };
}
