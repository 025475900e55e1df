// Tracked traders' activity as marks on a chart: fills on the bars, theses on the time axis.
import { type MarkedTrade, tradesOf, walkFills } from "../../../web/explorer/chart-marks.ts";
import { price, usd } from "../../../web/shared/format.ts";
import { secondsOf } from "./bars.ts";
import type { ChartReader } from "./reader.ts";
import type { Range } from "./resolutions.ts";
import type { ChartSymbol } from "./symbols.ts";

/** The most marks that a chart library draws on one bar. */
const MARKS_A_BAR = 10;
/** Pages of a hundred fills each; if there are more, `complete` is false. */
const PAGES_MAX = 5;
const THESES_MAX = 100;
const TEXT_LENGTH_MAX = 200;

const COLORS = { buy: "green", sell: "red" } as const;
const LABELS = { buy: "B", sell: "S" } as const;
const WORDS = { buy: "bought", sell: "sold" } as const;

export async function readMarks(symbol: ChartSymbol, range: Range, reader: ChartReader) {
  const walked = await walkFills(
    (cursor) =>
      reader.read("listFills", {
        query: {
          token: symbol.address,
          chain: symbol.networkId,
          from: new Date(range.fromMs).toISOString(),
          to: new Date(range.toMs).toISOString(),
          order: "desc",
          cursor: cursor ?? undefined,
        },
      }),
    PAGES_MAX,
  );
  const shown = biggestOfEachBar(tradesOf(walked.fills, []), range.resolution.lengthMs);
  return {
    id: shown.map(({ key }) => key),
    time: shown.map(({ at }) => Math.floor(at / 1_000)),
    color: shown.map(({ side }) => COLORS[side]),
    text: shown.map(describe),
    label: shown.map(({ side }) => LABELS[side]),
    labelFontColor: shown.map(() => "white"),
    minSize: shown.map(() => 14),
    complete: walked.cutAt === null && walked.coveredFrom <= range.fromMs,
  };
}

export async function readTimescaleMarks(symbol: ChartSymbol, range: Range, reader: ChartReader) {
  const { theses } = await reader.read("listTokenTheses", {
    params: { mint: symbol.address },
    query: { network: symbol.networkId, sort: "recent", limit: THESES_MAX },
  });
  const isInRange = ({ ts }: { ts: string }) => Date.parse(ts) >= range.fromMs && Date.parse(ts) < range.toMs;
  return theses.filter(isInRange).map(({ id, ts, handle, text }) => ({
    id,
    time: secondsOf(ts),
    color: "blue",
    label: "T",
    tooltip: [`@${handle}`, shortened(text)],
  }));
}

/** In time order; for each bar the largest trades, largest first. */
export function biggestOfEachBar(trades: readonly MarkedTrade[], lengthMs: number): MarkedTrade[] {
  const bars = Map.groupBy(trades, ({ at }) => Math.floor(at / lengthMs));
  return [...bars]
    .sort(([one], [other]) => one - other)
    .flatMap(([, made]) => made.toSorted((a, b) => (b.usd ?? 0) - (a.usd ?? 0)).slice(0, MARKS_A_BAR));
}

function describe({ trader, side, usd: worth, priceUsd }: MarkedTrade): string {
  const amount = worth === null ? "" : ` ${usd(worth)}`;
  const at = priceUsd === null ? "" : ` at ${price(priceUsd)}`;
  return `${trader === null ? "A tracked trader" : `@${trader}`} ${WORDS[side]}${amount}${at}`;
}

const shortened = (text: string) =>
  text.length <= TEXT_LENGTH_MAX ? text : `${text.slice(0, TEXT_LENGTH_MAX - 1)}…`;
