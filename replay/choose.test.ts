// Several leaders in one account, and a choice of them that knows nothing of what came after it.
import { describe, expect, test } from "bun:test";
import { toMicro } from "../accounting/money.ts";
import { seededRandom } from "../kit/random.ts";
import { atOnce } from "../kit/slices.ts";
import { DAY_MS, HOUR_MS } from "../kit/units.ts";
import { type Choice, Chooser, choiceMoments, chosenStretches, type TradedFill } from "./choose.ts";
import type { LeaderPosition } from "./leader.ts";
import { replay } from "./replay.ts";
import type { ReplayTerms } from "./terms.ts";
import { inventMarket, inventTerms, MARKET_FROM } from "./test-market.ts";

const run = (positions: readonly LeaderPosition[], terms: ReplayTerms) =>
  atOnce(replay({ positions, terms, random: seededRandom("test") }));

/** Each is a market and terms of its own. */
const SEEDS = 5;
const SPAN = { from: MARKET_FROM, to: MARKET_FROM + 10 * DAY_MS };
const TERMS = { moments: choiceMoments(SPAN, DAY_MS), windowMs: 7 * DAY_MS, top: 3 };

function inventFills(seed: number): TradedFill[] {
  const random = seededRandom(seed, "fills of everybody");
  const fills: TradedFill[] = [];
  let at = SPAN.from - 10 * DAY_MS;
  while (at < SPAN.to) {
    at += Math.floor(HOUR_MS * random.next());
    const amount = 1 + random.below(100);
    fills.push({
      userId: `trader ${random.below(12)}`,
      token: `token ${random.below(5)}`,
      at,
      kind: random.chance(0.6) ? "buy" : "sell",
      amount,
      usd: amount * (0.5 + random.next()),
      feeUsd: random.chance(0.8) ? 0.1 : null,
    });
  }
  return fills;
}

function chosenOf(fills: readonly TradedFill[]): Choice[] {
  const chooser = new Chooser(TERMS);
  for (const fill of fills) chooser.take(fill);
  chooser.advance(SPAN.to);
  return chooser.choices;
}

describe("a choice of leaders", () => {
  test("is made each day, of the most profitable, and is never changed by what happens after it", () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const fills = inventFills(seed);
      const whole = chosenOf(fills);
      expect(whole.map(({ at }) => at)).toEqual(TERMS.moments);
      for (const { at, leaders } of whole) {
        expect(leaders).toHaveLength(TERMS.top);
        const other = seededRandom(seed, String(at));
        const past = fills.filter((fill) => fill.at < at);
        const future = fills
          .filter((fill) => fill.at >= at)
          .map((fill) => ({
            ...fill,
            usd: fill.usd * 10 * other.next(),
            userId: `trader ${other.below(20)}`,
          }));
        expect({ seed, choice: chosenOf([...past, ...future]).find((each) => each.at === at) }).toEqual({
          seed,
          choice: { at, leaders },
        });
      }
    }
  });

  test("counts what a window earned: taken and still open, less fees, by the prices that were known", () => {
    const fill = (userId: string, hours: number, kind: "buy" | "sell", amount: number, usd: number) => {
      const at = SPAN.from + hours * HOUR_MS;
      return { userId, token: "T", at, kind, amount, usd, feeUsd: 1 };
    };
    const fills = [
      // Earned before the window begins, and nothing since but a fee.
      fill("early", -300, "buy", 100, 100),
      fill("early", -200, "sell", 100, 900),
      fill("late", -100, "buy", 100, 200),
      fill("early", -90, "buy", 1, 2),
      fill("other", -50, "buy", 10, 50),
    ];
    const [first] = chosenOf(fills);
    const usd = (first?.leaders ?? []).map(({ userId, pnl }) => [userId, pnl]);
    expect(usd).toEqual([
      ["late", toMicro(500 - 200 - 1)],
      ["early", toMicro(5 - 2 - 1)],
      ["other", toMicro(-1)],
    ]);
  });

  test("lasts until the next one, and continues where somebody is chosen again", () => {
    const choice = (day: number, ...userIds: string[]) => ({
      at: SPAN.from + day * DAY_MS,
      leaders: userIds.map((userId) => ({ userId, pnl: 1 })),
    });
    const stretches = chosenStretches([choice(0, "a", "b"), choice(1, "a"), choice(2, "b")], SPAN.to);
    const day = (from: number, to: number) => ({
      from: SPAN.from + from * DAY_MS,
      to: SPAN.from + to * DAY_MS,
    });
    expect(Object.fromEntries(stretches)).toEqual({ a: [day(0, 2)], b: [day(0, 1), day(2, 10)] });
  });
});

describe("several leaders in one account", () => {
  test("one of them is the same as that one alone, chosen all the time or named", () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const [positions, terms] = [inventMarket(seed), inventTerms(seed)];
      const alone = run(positions, terms);
      const always = [{ from: terms.from, to: terms.to }];
      expect(
        run(
          positions.map((position) => ({ ...position, leader: 3 })),
          terms,
        ),
      ).toEqual(alone);
      expect(
        run(
          positions.map((position) => ({ ...position, chosen: always })),
          terms,
        ),
      ).toEqual(alone);
    }
  });

  test("share the account's cash, and the bridge adds up to the cent", () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const both = [1, 2].flatMap((leader) =>
        inventMarket(100 * leader + seed, { tokens: 3 }).map((position) => ({ ...position, leader })),
      );
      const terms = { ...inventTerms(seed), capitalUsd: 150 };
      const { bridge, orders } = run(both, terms);
      const { netUsd, ...steps } = bridge;
      const cents = Object.values(steps).reduce((sum, usd) => sum + Math.round(usd * 100), 0);
      expect([seed, cents]).toEqual([seed, Math.round(netUsd * 100)]);
      let cash = toMicro(terms.capitalUsd);
      for (const { side, skipped, usd, fee } of orders) {
        if (skipped !== null) continue;
        cash -= side === "buy" ? usd + fee : fee - usd;
        if (side === "buy" && cash < 0) throw new Error(`seed ${seed}: spent what there was not`);
      }
    }
  });

  test("a leader's buys are copied while chosen, and what was copied is sold as they sell", () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const terms = { ...inventTerms(seed), copyOpen: false };
      const chosen = [{ from: terms.from + DAY_MS, to: terms.from + 2 * DAY_MS }];
      const { orders } = run(
        inventMarket(seed).map((position) => ({ ...position, chosen })),
        terms,
      );
      const bought = new Set<number>();
      for (const { side, leaderAt, position } of orders) {
        if (leaderAt === null) continue;
        const isWithin = leaderAt >= terms.from + DAY_MS && leaderAt < terms.from + 2 * DAY_MS;
        if (side === "buy") expect([seed, isWithin]).toEqual([seed, true]);
        else expect([seed, bought.has(position)]).toEqual([seed, true]);
        if (side === "buy") bought.add(position);
      }
    }
  });
});
