// P3: one profit on a real EVM chain. People buy, sell, swap token for token and give tokens away over five weeks, one of the
// tokens charges a transfer tax, some people trade from two wallets; every route's answer is compared with books kept by hand.
// Exits with 1 on a difference. Run: bun bench/profit-chain.ts [--quick]
import { type ChainStory, tellChainStory } from "../test/support/chain-story.ts";
import { figure } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";

const TRADERS = 20;
const SEEDS = ["one", "two", "three"];
const ROUNDS = 2;
const SHOWN_DIFFERENCES = 10;

await suite(async ({ quick }): Promise<Measured> => {
  const stories: (ChainStory & { seed: string })[] = [];
  for (const seed of quick ? SEEDS.slice(0, 1) : SEEDS) {
    stories.push({ seed, ...(await tellChainStory(seed, TRADERS, quick ? 1 : ROUNDS)) });
    console.log(`seed ${seed}: ${stories.at(-1)?.figures} figures, ${stories.at(-1)?.wrong.length} wrong`);
  }
  const all = (count: (each: ChainStory) => number) => stories.reduce((sum, each) => sum + count(each), 0);
  const wrong = stories.flatMap((each) => [...each.wrong, ...each.agreement.different]);
  const refused = stories.flatMap(({ agreement }) => agreement.refused);
  return {
    findings: [
      {
        bar: "no figure more than a cent from the books kept by hand",
        result: `${all((each) => each.wrong.length)} of ${figure(
          all((each) => each.figures),
          0,
        )}`,
        met: all((each) => each.wrong.length) === 0 && refused.length === 0,
        mustHold: true,
      },
      {
        bar: "no two figures of one trader and window more than a cent apart",
        result: `${all(({ agreement }) => agreement.different.length)} of ${figure(
          all(({ agreement }) => agreement.pairs),
          0,
        )} pairs`,
        met: all(({ agreement }) => agreement.different.length) === 0,
        mustHold: true,
      },
    ],
    tables: [
      {
        title: `${TRADERS} traders × 4 windows on an EVM chain (hardhat, Uniswap V2), most of it read as their past`,
        columns: [
          "seed",
          "transactions",
          "windows",
          "figures",
          "wrong",
          "pairs of routes",
          "more than a cent apart",
          "without a price",
          "complete answers",
        ],
        rows: stories.map(({ seed, actions, figures, unpriced, agreement, wrong: found }) => [
          seed,
          actions,
          agreement.windows,
          figures,
          found.length,
          agreement.pairs,
          agreement.different.length,
          unpriced,
          `${agreement.complete} of ${agreement.answers}`,
        ]),
      },
    ],
    notes: [
      "Answers are incomplete where a token has no price when a window begins; both books then leave the position out.",
      ...refused.slice(0, 1),
      ...wrong
        .slice(0, SHOWN_DIFFERENCES)
        .map(
          ({ handle, window, place, says, expected }) =>
            `${handle}, ${window}: ${place} says ${says} and not ${expected}.`,
        ),
    ],
  };
});
