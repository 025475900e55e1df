// One replay from books to answer: the tape of the leaders' tokens, the fold of replay/, and the leaders' own profit over
// the same time. Long ones run in slices, so that they don't block others.
import { addProfit, noProfit, type Profit } from "../../../accounting/totals.ts";
import { seededRandom } from "../../../kit/random.ts";
import { inTurns, type Sliced } from "../../../kit/slices.ts";
import { type ReplayAnswer, replay } from "../../../replay/replay.ts";
import type { ReplayTerms } from "../../../replay/terms.ts";
import type { RouteCall } from "../answer.ts";
import type { Profits } from "../profit/profits.ts";
import { type FollowedLeader, fillsOf, positionsOf, wishesOf } from "./leader.ts";
import type { ReadTape, TapeReader } from "./tape.ts";

export interface Followed {
  answer: ReplayAnswer;
  /** The profit of all leaders in the window. */
  leader: Profit;
  /** Their positions that it leaves out, because a price or a cost is unknown. */
  unpriced: number;
  tape: ReadTape;
}

export interface FollowInput {
  leaders: readonly FollowedLeader[];
  terms: ReplayTerms;
}

/** Called with the share done, from 0 to 1; throwing ends the work. */
export type OnProgress = (share: number) => void;

export type Follow = (input: FollowInput, call: RouteCall, onProgress?: OnProgress) => Promise<Followed>;

/** The approximate share of a replay's time spent reading the tape. */
const TAPE_SHARE = 0.6;
/** Approximate slices per fill: about thirty lives of 256 orders per slice, plus the rest. */
const SLICES_A_FILL = 0.2;
const SLICES_LEAST = 40;

export function createFollow(profits: Profits, tapes: TapeReader): Follow {
  return async ({ leaders, terms }, call, onProgress = () => {}) => {
    const leader = noProfit();
    let unpriced = 0;
    for (const { books } of leaders) {
      const made = await profits.since(books, terms.from, call);
      addProfit(leader, made.total);
      unpriced += made.unpriced;
    }
    const wishes = wishesOf(leaders, terms);
    let read = 0;
    const tape = await tapes.read(wishes, call, () => onProgress((TAPE_SHARE * read++) / wishes.length));
    const work = replay({
      positions: positionsOf(leaders, tape.tapes),
      terms,
      random: seededRandom(leaders.map(({ who }) => who?.userId ?? "").join(" "), JSON.stringify(terms)),
    });
    const slices = SLICES_LEAST + fillsOf(leaders) * SLICES_A_FILL;
    const answer = await inTurns(
      watched(work, (done) => onProgress(TAPE_SHARE + (1 - TAPE_SHARE) * Math.min(1, done / slices))),
    );
    return { answer, leader, unpriced, tape };
  };
}

function* watched<T>(work: Sliced<T>, onSlice: (done: number) => void): Sliced<T> {
  for (let slices = 1; ; slices++) {
    const { done, value } = work.next();
    if (done) return value;
    onSlice(slices);
    yield;
  }
}
