// Copying accounts: they do what their leader does, after their delay and by their terms, and nothing else.
import { describe, expect, test } from "bun:test";
import { nextBlockTime, settledAt } from "./blocks.ts";
import type { CopyTerms } from "./copy-terms.ts";
import { network } from "./networks.ts";
import { BUY, SELL } from "./state.ts";
import { fingerprint, smallWorld, TEST_GENESIS } from "./test-worlds.ts";
import type { World } from "./world.ts";

const SIZE = { seconds: 6 * 3_600, rate: 0.5, copiers: 12 };

interface Moved {
  token: number;
  kind: number;
  amount: number;
  usd: number;
  at: number;
  settledAt: number;
  before: number;
  /** Of the holding before. */
  share: number;
}

/** Since genesis, in chain order. */
function movesOf({ context }: World, trader: number): Moved[] {
  const { fills } = context.state.tables;
  const held = new Map<number, number>();
  const moves: Moved[] = [];
  for (let number = 0; number < context.state.counters.fills; number++) {
    const { at, token, kind, amount, usd } = fills.columns;
    if (fills.columns.trader.get(number) !== trader) continue;
    const before = held.get(token.get(number)) ?? 0;
    const isIn = kind.get(number) % 2 === 0;
    held.set(token.get(number), before + (isIn ? 1 : -1) * amount.get(number));
    if (at.get(number) < TEST_GENESIS) continue;
    moves.push({
      token: token.get(number),
      kind: kind.get(number),
      amount: amount.get(number),
      usd: usd.get(number),
      at: at.get(number),
      settledAt: settledAt(context, number),
      before,
      share: amount.get(number) / before,
    });
  }
  return moves;
}

function lived(): World {
  const world = smallWorld("copiers", SIZE);
  world.advance(Number.POSITIVE_INFINITY);
  return world;
}

describe("copiers", () => {
  const world = lived();
  const { population, tokens } = world.context;
  const pairs = population.copiers.map(({ index, copies }) => {
    const terms = copies as CopyTerms;
    return { terms, own: movesOf(world, index), leader: movesOf(world, terms.leader) };
  });
  /**
   * The leader's moves that this one can be a copy of: several moves may be copied in one block, and a sell waits for the
   * block to which a re-org moved the tokens it sells.
   */
  const copiedFrom = ({ terms, leader, own }: (typeof pairs)[number], move: Moved): Moved[] => {
    const on = network(tokens.networkOf(move.token));
    const waited = own.find(
      ({ token, at, settledAt: cameAt }) => token === move.token && at < cameAt && cameAt === move.at,
    );
    return leader.filter(({ token, kind, settledAt: seenAt }) => {
      if (token !== move.token || kind !== move.kind) return false;
      const due = nextBlockTime(on, seenAt + Math.max(terms.delayMs, on.blockMs));
      return due === move.at || (waited !== undefined && waited.at <= due && due < move.at);
    });
  };

  test("do only what their leader did, in the first possible block after their delay", () => {
    const moves = pairs.flatMap((pair) => pair.own.map((move) => copiedFrom(pair, move)));
    expect(moves.length).toBeGreaterThan(50);
    expect(moves.every((copied) => copied.length > 0)).toBe(true);
  });

  test("spend their size, of which the app takes one per cent", () => {
    for (const { terms, own } of pairs)
      for (const { kind, usd } of own) if (kind === BUY) expect(usd).toBe(terms.usd * 990_000);
  });

  test("sell the share that the leader sold, or everything at the first sell", () => {
    let sells = 0;
    for (const pair of pairs)
      for (const move of pair.own.filter(({ kind }) => kind === SELL)) {
        const expected = copiedFrom(pair, move).map(({ share }) =>
          pair.terms.exit === "firstSell" ? 1 : share,
        );
        const off = Math.min(...expected.map((share) => Math.abs(share - move.share)));
        // A partial sell is rounded down to a whole unit.
        expect(off * move.before).toBeLessThan(1 + 1e-9 * move.before);
        sells++;
      }
    expect(sells).toBeGreaterThan(10);
  });

  test("do the same however the advances are cut", () => {
    const again = smallWorld("copiers", SIZE);
    for (let seconds = 0; seconds < SIZE.seconds; seconds += 577)
      again.advance(TEST_GENESIS + seconds * 1_000, 400);
    while (!again.advance(Number.POSITIVE_INFINITY, 1_000));
    expect(fingerprint(again)).toBe(fingerprint(world));
  });
});
