// Which hours of tape the next stretch of a paper account needs: around the orders that fall due, for its holdings, and,
// after a retraction, for everything that is recomputed.
import { MINUTE_MS } from "../../../kit/units.ts";
import { blockMsOf, copiedAt } from "../../../replay/leader.ts";
import { copiesToCome, type PaperMove, type PaperState, type PaperTerms } from "../../../replay/paper.ts";
import { hasRules } from "../../../replay/terms.ts";
import { addHours } from "../copy/leader.ts";
import type { TapeWish } from "../copy/tape.ts";
import type { PaperTokenName } from "./moves.ts";

/** How old a tick that prices an order may be, and how far back a mark is searched for. */
const TICK_AGE_MS = MINUTE_MS;
const MARK_REACH_MS = 15 * MINUTE_MS;

export function paperWishes(
  state: PaperState,
  moves: readonly PaperMove[],
  to: number,
  terms: PaperTerms,
  names: Record<string, PaperTokenName>,
): TapeWish[] {
  const wishes = new Map<string, TapeWish & { hours: Set<number> }>();
  const wish = (token: string, from: number, until: number) => {
    const name = names[token];
    if (!name) return;
    const known = wishes.get(token) ?? { token: name, hours: new Set<number>() };
    wishes.set(token, known);
    addHours(known.hours, from, until);
  };
  // Rules are checked on every tick; equity-based sizes need marks at each order. The last earlier tick is carried over.
  const isWatched = hasRules(terms.rules) || terms.size.mode === "equity";
  for (const { token } of state.holdings)
    wish(token, isWatched ? state.at : Math.max(state.at, to - MARK_REACH_MS), to);
  for (const move of copiesToCome({ ...state, heard: [...state.heard, ...moves] })) {
    const due = Math.max(state.at, copiedAt(move, terms.delayMs, blockMsOf(move.networkId)));
    if (due > to) continue;
    const from = move.isOpening ? move.at - MARK_REACH_MS : Math.min(move.at, due) - TICK_AGE_MS;
    // A bought token is held from then on.
    wish(move.token, from, isWatched ? to : due);
    if (!isWatched) wish(move.token, to - MARK_REACH_MS, to);
  }
  return [...wishes.values()];
}
