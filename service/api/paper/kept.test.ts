// A retracted fill of the leader never happened: the account ends up as if the fill had never been seen, and the
// difference is booked.
import { expect, test } from "bun:test";
import { atOnce } from "../../../kit/slices.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/units.ts";
import { beginPaper } from "../../../replay/paper.ts";
import { tapeOf } from "../../../replay/tape.ts";
import { BASE, MIDNIGHT } from "../../../test/support/nouns.ts";
import { extendKept, type KeptPaper, keepPaper, type PaperStep } from "./kept.ts";
import type { NamedMove } from "./moves.ts";
import { testTerms } from "./test-terms.ts";

const TERMS = testTerms({
  capitalUsd: 150,
  size: { mode: "fixed", value: 100, minUsd: null, maxUsd: null },
  costs: { networkFeeUsd: 0, botFeeBps: 0 },
});
const flat = tapeOf(
  Array.from({ length: 600 }, (_, index) => ({
    at: MIDNIGHT + index * 20 * SECOND_MS,
    priceUsd: 1,
    depthUsd: 1e12,
    feeBps: 0,
  })),
);
const tapes = new Map([
  ["A", flat],
  ["B", flat],
]);
const move = (minutes: number, token: string, kind: "buy" | "sell"): NamedMove => ({
  token,
  networkId: BASE,
  at: MIDNIGHT + minutes * MINUTE_MS,
  kind,
  amount: 10,
  usd: 10,
  networkFeeUsd: null,
  txHash: `${token} ${minutes}`,
  tradeId: token,
});
const names = {
  A: { address: "A", symbol: "A", networkId: BASE },
  B: { address: "B", symbol: "B", networkId: BASE },
};
const extend = (
  kept: KeptPaper,
  minutes: number,
  moves: NamedMove[],
  retracted: (move: NamedMove) => boolean = () => false,
): PaperStep =>
  atOnce(extendKept(kept, { moves, names, tapes, to: MIDNIGHT + minutes * MINUTE_MS }, TERMS, retracted));

const started = () => keepPaper(beginPaper(MIDNIGHT, [], false), MIDNIGHT, {});

test("a retracted buy is undone, a buy that it crowded out is filled, and the difference is booked", () => {
  // The second buy has no cash left, because the first one used it.
  const { kept, orders } = extend(started(), 10, [move(1, "A", "buy"), move(2, "B", "buy")]);
  expect(orders.map(({ token, skipped }) => [token, skipped])).toEqual([
    ["A", null],
    ["B", "capital"],
  ]);
  const step = extend(kept, 11, [], ({ txHash }) => txHash === "A 1");
  expect(step.corrections).toMatchObject([
    { token: "A", amount: -Number(orders[0]?.amount), cashUsd: 0, move: { txHash: "A 1" } },
    { token: "B" },
  ]);
  const never = extend(started(), 11, [move(2, "B", "buy")]);
  expect(step.kept.state).toEqual(never.kept.state);
  // The same retraction again finds nothing to undo.
  expect(extend(step.kept, 12, [], ({ txHash }) => txHash === "A 1").corrections).toEqual([]);
});

test("a fill that was retracted before it was seen is never copied", () => {
  const { orders, corrections } = extend(started(), 10, [move(1, "A", "buy")], () => true);
  expect([orders, corrections]).toEqual([[], []]);
});

test("a retraction within an hour is corrected, and moves older than two hours are not kept for it", () => {
  let { kept } = extend(started(), 2, [move(1, "A", "buy")]);
  for (let minutes = 3; minutes <= 59; minutes += 7) kept = extend(kept, minutes, []).kept;
  const undo = (from: KeptPaper, minutes: number) =>
    extend(from, minutes, [], ({ txHash }) => txHash === "A 1").corrections.length;
  expect(undo(kept, 60)).toBe(1);
  for (let minutes = 60; minutes <= 180; minutes += 20) kept = extend(kept, minutes, []).kept;
  expect([undo(kept, 181), kept.earlier.moves]).toEqual([0, []]);
  expect(kept.state.at - kept.earlier.first.at).toBeGreaterThanOrEqual(HOUR_MS);
});

test("a correction's token keeps its name, although no move of that token is left", () => {
  const { kept } = extend(started(), 10, [move(1, "A", "buy")]);
  const stretch = { moves: [], names: {}, tapes, to: MIDNIGHT + 11 * MINUTE_MS };
  const step = atOnce(extendKept(kept, stretch, TERMS, ({ txHash }) => txHash === "A 1"));
  expect(step.corrections.map(({ token }) => step.kept.tokens[token])).toEqual([names.A]);
});

test("a token sold by a rule keeps its name for as long as a retraction can bring it back", () => {
  const crashes = tapeOf([
    { at: MIDNIGHT, priceUsd: 1, depthUsd: 1e12, feeBps: 0 },
    { at: MIDNIGHT + 130 * MINUTE_MS, priceUsd: 0.1, depthUsd: 1e12, feeBps: 0 },
  ]);
  const terms = { ...TERMS, rules: { ...TERMS.rules, stopLossPct: 50 } };
  const step = (kept: KeptPaper, minutes: number, moves: NamedMove[] = []) =>
    atOnce(
      extendKept(
        kept,
        {
          moves,
          names: moves.length > 0 ? names : {},
          tapes: new Map([["A", crashes]]),
          to: MIDNIGHT + minutes * MINUTE_MS,
        },
        terms,
        () => false,
      ),
    );
  let { kept } = step(started(), 2, [move(1, "A", "buy")]);
  for (const minutes of [62, 124]) kept = step(kept, minutes).kept;
  const { kept: last, orders } = step(kept, 140);
  expect(orders.map(({ side }) => side)).toEqual(["sell"]);
  expect([last.state.holdings, last.earlier.moves]).toEqual([[], []]);
  expect(last.earlier.first.holdings.map(({ token }) => last.tokens[token])).toEqual([names.A]);
});
