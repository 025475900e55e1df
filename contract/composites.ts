// Composites: reads that combine several routes into one tool for models. They are not routes: each consists of the calls it
// lists, costs the sum of their prices, and reports that cost.
import { z } from "zod";
import { limit, networkId, oneOf, tokenAddress, traderKey } from "./parts.ts";
import type { RouteId } from "./routes.ts";
import { PNL_WINDOWS } from "./shapes/traders.ts";

export interface Composite {
  summary: string;
  description: string;
  /** A description of its price. */
  price: string;
  /** The routes it calls. */
  calls: readonly RouteId[];
  input: z.ZodObject;
  example: Readonly<Record<string, string | number>>;
}

const window = (description: string) => oneOf(PNL_WINDOWS, description);

export const COMPOSITES = {
  findCommonHoldings: {
    summary: "What the best traders have in common",
    description:
      "The tokens that at least two of a leaderboard's top traders hold now: how many hold each, who, and their combined value.",
    price: "250 credits for the leaderboard and 250 for each trader: 5,250 for 20.",
    calls: ["getLeaderboard", "getBalances"],
    input: z.strictObject({
      window: window("Which leaderboard.").default("7d"),
      top: limit(2, 20, 10, "How many of its top traders."),
    }),
    example: { window: "7d", top: 20 },
  },
  compareChainVolumes: {
    summary: "Volume by chain",
    description:
      "What tracked traders traded on each chain in a window, in dollars, with its share. It counts the 150 busiest traders of each chain; `complete` is false if there are more.",
    price: "250 credits a chain: 1,250.",
    calls: ["getLeaderboard"],
    input: z.strictObject({ window: window("Over which time.").default("7d") }),
    example: { window: "7d" },
  },
  getWinRate: {
    summary: "How often a trader wins",
    description:
      "Closed positions of a trader: how many made and lost money net of fees, the average of both, the best and the worst. The newest 2,000 are counted; `complete` is false if there are more.",
    price: "250 credits for each 500 positions begun, at most 1,000.",
    calls: ["listPositions"],
    input: z.strictObject({ handle: traderKey() }),
    example: { handle: "mayatrades" },
  },
  findFirstBuyers: {
    summary: "Who bought a token first",
    description:
      "The first tracked traders who bought a token, in order: when, at what price, for how much, and how the price has moved since. `coveredFrom` says since when fills are captured.",
    price: "125 credits for each 100 fills scanned, at most 1,250, and 250 for the price now.",
    calls: ["listFills", "getToken"],
    input: z.strictObject({
      address: tokenAddress(),
      networkId: networkId().optional(),
      limit: limit(1, 50, 20, "How many buyers."),
    }),
    example: { address: "7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYmW2hr", limit: 10 },
  },
  listThesesWithPrices: {
    summary: "Theses, and the price since",
    description:
      "The latest theses, of all traders or of one, each with the token's price when it was written, the price now and the change between. The price then needs candles, which are part of Growth and Scale; on other plans it is left out, and the answer says so.",
    price:
      "1,250 credits for the theses, 250 for each thesis and 250 for each token in them: at most 6,250 for 10.",
    calls: ["listTheses", "listTraderTheses", "listCandles", "getToken"],
    input: z.strictObject({
      handle: traderKey("Only this trader's: a handle or a userId.").optional(),
      limit: limit(1, 10, 5, "How many theses."),
    }),
    example: { limit: 5 },
  },
} as const satisfies Record<string, Composite>;

export type CompositeId = keyof typeof COMPOSITES;

/** A paragraph each, for /llms.txt. */
export function compositesText(): string {
  return Object.entries(COMPOSITES)
    .map(
      ([name, { summary, description, price, calls, example }]) =>
        `- \`${name}\`: ${summary}. ${description} Made of ${calls.join(", ")}. ${price} Example: \`${JSON.stringify(example)}\`\n`,
    )
    .join("");
}
