// The profit from following a trader: the bridge from the leader's profit to the follower's, the result at other delays, and
// the account's curve as one line. A long replay shows its progress, and is cancelled by Ctrl-C.
import type { CopyAnswer, Replay, ReplayFigures, ReplayOrder } from "../src/generated.ts";
import { barOf } from "./progress.ts";
import { type Reading, reading } from "./reading.ts";
import { Refused } from "./refused.ts";
import { isPlain, plainTerms, REPLAY_HELP, REPLAY_OPTIONS, replayTerms } from "./replay-terms.ts";
import { type Column, facts, gains, table } from "./table.ts";
import type { Paint } from "./terminal.ts";
import * as unit from "./units.ts";

interface BridgeStep {
  step: string;
  usd: number;
}

const bridgeColumns: Column<BridgeStep>[] = [
  { head: "step", max: 60, value: ({ step }) => step },
  gains("USD", ({ usd }) => usd),
];

const ladderColumns: Column<CopyAnswer["ladder"][number]>[] = [
  { head: "delay (s)", align: "right", value: ({ delaySeconds }) => unit.count(delaySeconds) },
  gains("net (USD)", ({ pnlUsd }) => pnlUsd),
  { head: "return", align: "right", value: ({ roi }) => returnText(roi) },
  { head: "by the tape", align: "right", value: ({ tape }) => unit.share(tape) },
];

const orderColumns: Column<ReplayOrder>[] = [
  { head: "when (UTC)", value: ({ at }) => unit.time(at) },
  { head: "leader", max: 16, value: ({ handle }) => (handle === null ? "–" : `@${handle}`) },
  { head: "side", value: ({ side }) => side },
  { head: "token", max: 16, value: ({ symbol }) => symbol },
  { head: "why", value: ({ cause, skipped }) => (skipped === null ? cause : `skipped: ${skipped}`) },
  { head: "price (USD)", align: "right", value: ({ priceUsd }) => unit.price(priceUsd) },
  { head: "by", value: ({ source }) => source ?? "" },
  { head: "USD", align: "right", value: ({ usd, skipped }) => (skipped === null ? unit.usd(usd) : "") },
  {
    head: "fees (USD)",
    align: "right",
    value: ({ feeUsd, skipped }) => (skipped === null ? unit.usd(feeUsd) : ""),
  },
];

const returnText = (roi: number | null) => unit.percent(roi === null ? null : roi * 100);

const BARS = "▁▂▃▄▅▆▇█";

/** The lowest value is the lowest bar, the highest the highest. */
export function sparkline(values: readonly number[]): string {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values
    .map((value) => BARS[span === 0 ? 0 : Math.round(((value - low) / span) * (BARS.length - 1))])
    .join("");
}

const bridgeSteps = ({ bridge }: ReplayFigures, size: string, delaySeconds: number): BridgeStep[] => [
  { step: `the leader's prices, ${size} an order`, usd: bridge.leaderUsd },
  { step: "orders that were skipped", usd: bridge.skippedUsd },
  { step: `${delaySeconds} s later`, usd: bridge.delayUsd },
  { step: "own impact", usd: bridge.impactUsd },
  { step: "pool, bot and network", usd: bridge.feesUsd },
  { step: "net", usd: bridge.netUsd },
];

function figuresText(answer: ReplayFigures, size: string, delaySeconds: number, paint: Paint): string {
  const { follower, leader } = answer;
  const figures = facts(
    [
      ["verdict", answer.verdict],
      ["leader (USD)", `${unit.usd(leader.pnlUsd)}, ${returnText(leader.roi)}`],
      ["follower (USD)", `${unit.usd(follower.pnlUsd)}, ${returnText(follower.roi)}`],
      ["in nine draws of ten (USD)", `${unit.usd(answer.low90Usd)} to ${unit.usd(answer.high90Usd)}`],
      ["round trips", `${unit.count(follower.roundTrips)}, won ${unit.share(follower.winRate)}`],
      ["break-even delay (s)", breakEvenText(answer)],
      ["orders up to (USD)", unit.count(answer.capacityUsd)],
      ["curve", sparkline(answer.curve.map(({ pnlUsd }) => pnlUsd))],
    ],
    paint,
  );
  const bridge = table(bridgeSteps(answer, size, delaySeconds), bridgeColumns, paint);
  return `${figures}\n\n${bridge}\n\n${table(answer.ladder, ladderColumns, paint)}`;
}

/** Without one, it still earns at the longest delay tried. */
function breakEvenText({ breakEvenDelaySeconds, ladder }: ReplayFigures): string {
  const longest = Math.max(...ladder.map(({ delaySeconds }) => delaySeconds));
  return breakEvenDelaySeconds === null ? `over ${unit.count(longest)}` : unit.count(breakEvenDelaySeconds);
}

type ReplayRun = Reading<typeof REPLAY_OPTIONS>;

export const replay = reading({
  usage:
    "replay [@HANDLE…] [--size USD] [--delay SECONDS] [--window 24h|7d|30d] [--exit mirror|firstSell|rules] …",
  summary:
    "What following a trader would have earned, and where the difference went. 250 credits under plain terms.",
  details: REPLAY_HELP,
  options: REPLAY_OPTIONS,
  words: [0, 25],
  async run(run) {
    const { words, values } = run;
    const chooses = values.board ?? values.top ?? values.every;
    if (words.length === 0 && chooses === undefined)
      throw new Refused("Say who is followed: a handle, several, or --board 7d for those who led.");
    if (words.length > 0 && chooses !== undefined)
      throw new Refused("Give traders, or --board, --top and --every; not both.");
    const isSimple = words.length === 1 && isPlain(values);
    if (values.trade !== undefined && !isSimple)
      throw new Refused(
        "--trade goes with one trader, --size, --capital, --delay, --exit and --bot-fee only.",
      );
    await (isSimple ? showCopy(run) : showReplay(run));
    if ((await run.client.getInfo()).simulated) run.remark("The world behind this server is simulated.");
  },
});

async function showCopy(run: ReplayRun): Promise<void> {
  const answer = await run.client.getCopy({ handle: String(run.words[0]), ...plainTerms(run.values) });
  const { sizeUsd, delaySeconds } = answer.terms;
  await run.show(answer, () => figuresText(answer, `$${sizeUsd}`, delaySeconds, run.paint));
  if (answer.note) run.remark(answer.note);
}

async function showReplay(run: ReplayRun): Promise<void> {
  const asked = await run.client.createReplay(replayTerms(run.words, run.values));
  const done = await finished(run, asked);
  const { answer } = done;
  if (answer === null) throw new Refused(done.note ?? `The replay was ${done.status}.`);
  const orders = run.values.orders
    ? await Array.fromAsync(run.client.rows.listReplayOrders({ replayId: done.id }))
    : [];
  const { size, delaySeconds } = done.terms;
  const sizeText = size.mode === "fixed" ? `$${size.value}` : `${size.value} % (${size.mode})`;
  await run.show(run.values.orders ? { ...done, orderList: orders } : done, () =>
    [
      figuresText(answer, sizeText, delaySeconds, run.paint),
      ...(orders.length > 0 ? [table(orders, orderColumns, run.paint)] : []),
    ].join("\n\n"),
  );
  if (done.leaders.length > 1) run.remark(`${unit.count(done.leaders.length)} traders were followed.`);
  if (done.note) run.remark(done.note);
}

const ASK_EVERY_MS = 500;

/** Polls until it is done; Ctrl-C cancels it at the service too. */
async function finished({ client }: ReplayRun, asked: Replay): Promise<Replay> {
  let latest = asked;
  const cancel = () => {
    process.stderr.write("\r\u001b[Kcancelling…\n");
    client.cancelReplay({ replayId: asked.id }).catch(() => undefined);
  };
  process.on("SIGINT", cancel);
  try {
    while (latest.status === "running") {
      if (process.stderr.isTTY)
        process.stderr.write(
          `\r\u001b[K${barOf(latest.progressPct / 100)}  ${unit.count(latest.fills)} fills`,
        );
      await Bun.sleep(ASK_EVERY_MS);
      latest = await client.getReplay({ replayId: asked.id });
    }
    return latest;
  } finally {
    process.off("SIGINT", cancel);
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  }
}
