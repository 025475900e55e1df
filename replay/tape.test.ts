import { expect, test } from "bun:test";
import { TapeBuilder, type Tick, type TokenTape, tapeOf } from "./tape.ts";

test("a tape that is read in pieces is the one that is read at once", () => {
  const ticks = Array.from(
    { length: 1_000 },
    (_, place): Tick => ({
      at: 6_000 * place,
      priceUsd: 1 + (place % 7),
      depthUsd: place % 5 === 0 ? null : 100 * place,
      feeBps: place % 3,
    }),
  );
  const candles = [{ closesAt: 60_000, priceUsd: 2 }];
  const builder = new TapeBuilder();
  for (const [from, to] of [
    [0, 1],
    [1, 1],
    [1, 64],
    [64, 700],
    [700, 1_000],
  ])
    builder.add(ticks.slice(from, to));
  // Typed arrays with a NaN in them are never equal to the matcher.
  const plain = (tape: TokenTape) => Object.entries(tape).map(([name, column]) => [name, [...column]]);
  expect(builder.length).toBe(ticks.length);
  const whole = tapeOf(ticks, candles);
  expect(plain(builder.tape(candles))).toEqual(plain(whole));
  expect([...whole.at]).toEqual(ticks.map(({ at }) => at));
  expect([...whole.depth]).toEqual(ticks.map(({ depthUsd }) => depthUsd ?? Number.NaN));
});
