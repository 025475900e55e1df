// Tokens sent to roster wallets that no roster trader ever bought or sold. They stay in the books and are left out of boards,
// holdings, positions, profits and searches if they have no trustworthy price, claim to be worth more than their pool holds, or
// use another token's name. One rule decides for all of them, and the operator's verdict overrides it.
import { after, type MaybePromise } from "../../kit/maybe-promise.ts";
import { pretends } from "../prices/look-alike.ts";
import type { SeenPrice } from "../prices/observed.ts";
import type { LiveToken } from "./live-positions.ts";
import type { Quotes } from "./quotes.ts";
import type { Verdicts } from "./verdicts.ts";

interface Judging {
  quotes: Pick<Quotes, "judgedBy">;
  verdicts: Pick<Verdicts, "of">;
}

/** As of now, or as of a past moment: then by its price at that time. */
export function isSpam(judging: Judging, of: LiveToken, at?: number): MaybePromise<boolean> {
  if (!mayBeSpam(judging, of)) return false;
  const { quotes, verdicts } = judging;
  if (verdicts.of(of.key) !== null) return true;
  return after(quotes.judgedBy(of.known.chainId, of.known.token, at), (price) => isDoubtful(of, price));
}

/** Without looking at prices: false means certainly not spam. */
export function mayBeSpam({ verdicts }: Pick<Judging, "verdicts">, of: LiveToken): boolean {
  const word = verdicts.of(of.key);
  return word === null ? of.swappers === 0 : word === "spam";
}

function isDoubtful(of: LiveToken, price: SeenPrice | null): boolean {
  if (price === null || pretends(of.known)) return true;
  if (price.depthUsd !== null && of.topHeld * price.priceUsd > price.depthUsd) return true;
  return of.alike.traded > 0;
}
