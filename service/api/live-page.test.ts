import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Page } from "../upstream/port.ts";
import { BEGINNING, type LivePlace, readPlace, writePlace } from "./cursor.ts";
import { takeRows } from "./live-page.ts";

interface Row {
  id: string;
  at: number;
}

/** An upstream that lists newest first and whose cursor names the last row of a page. */
function upstreamPage(rows: readonly Row[], size: number, cursor: string | null): Page<Row> {
  const from = cursor === null ? 0 : rows.findIndex((row) => row.id === cursor) + 1;
  const page = rows.slice(from, from + size);
  const more = rows.length > from + size;
  return { rows: page, nextCursor: more ? String(page.at(-1)?.id) : null };
}

test("a walk returns every row that existed at its start once, whatever arrives meanwhile", () => {
  const walks = fc.record({
    rows: fc.integer({ min: 0, max: 60 }),
    size: fc.integer({ min: 1, max: 20 }),
    limit: fc.integer({ min: 1, max: 25 }),
    arrivals: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 40 }),
  });
  fc.assert(
    fc.property(walks, ({ rows: count, size, limit, arrivals }) => {
      let newest = 0;
      const arrive = (): Row => ({ id: `r${++newest}`, at: 1_000 + newest });
      let rows = Array.from({ length: count }, arrive).reverse();
      const first = rows.map((row) => row.id);
      const given: string[] = [];
      let place: LivePlace = BEGINNING;
      for (let step = 0; ; step++) {
        const page = upstreamPage(rows, size, place.upstreamCursor);
        const taken = takeRows(page, place, limit, ({ id, at }) => ({ id, value: at }));
        expect(taken.rows.length).toBeLessThanOrEqual(limit);
        given.push(...taken.rows.map((row) => row.id));
        if (taken.nextCursor === null) break;
        const next = readPlace(taken.nextCursor);
        if (next.kind !== "live") throw new Error("a live walk left its page");
        place = next;
        const arrived = Array.from({ length: arrivals[step] ?? 0 }, arrive).reverse();
        rows = [...arrived, ...rows];
      }
      expect(new Set(given).size).toBe(given.length);
      expect(first.filter((id) => !given.includes(id))).toEqual([]);
    }),
  );
});

test("a place is read back as it was written, and anything else is refused", () => {
  const after = fc.record({
    part: fc.constantFrom("open" as const, "rows" as const),
    value: fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
    id: fc.uuid(),
  });
  const upstreamCursor = fc.option(fc.stringMatching(/^[A-Za-z0-9_.:-]{1,80}$/), { nil: null });
  fc.assert(
    fc.property(fc.option(after, { nil: null }), upstreamCursor, (row, cursor) => {
      const live = { kind: "live", upstreamCursor: cursor, after: row } as const;
      expect(readPlace(String(writePlace(live)))).toEqual(live);
      if (row)
        expect(readPlace(String(writePlace({ kind: "kept", after: row })))).toEqual({
          kind: "kept",
          after: row,
        });
    }),
  );
  for (const text of [
    "",
    "live",
    "live:",
    "live:0:",
    "live:rows:1:a",
    "kept:",
    "kept:1:a",
    "kept:rows:x:a",
    "later:rows:1:a:",
  ])
    expect(() => readPlace(text)).toThrow();
});
