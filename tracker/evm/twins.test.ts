// When two contracts report the same balance, one is dropped, at a cost linear in the transfers, not quadratic.
import { describe, expect, test } from "bun:test";
import type { TokenMove } from "./token-move.ts";
import { withoutTwins } from "./twins.ts";

const [FIRST, SECOND] = ["0xfirst", "0xsecond"];
/** Enough that comparing with every transfer would read each of them a thousand times. */
const TRANSFERS = 1_000;

const move = (token: string, count: number): TokenMove => ({
  token,
  from: `0xfrom${count}`,
  to: "0xto",
  amountRaw: BigInt(count),
});

/** Both report the same repeatedly, one right after the other. */
const together = (): TokenMove[] =>
  Array.from({ length: TRANSFERS }, (_, count) => [move(FIRST, count), move(SECOND, count)]).flat();

/** The same transfers, with a count of reads. */
function counted(moves: readonly TokenMove[]): { moves: TokenMove[]; reads(): number } {
  let reads = 0;
  const seen = moves.map(({ amountRaw, ...rest }) => ({
    ...rest,
    get amountRaw() {
      reads += 1;
      return amountRaw;
    },
  }));
  return { moves: seen, reads: () => reads };
}

const tokensOf = (moves: readonly TokenMove[]): string[] => [...new Set(moves.map(({ token }) => token))];

test("the second of two contracts that report the same is dropped", () => {
  expect(tokensOf(withoutTwins(together()))).toEqual([FIRST]);
});

describe("each transfer is read once when two contracts report nearly the same:", () => {
  test.each([
    ["one has an extra transfer", [move(FIRST, TRANSFERS)]],
    ["only their last transfers differ", [move(FIRST, TRANSFERS), move(SECOND, TRANSFERS + 1)]],
  ])("%s", (_name, last) => {
    const { moves, reads } = counted([...together(), ...last]);
    expect(tokensOf(withoutTwins(moves))).toEqual([FIRST, SECOND]);
    expect(reads()).toBeLessThanOrEqual(moves.length);
  });
});
