// An export of everybody's positions contains each once, can continue in the middle of a trader, and never passes off a part
// as everything.
import { expect, test } from "bun:test";
import type { Fields } from "../src/operation.ts";
import { type EverybodysWalk, everybodysPositions } from "./everybodys-positions.ts";

const TRADERS = [["anna"], ["Bert", "carl"]];

/** Three positions per trader, in pages of two; optionally Bert's are only the captured ones. */
function client(isBertCut = false): Parameters<typeof everybodysPositions>[0] {
  async function* listTraders() {
    for (const traders of TRADERS) yield { traders: traders.map((handle) => ({ handle })) };
  }
  async function* listPositions({ handle, cursor = "start" }: { handle: string; cursor?: string }) {
    const note = isBertCut && handle === "Bert" ? "These were captured." : null;
    const rows = [1, 2, 3].map((n) => ({ tradeId: `${handle} ${n}` }));
    if (cursor === "start") yield { positions: rows.slice(0, 2), nextCursor: "2", complete: false, note };
    yield { positions: rows.slice(2), nextCursor: null, complete: false, note };
  }
  return { pages: { listTraders, listPositions } } as never;
}

const ALL = ["anna", "Bert", "carl"].flatMap((handle) => [1, 2, 3].map((n) => `${handle} ${n}`));

async function walk(given: Partial<EverybodysWalk>, isBertCut = false) {
  const pages: Fields[] = [];
  const wanted = { input: {}, place: null, isPartial: false, ...given };
  for await (const page of everybodysPositions(client(isBertCut), wanted)) pages.push(page);
  return pages;
}

const idsOf = (pages: readonly Fields[]) =>
  pages.flatMap(({ positions }) => (positions as { tradeId: string }[]).map(({ tradeId }) => tradeId));

test("everybody's positions come once each, from any starting point", async () => {
  const pages = await walk({});
  expect(idsOf(pages)).toEqual(ALL);
  expect(pages.at(-1)).toMatchObject({ nextCursor: null, complete: true, note: null });
  for (const [n, { nextCursor }] of pages.slice(0, -1).entries()) {
    const rest = await walk({ place: String(nextCursor) });
    expect(idsOf(rest)).toEqual(ALL.slice(idsOf(pages.slice(0, n + 1)).length));
  }
});

test("a trader with incomplete positions is an error, or with --partial is counted", async () => {
  await expect(walk({}, true)).rejects.toThrow(
    "Not all positions of @Bert can be exported: These were captured. Add --partial",
  );
  const pages = await walk({ isPartial: true }, true);
  expect(idsOf(pages)).toEqual(ALL);
  expect(pages.at(-1)).toMatchObject({
    complete: false,
    note: "Not all positions of these are there: Bert.",
  });
});
