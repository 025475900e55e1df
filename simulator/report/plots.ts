// The plots of a world, each with what to look for in it.
import type { SimulatorApi } from "../views/api.ts";
import { priceAt } from "../world/prices.ts";
import type { LifeName } from "../world/token-lives.ts";
import type { World } from "../world/world.ts";
import { leadersOf, type Measures } from "./measure.ts";
import { type Axis, histogram, plot } from "./plot.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

export interface PlotPage {
  file: string;
  title: string;
  note: string;
  svg: string;
}

export function pages(world: World, found: Measures, api: SimulatorApi): PlotPage[] {
  return [...pace(found), ...trades(found), ...people(found), ...tokens(world, api)];
}

function page(
  file: string,
  title: string,
  note: string,
  ...rest: Parameters<typeof plot> extends [string, ...infer Rest] ? Rest : never
): PlotPage {
  return { file, title, note, svg: plot(title, ...rest) };
}

function upTo(label: string, values: readonly number[]): Axis {
  return { label, from: 0, to: Math.max(...values) * 1.1 };
}

function pace(found: Measures): PlotPage[] {
  return [
    page(
      "fills-per-day.svg",
      "Fills a day",
      "Growth over the month to the rate of the present; weekends are lower.",
      { label: "day", from: 0, to: found.fillsPerDay.length },
      upTo("fills", found.fillsPerDay),
      [{ kind: "bars", points: found.fillsPerDay.map((count, day) => [day + 0.5, count]) }],
    ),
    page(
      "fills-by-hour.svg",
      "Fills by hour",
      "Four time zones: the world is quietest when Europe has not got up and America sleeps.",
      { label: "hour, UTC", from: 0, to: 24 },
      upTo("fills", found.byHour),
      [{ kind: "bars", points: found.byHour.map((count, hour) => [hour + 0.5, count]) }],
    ),
    page(
      "fills-by-weekday.svg",
      "Fills by weekday",
      "Four whole weeks of a growing platform, so the latest days weigh most.",
      { label: "Monday to Sunday", from: 0, to: 7, format: (value) => WEEKDAYS[value] ?? "" },
      upTo("fills", found.byWeekday),
      [{ kind: "bars", points: found.byWeekday.map((count, day) => [day + 0.5, count]) }],
    ),
  ];
}

function trades(found: Measures): PlotPage[] {
  const usd: Axis = { label: "dollars", from: 3, to: 100_000, log: true };
  const sizes = histogram(found.buysUsd, usd, 60);
  const hours: Axis = { label: "hours held", from: 0.01, to: 2_000, log: true };
  const holds = (["bot", "sniper", "bad", "swing", "holder", "whale"] as const).map((name) => ({
    name,
    kind: "line" as const,
    points: histogram(found.holdHours[name], hours, 40),
  }));
  const gains: Axis = { label: "proceeds against cost", from: 0.005, to: 100, log: true };
  const returns = histogram(
    found.returns.map((gain) => gain + 1),
    gains,
    70,
  );
  const share = (points: [number, number][]) =>
    upTo(
      "share",
      points.map(([, y]) => y),
    );
  const slips = found.slippage.filter((_, place) => place % 25 === 0);
  return [
    page(
      "buy-sizes.svg",
      "Sizes of buys",
      "Purses differ by orders of magnitude; the teeth are round numbers that people type.",
      usd,
      share(sizes),
      [{ kind: "bars", points: sizes }],
    ),
    page(
      "hold-times.svg",
      "Holding times of closed positions",
      "Minutes for bots and snipers, days for holders.",
      hours,
      share(holds.flatMap(({ points }) => points)),
      holds,
    ),
    page(
      "returns.svg",
      "What closed positions brought back",
      "1 is even. The pile at the left are rugs and slow deaths, the tail at the right the few that paid.",
      gains,
      share(returns),
      [{ kind: "bars", points: returns }],
    ),
    page(
      "slippage.svg",
      "Slippage of buys",
      "Every buy slips by its size against its pool, and moves the pool by the square of that.",
      { label: "size against the pool's depth", from: 1e-5, to: 0.5, log: true },
      { label: "paid over the price before", from: 1e-5, to: 0.5, log: true },
      [{ kind: "dots", points: slips.map(({ depthShare, slip }) => [depthShare, slip]) }],
    ),
  ];
}

/** Dollars on a scale that shows losses and gains of all sizes. */
const folded = (usd: number) => Math.sign(usd) * Math.log10(1 + Math.abs(usd));
const unfolded = (value: number) =>
  `${value < 0 ? "-" : ""}${value === 0 ? "0" : `$${(10 ** Math.abs(value)).toLocaleString("en-US", { maximumFractionDigits: 0 })}`}`;

function people(found: Measures): PlotPage[] {
  const points = found.people.map(({ followers, pnl30d }) => [followers + 1, folded(pnl30d)] as const);
  const bands = [1, 5, 15, 40, 100, 300, 10_000];
  const mean = bands.slice(0, -1).flatMap((from, place) => {
    const inside = points.filter(([followers]) => followers >= from && followers < (bands[place + 1] ?? 0));
    const middle = inside.map(([, pnl]) => pnl).sort((a, b) => a - b)[inside.length >> 1];
    return middle === undefined
      ? []
      : [[Math.sqrt(from * Math.min(2_000, bands[place + 1] ?? 1)), middle] as const];
  });
  const byActivity = found.people.map(({ swaps }) => swaps).sort((a, b) => b - a);
  return [
    page(
      "followers-and-profit.svg",
      "Followers and profit of 30 days",
      "One dot a trader; the line is the median of a band. The followed do better, and many of them lose all the same.",
      { label: "followers", from: 1, to: 3_000, log: true },
      { label: "earned in 30 days", from: -5.5, to: 5.5, format: unfolded },
      [
        { kind: "dots", points },
        { kind: "line", points: mean, name: "median" },
      ],
    ),
    page(
      "activity.svg",
      "Trades by trader",
      "From the busiest down. A few who live by it do a third of everything; half trade a dozen times or less.",
      { label: "rank", from: 1, to: 3_000, log: true },
      { label: "buys and sells in 30 days", from: 1, to: 5_000, log: true },
      [{ kind: "dots", points: byActivity.map((swaps, rank) => [rank + 1, swaps]) }],
    ),
    page(
      "leaders.svg",
      "What the forty leaders owe to their best position",
      "One dot a leader of the 30 days: the part of all gains that came from one position, against how many were closed.",
      { label: "positions closed", from: 1, to: 2_000, log: true },
      { label: "part from the best position", from: 0, to: 1 },
      [{ kind: "dots", points: leadersOf(found.people).map((each) => [each.closed || 1, each.bestShare]) }],
    ),
  ];
}

function tokens(world: World, api: SimulatorApi): PlotPage[] {
  const lives: LifeName[] = ["dud", "rug", "slow death", "second run", "sideways", "hit"];
  const examples = lives.flatMap((life) => {
    const token = world.context.tokens.list.find(
      (each) =>
        each.life === life && each.launchAt > world.context.genesis && world.time - each.launchAt > 12 * DAY,
    );
    if (!token) return [];
    const points = Array.from({ length: 12 * 48 }, (_, step) => {
      const at = token.launchAt + step * (HOUR / 2);
      return [step / 48, priceAt(token.price, at) / Math.exp(token.price.launchLogPrice)] as const;
    });
    return [{ name: life, kind: "line" as const, points }];
  });
  const loudest = world.context.tokens.list
    .filter(
      (token) =>
        (token.life === "second run" || token.life === "slow death") &&
        token.launchAt > world.context.genesis &&
        world.time - token.launchAt > DAY,
    )
    .sort((a, b) => b.hype - a.hype)[0];
  const address = loudest ? world.context.tokens.address(loudest) : "";
  const from = loudest?.launchAt ?? 0;
  const rows =
    api.candles(address, { interval: "5m", from: from - 300_000, to: from + 14 * HOUR, limit: 200 })?.rows ??
    [];
  const hour = (t: number) => (t - from) / HOUR;
  const closes = rows.map((row) => [hour(row.t), row.c] as const);
  const volumes = rows.map((row) => [hour(row.t), Number(row.volumeUsd)] as const);
  const majors = world.context.markets.slice(0, 5).map((market) => ({
    name: market.symbol,
    kind: "line" as const,
    points: Array.from({ length: 31 * 12 }, (_, step) => {
      const at = world.context.genesis + step * 2 * HOUR;
      return [step / 12, priceAt(market.price, at) / priceAt(market.price, world.context.genesis)] as const;
    }),
  }));
  const within: Axis = { label: "hours since launch", from: 0, to: 14 };
  return [
    page(
      "lives.svg",
      "Lives of launches",
      "One of each kind, against the launch price.",
      { label: "days since launch", from: 0, to: 12 },
      { label: "multiple", from: 0.003, to: 500, log: true },
      examples,
    ),
    page(
      "launch-price.svg",
      `The loudest launch, five minutes at a time`,
      "Closes of the platform's candles; fills move them.",
      within,
      {
        label: "dollars",
        from: Math.min(...rows.map((row) => row.l)) * 0.9,
        to: Math.max(...rows.map((row) => row.h)) * 1.05,
        format: (value) => value.toExponential(1),
      },
      [{ kind: "line", points: closes }],
    ),
    page(
      "launch-volume.svg",
      "The same launch: what was traded",
      "The rush of the first minutes, and what came after.",
      within,
      upTo(
        "dollars in five minutes",
        volumes.map(([, usd]) => usd),
      ),
      [{ kind: "bars", points: volumes }],
    ),
    page(
      "markets.svg",
      "The large coins",
      "They move together, and each a little by itself.",
      { label: "days", from: 0, to: 31 },
      { label: "against the first day", from: 0.6, to: 1.9 },
      majors,
    ),
  ];
}
