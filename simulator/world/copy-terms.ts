// The copiers' terms: the leader, the amount, the delay, and the exit rule. All of it follows from the seed.
import { SECOND_MS } from "../../kit/units.ts";
import { chosen, unit } from "./hash.ts";

export interface CopyTerms {
  leader: number;
  /** Spent on each buy, fees of the app included. */
  usd: number;
  delayMs: number;
  /** Sells the share that the leader sells, or everything at the leader's first sell. */
  exit: "mirror" | "firstSell";
}

/** The copying app's share of each order. */
export const COPY_APP_RATE = 0.01;

/** In a world of few traders some leaders have several copiers. */
const DRAWS_MAX = 100;

const SIZES_USD = [25, 50, 100, 100, 250];
const DELAYS_MS = [1, 2, 5, 5, 15, 30].map((seconds) => seconds * SECOND_MS);
const EXITS = ["mirror", "mirror", "mirror", "firstSell"] as const;

/**
 * Terms of the copier with this number. `deck` has each trader as often as they trade, so that busy ones are followed; a
 * trader who `isTaken` has a copier already, and two would get in each other's way.
 */
export function drawTerms(
  key: number,
  copier: number,
  deck: readonly number[],
  isTaken: (trader: number) => boolean,
): CopyTerms {
  let leader: number;
  let draw = 0;
  do {
    leader = deck[Math.floor(unit(key, copier, 100 + draw) * deck.length)] as number;
  } while (isTaken(leader) && ++draw < DRAWS_MAX);
  // The first has the usual terms, whatever the seed.
  if (copier === 0) return { leader, usd: 100, delayMs: 5 * SECOND_MS, exit: "mirror" };
  return {
    leader,
    usd: chosen(SIZES_USD, key, copier, 71),
    delayMs: chosen(DELAYS_MS, key, copier, 72),
    exit: chosen(EXITS, key, copier, 73),
  };
}

/** Each baiter has this many copiers, whose orders lift the price. */
export const BAITED_COPIERS = 1;

/** Quick, and with a lot of money: worth baiting. */
export const baitedTerms = (leader: number): CopyTerms => ({
  leader,
  usd: 1_000,
  delayMs: SECOND_MS,
  exit: "mirror",
});

/** The terms in the words of a bio. */
export function termsText({ usd, delayMs, exit }: CopyTerms, leaderHandle: string): string {
  return `copies @${leaderHandle}, $${usd}, ${delayMs / SECOND_MS} s, ${exit}`;
}
