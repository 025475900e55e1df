// What following a trader would have earned: the bridge from the leader's profit to the follower's, the same at other delays,
// and the account's curve as one line.
import type { CopyAnswer } from "../src/generated.ts";
import { reading } from "./reading.ts";
import { type Column, facts, table } from "./table.ts";
import { gain } from "./terminal.ts";
import * as unit from "./units.ts";
import { wholeNumber } from "./verb.ts";

interface BridgeStep {
  step: string;
  usd: number;
}

const bridgeColumns: Column<BridgeStep>[] = [
  { head: "step", max: 60, value: ({ step }) => step },
  { head: "USD", align: "right", value: ({ usd }) => unit.usd(usd), colour: ({ usd }) => gain(usd) },
];

const ladderColumns: Column<CopyAnswer["ladder"][number]>[] = [
  { head: "delay (s)", align: "right", value: ({ delaySeconds }) => unit.count(delaySeconds) },
  {
    head: "net (USD)",
    align: "right",
    value: ({ pnlUsd }) => unit.usd(pnlUsd),
    colour: ({ pnlUsd }) => gain(pnlUsd),
  },
  { head: "return", align: "right", value: ({ roi }) => shareText(roi) },
  { head: "by the tape", align: "right", value: ({ tape }) => shareText(tape) },
];

const shareText = (share: number | null) => unit.percent(share === null ? null : share * 100);

const BARS = "▁▂▃▄▅▆▇█";

/** The lowest point is the lowest bar, the highest the highest. */
export function sparkline(values: readonly number[]): string {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values
    .map((value) => BARS[span === 0 ? 0 : Math.round(((value - low) / span) * (BARS.length - 1))])
    .join("");
}

const bridgeSteps = ({ bridge, terms }: CopyAnswer): BridgeStep[] => [
  { step: `the leader's prices, $${terms.sizeUsd} an order`, usd: bridge.leaderUsd },
  { step: "orders that were skipped", usd: bridge.skippedUsd },
  { step: `${terms.delaySeconds} s later`, usd: bridge.delayUsd },
  { step: "own impact", usd: bridge.impactUsd },
  { step: "pool, bot and network", usd: bridge.feesUsd },
  { step: "net", usd: bridge.netUsd },
];

export const replay = reading({
  usage: "replay @HANDLE [--size USD] [--delay SECONDS] [--window 24h|7d|30d] [--exit mirror|firstSell]",
  summary: "What following a trader would have earned, and where the rest went. 250 credits.",
  details: [
    "  --size USD         dollars spent on each buy; 100 unless said",
    "  --capital USD      what the account starts with; 1000 unless said",
    "  --delay SECONDS    from the leader's fill to the follower's; 5 unless said",
    "  --window WINDOW    over which time: 24h, 7d or 30d (the usual)",
    "  --exit HOW         mirror sells the leader's share, firstSell everything at the first sell",
    "  --bot-fee BPS      what a bot takes of each order; 100 unless said",
  ].join("\n"),
  options: {
    size: { type: "string" },
    capital: { type: "string" },
    delay: { type: "string" },
    window: { type: "string" },
    exit: { type: "string" },
    "bot-fee": { type: "string" },
  },
  words: [1, 1],
  async run(run) {
    const { values } = run;
    const answer = await run.client.getCopy({
      handle: String(run.words[0]),
      window: (values.window ?? "30d") as "30d",
      size: wholeNumber("--size", values.size) ?? 100,
      capital: wholeNumber("--capital", values.capital) ?? 1_000,
      delay: wholeNumber("--delay", values.delay) ?? 5,
      exit: (values.exit ?? "mirror") as "mirror",
      botFeeBps: wholeNumber("--bot-fee", values["bot-fee"]) ?? 100,
    });
    await run.show(answer, () => {
      const { follower, leader } = answer;
      const figures = facts(
        [
          ["verdict", answer.verdict],
          ["leader (USD)", `${unit.usd(leader.pnlUsd)}, ${shareText(leader.roi)}`],
          ["follower (USD)", `${unit.usd(follower.pnlUsd)}, ${shareText(follower.roi)}`],
          ["in nine draws of ten (USD)", `${unit.usd(answer.low90Usd)} to ${unit.usd(answer.high90Usd)}`],
          ["round trips", `${unit.count(follower.roundTrips)}, won ${shareText(follower.winRate)}`],
          ["break-even delay (s)", unit.count(answer.breakEvenDelaySeconds)],
          ["orders up to (USD)", unit.count(answer.capacityUsd)],
          ["curve", sparkline(answer.curve.map(({ pnlUsd }) => pnlUsd))],
        ],
        run.paint,
      );
      const bridge = table(bridgeSteps(answer), bridgeColumns, run.paint);
      return `${figures}\n\n${bridge}\n\n${table(answer.ladder, ladderColumns, run.paint)}`;
    });
    if (answer.note) run.remark(answer.note);
  },
});
