// Traders and tokens: found by every name they have, the newest owner of a handle first, changes never missed.
import { describe, expect, test } from "bun:test";
import type { Trader } from "../../../protocol/shapes/trader.ts";
import { BASE, MIDNIGHT, tokenInfo, trader } from "../../../test/support/nouns.ts";
import { type StoreBench, withStore } from "../suite-support.ts";

export function directorySuite(bench: StoreBench): void {
  describe("the directory of traders", () => {
    test(
      "finds a trader by id, by handle in any case and with @, and by a former handle",
      withStore(bench, async ({ traders }) => {
        const ansem = trader({ handle: "Ansem", formerHandles: ["blknoiz06"] });
        expect(await traders.save([ansem, trader()], MIDNIGHT)).toBe(2);
        expect(await traders.byId(ansem.userId)).toEqual(ansem);
        expect(await traders.byHandle("@ANSEM")).toEqual(ansem);
        expect(await traders.byHandle("Blknoiz06")).toEqual(ansem);
        expect(await traders.byHandle("stranger")).toBeNull();
        expect(await traders.byHandle("not a handle!")).toBeNull();
        expect(await traders.byIds([ansem.userId, "stranger"])).toEqual([ansem]);
        expect(await traders.count()).toBe(2);
      }),
    );

    test(
      "finds a renamed trader by both handles until another trader takes the old one",
      withStore(bench, async ({ traders }) => {
        const first = trader({ handle: "old" });
        await traders.save([first], MIDNIGHT);
        const renamed: Trader = { ...first, handle: "new" };
        await traders.save([renamed], MIDNIGHT);
        expect(await traders.byHandle("new")).toEqual(renamed);
        expect(await traders.byHandle("old")).toEqual(renamed);
        const taker = trader({ handle: "OLD" });
        await traders.save([taker], MIDNIGHT);
        expect(await traders.byHandle("old")).toEqual(taker);
        // The first one's claim to it is in the past, even when it is sent again.
        const again: Trader = { ...renamed, formerHandles: ["old"], followers: 9 };
        await traders.save([again], MIDNIGHT);
        expect(await traders.byHandle("old")).toEqual(taker);
        expect(await traders.byHandle("new")).toEqual(again);
      }),
    );

    test(
      "lets two traders swap handles in one batch",
      withStore(bench, async ({ traders }) => {
        const [a, b] = [trader({ handle: "left" }), trader({ handle: "right" })];
        await traders.save([a, b], MIDNIGHT);
        await traders.save(
          [
            { ...a, handle: "right" },
            { ...b, handle: "left" },
          ],
          MIDNIGHT,
        );
        expect((await traders.byHandle("right"))?.userId).toBe(a.userId);
        expect((await traders.byHandle("left"))?.userId).toBe(b.userId);
      }),
    );

    test(
      "returns every change after a version once, and only real changes",
      withStore(bench, async ({ traders }) => {
        const many = Array.from({ length: 700 }, () => trader());
        await traders.save(many, MIDNIGHT);
        const late = trader();
        await traders.save([late, ...many.slice(0, 10)], MIDNIGHT + 1);
        const seen: string[] = [];
        let version = 0;
        for (let more = true; more; ) {
          const changes = await traders.changedAfter(version, 100);
          seen.push(...changes.rows.map((row) => row.userId));
          ({ version, more } = changes);
        }
        expect([...seen].sort()).toEqual([...many, late].map((row) => row.userId).sort());
        expect(seen.at(-1)).toBe(late.userId);
        expect(await traders.changedAfter(version, 100)).toEqual({ rows: [], version, more: false });
        expect(await traders.save(many, MIDNIGHT + 2)).toBe(0);
        expect((await traders.changedAfter(version, 100)).rows).toEqual([]);
      }),
    );
  });

  describe("the directory of tokens", () => {
    test(
      "finds a token by network and address, and all of an address, EVM ones in any case",
      withStore(bench, async ({ tokens }) => {
        const address = "0x6982508145454Ce325dDbE47a25d4ec3d2311933";
        const onBase = tokenInfo({ address, networkId: BASE });
        const onEth = tokenInfo({ address, networkId: 1 });
        const solana = tokenInfo();
        expect(await tokens.save([onBase, onEth, solana], MIDNIGHT)).toBe(3);
        expect(await tokens.find(address.toLowerCase(), BASE)).toEqual(onBase);
        expect(await tokens.find(address, 56)).toBeNull();
        expect(await tokens.byAddress(address.toUpperCase().replace("0X", "0x"))).toEqual([onEth, onBase]);
        expect(await tokens.byAddress(solana.address.toLowerCase())).toEqual([]);
        expect(await tokens.save([{ ...onBase, priceUsd: 3 }, onEth], MIDNIGHT)).toBe(1);
        expect((await tokens.find(address, BASE))?.priceUsd).toBe(3);
        expect((await tokens.changedAfter(1, 10)).rows).toEqual([{ ...onBase, priceUsd: 3, asOf: MIDNIGHT }]);
        expect(await tokens.count()).toBe(3);
      }),
    );
  });
}
