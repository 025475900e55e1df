// Hourly leaderboard ranks.
import { describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../../kit/units.ts";
import { MIDNIGHT } from "../../../test/support/nouns.ts";
import { type StoreBench, withStore } from "../suite-support.ts";

export function pastRanksSuite(bench: StoreBench): void {
  describe("past ranks", () => {
    test(
      "an hour's ranking is found as it was first stored, or one of the few hours before it",
      withStore(bench, async ({ pastRanks }) => {
        const of = { window: "7d", hour: MIDNIGHT, source: "here" } as const;
        const first = { asOf: MIDNIGHT, ranks: [["a", 1] as const, ["b", 2] as const] };
        expect(await pastRanks.find("7d", MIDNIGHT)).toBeNull();
        await pastRanks.save(of, first);
        await pastRanks.save(of, { asOf: MIDNIGHT + 5, ranks: [["b", 1]] });
        const found = { ...first, hour: MIDNIGHT };
        expect(await pastRanks.find("7d", MIDNIGHT)).toMatchObject(found);
        expect(await pastRanks.find("7d", MIDNIGHT + 2 * HOUR_MS)).toMatchObject(found);
        expect(await pastRanks.find("7d", MIDNIGHT + 3 * HOUR_MS)).toBeNull();
        expect(await pastRanks.find("7d", MIDNIGHT - HOUR_MS)).toBeNull();
        expect(await pastRanks.find("30d", MIDNIGHT)).toBeNull();
        expect(await pastRanks.hours("7d", MIDNIGHT)).toEqual([MIDNIGHT]);
        expect(await pastRanks.hours("7d", MIDNIGHT + 1)).toEqual([]);
      }),
    );

    test(
      "old ones are forgotten, and those of another platform",
      withStore(bench, async ({ pastRanks }) => {
        const ranking = { asOf: MIDNIGHT, ranks: [] };
        for (const [hour, source] of [
          [-3, "here"],
          [-2, "here"],
          [-1, "there"],
          [0, "here"],
        ] as const)
          await pastRanks.save({ window: "all", hour: MIDNIGHT + hour * HOUR_MS, source }, ranking);
        await pastRanks.forget(MIDNIGHT - 2 * HOUR_MS, "here");
        expect(await pastRanks.hours("all", 0)).toEqual([MIDNIGHT - 2 * HOUR_MS, MIDNIGHT]);
      }),
    );
  });
}
