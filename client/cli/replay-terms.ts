// The options of a replay, as the service accepts them. The cheaper call accepts some of them too.
import type { CreateFollowInput, CreateReplayInput } from "../src/generated.ts";
import { decimalNumber, type Given, wholeNumber } from "./verb.ts";

const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean" } as const;

/** Options that the cheaper call takes too. */
const PLAIN_OPTIONS = {
  size: TEXT,
  capital: TEXT,
  delay: TEXT,
  window: TEXT,
  trade: TEXT,
  exit: TEXT,
  "bot-fee": TEXT,
} as const;

const OWN_OPTIONS = {
  board: TEXT,
  top: TEXT,
  every: TEXT,
  "size-mode": TEXT,
  "min-order": TEXT,
  "max-order": TEXT,
  from: TEXT,
  to: TEXT,
  "stop-loss": TEXT,
  "take-profit": TEXT,
  trailing: TEXT,
  "max-hold": TEXT,
  chain: TEXT,
  "min-leader": TEXT,
  "max-leader": TEXT,
  "first-buy": FLAG,
  "min-depth": TEXT,
  "max-move": TEXT,
  "max-open": TEXT,
  "network-fee": TEXT,
  "copy-open": FLAG,
  orders: FLAG,
} as const;

export const REPLAY_OPTIONS = { ...PLAIN_OPTIONS, ...OWN_OPTIONS };

export const REPLAY_HELP = [
  "  --size USD         dollars spent on each buy; 100 unless said",
  "  --capital USD      what the account starts with; 1000 unless said",
  "  --delay SECONDS    from the leader's fill to the follower's; 5 unless said",
  "  --window WINDOW    over which time: 24h, 7d or 30d (the usual)",
  "  --trade ID         only this position of the trader's, from its first buy on",
  "  --exit HOW         mirror sells the leader's share, firstSell everything at the first sell",
  "  --bot-fee BPS      what a bot takes of each order; 100 unless said",
  "",
  "  Any of these makes it a replay of its own, 1,250 credits for each 5,000 fills, read again for nothing:",
  "  @HANDLE @HANDLE …  up to 25 traders in one account",
  "  --board WINDOW, --top N, --every 1d|7d    instead of a trader: those who led the leaderboard at the time",
  "  --size-mode MODE   fixed dollars, or per cent: share of the leader's order, equity of the account",
  "  --min-order USD, --max-order USD          skip smaller orders, cut larger ones",
  "  --from TIME, --to TIME                    in place of --window, at most 180 days",
  "  --stop-loss PCT, --take-profit PCT, --trailing PCT, --max-hold SECONDS; --exit rules for these alone",
  "  --chain NAME,NAME, --min-leader USD, --max-leader USD, --first-buy, --min-depth USD, --max-move PCT,",
  "  --max-open N       which buys are copied",
  "  --network-fee USD  for each order; the leader's median unless said",
  "  --copy-open        also buys, at the start, what the leader held then",
  "  --orders           every order, filled or skipped, with what it was priced by",
].join("\n");

/** A follow's options: one trader and no time range, since it starts now. */
const TIME_OPTIONS = ["window", "trade", "from", "to", "orders", "board", "top", "every"] as const;
type HowOptions = Omit<typeof REPLAY_OPTIONS, (typeof TIME_OPTIONS)[number]>;
export const FOLLOW_OPTIONS = Object.fromEntries(
  Object.entries(REPLAY_OPTIONS).filter(([name]) => !TIME_OPTIONS.some((other) => other === name)),
) as unknown as HowOptions;

export const FOLLOW_HELP = REPLAY_HELP.split("\n")
  .filter((line) => !/--(window|trade|from|orders|board) |^$|Any of these|up to 25 traders/.test(line))
  .join("\n");

type ReplayValues = Given<typeof REPLAY_OPTIONS>["values"];

/** Whether the cheaper call can answer it. */
export const isPlain = (values: ReplayValues): boolean =>
  values.exit !== "rules" &&
  (Object.keys(OWN_OPTIONS) as (keyof typeof OWN_OPTIONS)[]).every((name) => values[name] === undefined);

export function plainTerms(values: ReplayValues) {
  return {
    window: (values.window ?? "30d") as "30d",
    ...given({ tradeId: values.trade }),
    size: wholeNumber("--size", values.size, 1, 1_000_000) ?? 100,
    capital: wholeNumber("--capital", values.capital, 1, 100_000_000) ?? 1_000,
    delay: wholeNumber("--delay", values.delay, 0, 3_600) ?? 5,
    exit: (values.exit ?? "mirror") as "mirror",
    botFeeBps: wholeNumber("--bot-fee", values["bot-fee"], 0, 1_000) ?? 100,
  };
}

/** Without a trader, the leaders of the leaderboard. */
function whoOf(traders: readonly string[], values: ReplayValues) {
  if (traders.length === 1) return { trader: traders[0] };
  if (traders.length > 1) return { traders: [...traders] };
  type Select = NonNullable<CreateReplayInput["select"]>;
  const select = {
    board: values.board as Select["board"],
    top: wholeNumber("--top", values.top),
    every: values.every as Select["every"],
  };
  return { select: given(select) };
}

export function replayTerms(traders: readonly string[], values: ReplayValues): CreateReplayInput {
  const { window, from, to } = values;
  const { trader: _, ...how } = followTerms("", values);
  return {
    ...how,
    ...given(whoOf(traders, values)),
    ...given({ window: window as CreateReplayInput["window"], from, to }),
  };
}

type HowValues = Omit<ReplayValues, (typeof TIME_OPTIONS)[number]>;

export function followTerms(trader: string, values: HowValues): CreateFollowInput {
  const number = (name: Exclude<keyof HowValues, "first-buy" | "copy-open">) =>
    decimalNumber(`--${name}`, values[name]);
  return given({
    trader,
    capitalUsd: number("capital"),
    size: given({
      mode: values["size-mode"] as "fixed" | undefined,
      value: number("size"),
      minUsd: number("min-order"),
      maxUsd: number("max-order"),
    }),
    delaySeconds: number("delay"),
    exit: values.exit as CreateFollowInput["exit"],
    stopLossPct: number("stop-loss"),
    takeProfitPct: number("take-profit"),
    trailingPct: number("trailing"),
    maxHoldSeconds: number("max-hold"),
    filters: given({
      chains: values.chain?.split(","),
      minLeaderUsd: number("min-leader"),
      maxLeaderUsd: number("max-leader"),
      firstBuyOnly: values["first-buy"],
      minDepthUsd: number("min-depth"),
      maxMovePct: number("max-move"),
      maxOpen: number("max-open"),
    }),
    costs: given({ networkFeeUsd: number("network-fee"), botFeeBps: number("bot-fee") }),
    copyOpen: values["copy-open"],
  });
}

type Stated<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

/** Drops absent options. */
const given = <T extends object>(fields: T): Stated<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Stated<T>;
