// Trading patterns that hurt followers: counts, next to how often others do the same.
import type { RiskAnswer, RiskCount } from "../src/generated.ts";
import { reading } from "./reading.ts";
import { type Column, table } from "./table.ts";
import * as unit from "./units.ts";

interface RiskRow extends RiskCount {
  what: string;
}

const NAMES: readonly (readonly [keyof RiskAnswer["counts"], string])[] = [
  ["quickDump", "half sold within 60 s"],
  ["soldIntoFollowers", "dollars sold right after others bought"],
  ["followersLeftHolding", "buys whose followers were left holding"],
  ["launchBlock", "buys in a pool's first two blocks"],
  ["sharedFunder", "early buyers with the same funder"],
  ["roundTrips", "flat days in a token"],
  ["winsWhileFollowersLose", "wins on which followers lose"],
];

const columns: Column<RiskRow>[] = [
  { head: "what", max: 60, value: ({ what }) => what },
  { head: "count", align: "right", value: ({ x }) => unit.count(Math.round(x)) },
  { head: "of", align: "right", value: ({ n }) => unit.count(Math.round(n)) },
  { head: "rate", align: "right", value: ({ rate }) => unit.share(rate) },
  { head: "at least", align: "right", value: ({ low90 }) => unit.share(low90) },
  { head: "others", align: "right", value: ({ rateOfAll }) => unit.share(rateOfAll) },
  { head: "flagged", value: ({ flagged }) => (flagged === null ? "?" : flagged ? "yes" : "no") },
];

export const risk = reading({
  usage: "risk @HANDLE",
  summary: "Trading patterns that hurt followers, next to how often others do it. 250 credits.",
  details: "",
  options: {},
  words: [1, 1],
  async run(run) {
    const answer = await run.client.getRisk({ handle: String(run.words[0]) });
    await run.show(answer, () => {
      const rows = NAMES.flatMap(([name, what]) => {
        const count = answer.counts[name];
        return count === null ? [] : [{ ...count, what }];
      });
      return table(rows, columns, run.paint);
    });
    for (const { count, reason } of answer.unknown) run.remark(`${count}: ${reason}`);
    if (answer.note) run.remark(answer.note);
  },
});
