// Which traders were worth following: what is stored, and who is due next.
import { describe, expect, test } from "bun:test";
import { MIDNIGHT } from "../../../test/support/nouns.ts";
import { type StoreBench, withStore } from "../suite-support.ts";
import type { CopyBoardFigures } from "./copy-board.ts";

const figures = (low90Usd: number, doubts: CopyBoardFigures["doubts"] = []): CopyBoardFigures => ({
  pnlUsd: low90Usd + 10,
  roi: 0.1,
  low90Usd,
  high90Usd: low90Usd + 20,
  verdict: doubts.length > 0 ? "too_few" : "copyable",
  doubts,
  orders: 80,
  roundTrips: 40,
  covered: 1,
});

export function copyBoardSuite(bench: StoreBench): void {
  describe("the board of who was worth following", () => {
    test(
      "gives each trader a turn, ranks those with enough data first, and drops those who stopped trading",
      withStore(bench, async ({ copyBoard }) => {
        expect(await copyBoard.standing()).toEqual({ traders: 0, replayed: 0, enteredAt: null });
        await copyBoard.enter(["a", "b", "c", "a"], MIDNIGHT);
        expect(await copyBoard.nextDue(MIDNIGHT - 1)).toBeNull();
        const order: string[] = [];
        const found: Record<string, CopyBoardFigures | null> = {
          a: figures(900, ["roundTrips"]),
          b: figures(-5, ["chance"]),
          c: figures(70),
        };
        for (let turn = 0; turn < 3; turn++) {
          const userId = String(await copyBoard.nextDue(MIDNIGHT));
          order.push(userId);
          const seven = found[userId] ?? null;
          await copyBoard.save(
            { userId, asOf: MIDNIGHT, dueAt: MIDNIGHT + 100 },
            { "7d": seven, "24h": null },
          );
        }
        expect(order).toEqual(["a", "b", "c"]);
        expect(await copyBoard.nextDue(MIDNIGHT)).toBeNull();
        const ranked = await copyBoard.ranked("7d", 10);
        expect(ranked.map(({ userId }) => userId)).toEqual(["c", "b", "a"]);
        expect(ranked[0]).toEqual({ ...figures(70), userId: "c", asOf: MIDNIGHT });
        expect(await copyBoard.ranked("24h", 10)).toEqual([]);

        await copyBoard.postpone("b", MIDNIGHT + 50);
        expect(await copyBoard.nextDue(MIDNIGHT + 99)).toBe("b");
        await copyBoard.enter(["b", "c", "d"], MIDNIGHT + 60);
        expect([await copyBoard.drop(MIDNIGHT + 60, 9), await copyBoard.drop(MIDNIGHT + 60, 9)]).toEqual([
          1, 0,
        ]);
        expect((await copyBoard.ranked("7d", 10)).map(({ userId }) => userId)).toEqual(["c", "b"]);
        expect(await copyBoard.standing()).toEqual({ traders: 3, replayed: 2, enteredAt: MIDNIGHT + 60 });
        // A trader who was forgotten meanwhile does not come back.
        await copyBoard.save({ userId: "a", asOf: MIDNIGHT, dueAt: MIDNIGHT }, { "7d": figures(900) });
        expect((await copyBoard.ranked("7d", 1)).map(({ userId }) => userId)).toEqual(["c"]);
      }),
    );
  });
}
