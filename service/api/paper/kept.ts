// A paper account as stored: the fold's state, token names, and enough of the last hours to recompute them without a
// retracted fill. Pure.
import { toUsd } from "../../../accounting/money.ts";
import { FOLLOW } from "../../../contract/follows.ts";
import type { Sliced } from "../../../kit/slices.ts";
import { HOUR_MS } from "../../../kit/units.ts";
import {
  extendPaper,
  type PaperOrder,
  type PaperState,
  type PaperStretch,
  type PaperTerms,
} from "../../../replay/paper.ts";
import type { NamedMove, PaperTokenName } from "./moves.ts";

export interface KeptPaper {
  /** The format version; any other belongs to another version of the program. */
  v: 2;
  state: PaperState;
  /** Moves before this were in the leader's books as it began. */
  booksAt: number;
  /** Keyed by the fold's names: the tokens of the states and moves kept here, and of the last bookings. */
  tokens: Record<string, PaperTokenName>;
  /** Two past states, the second somewhat later; the moves since the first, and how many of them the second includes. */
  earlier: { first: PaperState; second: PaperState; known: number; moves: NamedMove[] };
}

/** A correction, before it is booked. */
export interface Correction {
  /** The leader's retracted fill. */
  move: NamedMove;
  token: string;
  amount: number;
  cashUsd: number;
}

export interface PaperStep {
  kept: KeptPaper;
  orders: PaperOrder[];
  corrections: Correction[];
}

/** How far apart the two earlier states are: a retraction within this time can be corrected. */
const EARLIER_MS = FOLLOW.correctedHours * HOUR_MS;

export const keepPaper = (
  state: PaperState,
  booksAt: number,
  tokens: Record<string, PaperTokenName>,
): KeptPaper => ({
  v: 2,
  state,
  booksAt,
  tokens,
  earlier: { first: state, second: state, known: 0, moves: [] },
});

export function readKept(text: string): KeptPaper {
  const kept = JSON.parse(text) as KeptPaper | FirstForm;
  if (kept.v === 1) return fromFirstForm(kept);
  if (kept.v !== 2) throw new Error("A paper account was stored by another version of the program.");
  return kept;
}

/** The first format knew the leader's holdings after all moves received, and no pending moves. */
type FirstForm = Omit<KeptPaper, "v"> & { v: 1 };

function fromFirstForm({ state, earlier, ...kept }: FirstForm): KeptPaper {
  const grown = (old: PaperState): PaperState => ({ ...old, heard: [] });
  const { first, second } = earlier;
  return {
    ...kept,
    v: 2,
    state: grown(state),
    earlier: { ...earlier, first: grown(first), second: grown(second) },
  };
}

/** Continues with newly learned moves. `retracted` says which of the leader's moves never happened. */
export function* extendKept(
  kept: KeptPaper,
  stretch: Omit<PaperStretch, "moves"> & {
    moves: readonly NamedMove[];
    names: Record<string, PaperTokenName>;
  },
  terms: PaperTerms,
  retracted: (move: NamedMove) => boolean,
): Sliced<PaperStep> {
  const { names, tapes, to } = stretch;
  const undone = kept.earlier.moves.filter(retracted);
  const right = undone.length === 0 ? kept : yield* without(kept, undone, tapes, terms);
  const fresh = stretch.moves.filter((move) => move.at >= kept.booksAt && !retracted(move));
  const { state, orders } = yield* extendPaper(right.state, { moves: fresh, tapes, to }, terms);
  const earlier = rolledOn({ ...right.earlier, moves: [...right.earlier.moves, ...fresh] }, state);
  const corrections = undone.length === 0 ? [] : correctionsOf(kept.state, right.state, undone);
  // A token no longer held may be held again, once a retraction causes a recomputation from an earlier state.
  const states = [state, earlier.first, earlier.second].flatMap(tokensIn);
  const used = [...states, ...orders, ...corrections, ...earlier.moves];
  return {
    kept: { ...right, state, tokens: namesOf(used, { ...kept.tokens, ...names }), earlier },
    orders,
    corrections,
  };
}

const tokensIn = ({ holdings, waiting, heard }: PaperState): { token: string }[] => [
  ...holdings,
  ...waiting,
  ...heard,
];

/** The state as it would be now if these had never happened. */
function* without(
  kept: KeptPaper,
  undone: readonly NamedMove[],
  tapes: PaperStretch["tapes"],
  terms: PaperTerms,
): Sliced<KeptPaper> {
  const { first, moves } = kept.earlier;
  const left = moves.filter((move) => !undone.includes(move));
  const { state } = yield* extendPaper(first, { moves: left, tapes, to: kept.state.at }, terms);
  return { ...kept, state, earlier: { first, second: first, known: 0, moves: left } };
}

function rolledOn(earlier: KeptPaper["earlier"], state: PaperState): KeptPaper["earlier"] {
  const { second, moves, known } = earlier;
  if (state.at - second.at < EARLIER_MS) return earlier;
  const later = moves.slice(known);
  return { first: second, second: state, known: later.length, moves: later };
}

const namesOf = (
  used: readonly { token: string }[],
  names: Record<string, PaperTokenName>,
): Record<string, PaperTokenName> =>
  Object.fromEntries(used.flatMap(({ token }) => (names[token] ? [[token, names[token]]] : [])));

/** Cash belongs to the account, so it goes with the first correction; each token has its own. */
function correctionsOf(wrong: PaperState, right: PaperState, undone: readonly NamedMove[]): Correction[] {
  const amounts = new Map<string, number>(undone.map(({ token }) => [token, 0]));
  for (const { token, amount } of right.holdings) amounts.set(token, (amounts.get(token) ?? 0) + amount);
  for (const { token, amount } of wrong.holdings) amounts.set(token, (amounts.get(token) ?? 0) - amount);
  const [first] = undone as [NamedMove];
  return [...amounts]
    .filter(([token, amount]) => amount !== 0 || token === first.token)
    .map(([token, amount]) => ({
      move: undone.find((move) => move.token === token) ?? first,
      token,
      amount,
      cashUsd: token === first.token ? toUsd(wrong.spent - right.spent) : 0,
    }));
}
