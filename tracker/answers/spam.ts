// Tokens that somebody sent to wallets of the roster, and that nobody of it ever chose to buy or sell. They are kept in the
// books and left out of boards, holdings, positions, profits and searches: whatever has no price that can be trusted, claims to
// be worth more than the pool that prices it holds, or bears somebody else's name. One rule decides for all of them, and the
// operator's word stands above it.
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

/** As of now, or as of a moment that is past: then by the price that it had. */
export function isSpam(judging: Judging, of: LiveToken, at?: number): MaybePromise<boolean> {
  if (!mayBeSpam(judging, of)) return false;
  const { quotes, verdicts } = judging;
  if (verdicts.of(of.key) !== null) return true;
  return after(quotes.judgedBy(of.known.chainId, of.known.token, at), (price) => isDoubtful(of, price));
}

/** Without a look at prices: those of which it says no are surely none. */
export function mayBeSpam({ verdicts }: Pick<Judging, "verdicts">, of: LiveToken): boolean {
  const word = verdicts.of(of.key);
  return word === null ? of.swappers === 0 : word === "spam";
}

function isDoubtful(of: LiveToken, price: SeenPrice | null): boolean {
  if (price === null || pretends(of.known)) return true;
  if (price.depthUsd !== null && of.topHeld * price.priceUsd > price.depthUsd) return true;
  return of.alike.traded > 0;
}
