import { expect, test } from "bun:test";
import { DAY_MS } from "../../kit/units.ts";
import { smallWorld } from "../world/test-worlds.ts";
import { profitMoment } from "./pnl.ts";
import { Trailing } from "./trailing.ts";
import { View } from "./view.ts";

test("books that one answer moves in slices are consistent for another that reads in between, and for both afterwards", () => {
  const world = smallWorld("trailing", { seconds: 4 * 86_400, rate: 0.05, traders: 60 });
  world.advance(Number.POSITIVE_INFINITY);
  const view = new View(world);
  const now = profitMoment(view);
  const booksAt = (books: Trailing, moment: number) => {
    expect(books.moveTo(moment)).toBe(true);
    return view.context.population.traders.map(({ index }) => books.valued(index));
  };
  const [right, rightBefore] = [now, now - 2 * DAY_MS].map((moment) => booksAt(new Trailing(view), moment));
  for (const first of [now, null]) {
    const books = new Trailing(view);
    if (first !== null) books.moveTo(first);
    const slow = books.moveInSlices(now - 2 * DAY_MS);
    let slices = 0;
    for (; slices < 3 && !slow.next().done; slices++);
    expect(slices).toBeGreaterThan(1);
    expect(booksAt(books, now)).toEqual(right as never);
    for (; !slow.next().done; );
    expect(booksAt(books, now - 2 * DAY_MS)).toEqual(rightBefore as never);
    expect(booksAt(books, now)).toEqual(right as never);
  }
});
