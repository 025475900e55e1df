// Theses: in every order, each once, as last captured, and "none" distinct from "never looked".
import { describe, expect, test } from "bun:test";
import type { Keyset } from "../../../database/keyset.ts";
import type { Thesis } from "../../../protocol/shapes/thesis.ts";
import { BASE, MIDNIGHT, SOLANA, thesis, token } from "../../../test/support/nouns.ts";
import { bind } from "../repository.ts";
import { expectBounded, recording, type StoreBench, withStore } from "../suite-support.ts";
import { type ThesisSort, theses as thesesOf } from "./theses.ts";

const ids = (theses: Thesis[]) => theses.map((one) => one.id);

export function thesesSuite(bench: StoreBench): void {
  describe("theses", () => {
    test(
      "page in every order, by network, token and trader",
      withStore(bench, async ({ theses }) => {
        const all = Array.from({ length: 30 }, (_, n) =>
          thesis({
            userId: `user-${n % 3}`,
            likes: n % 5 === 0 ? null : n % 4,
            createdAt: MIDNIGHT + (n % 10),
            token: token({ networkId: n % 2 === 0 ? SOLANA : BASE }),
          }),
        );
        await theses.save(all, MIDNIGHT);
        const walk = async (sort: ThesisSort) => {
          const rows: Thesis[] = [];
          for (let cursor: Keyset | null = null; ; ) {
            const page = await theses.byToken(token().address, { sort, limit: 7, cursor });
            rows.push(...page.rows);
            if (!page.next) return rows;
            cursor = page.next;
          }
        };
        for (const sort of ["recent", "likes", "stored"] as const) {
          expect(ids(await walk(sort)).sort()).toEqual(ids(all).sort());
        }
        const likes = (await walk("likes")).map((one) => one.likes ?? -1);
        expect(likes).toEqual([...likes].sort((a, b) => b - a));
        const recent = await theses.recent({ limit: 100, networkId: BASE });
        expect(ids(recent.rows).sort()).toEqual(
          ids(all.filter((one) => one.token.networkId === BASE)).sort(),
        );
        expect((await theses.recent({ limit: 3 })).rows.map((one) => one.createdAt)).toEqual(
          Array(3).fill(MIDNIGHT + 9),
        );
        const mine = await theses.byTrader("user-1", { sort: "likes", limit: 99, networkId: SOLANA });
        expect(mine.rows).toHaveLength(5);
        const ours = await theses.byTraderAndToken("user-1", token().address, { limit: 99 });
        expect(ours.rows).toHaveLength(10);
        expect((await theses.byTraderAndToken("user-1", "other", { limit: 99 })).rows).toEqual([]);
        expect(await theses.count()).toBe(30);
        expect(await theses.countForToken(token().address, BASE, MIDNIGHT + 5)).toBe(9);
        expect(await theses.prune(MIDNIGHT + 1, 2)).toBe(2);
        expect(await theses.count()).toBe(28);
      }),
    );

    test(
      "keep upstream's order for a token, and lose their place when upstream no longer lists them",
      withStore(bench, async ({ theses }) => {
        const [a, b, c] = [thesis(), thesis(), thesis()];
        const of = { address: token().address, networkId: SOLANA };
        expect(await theses.tokenCapture(of.address)).toBeNull();
        await theses.saveForToken(of, [c, a, b], { capturedAt: MIDNIGHT, complete: false });
        const stored = async () => ids((await theses.byToken(of.address, { sort: "stored", limit: 9 })).rows);
        expect(await stored()).toEqual(ids([c, a, b]));
        await theses.saveForToken(of, [b, c], { capturedAt: MIDNIGHT + 1, complete: true });
        expect(await stored()).toEqual(ids([b, c, a]));
        // A thesis that was since captured elsewhere keeps its place in the token's list.
        await theses.save([{ ...c, text: "newer" }], MIDNIGHT + 9);
        await theses.saveForToken(of, [c, b], { capturedAt: MIDNIGHT + 2, complete: true });
        expect(await stored()).toEqual(ids([c, b, a]));
        expect((await theses.byId(c.id))?.text).toBe("newer");
        await theses.saveForToken(of, [b, c], { capturedAt: MIDNIGHT + 3, complete: true });
        // A stale answer changes nothing.
        await theses.saveForToken(of, [a], { capturedAt: MIDNIGHT, complete: false });
        expect(await stored()).toEqual(ids([b, c, a]));
        expect(await theses.tokenCapture(of.address, SOLANA)).toEqual({
          capturedAt: MIDNIGHT + 3,
          complete: true,
        });
        expect(await theses.tokenCapture(of.address, BASE)).toBeNull();
        await theses.saveForToken({ ...of, networkId: BASE }, [], { capturedAt: MIDNIGHT, complete: true });
        expect(await theses.tokenCapture(of.address, BASE)).toEqual({ capturedAt: MIDNIGHT, complete: true });
      }),
    );

    test(
      "do not lose a count of likes to a source that does not count, nor a full row to an event's",
      withStore(bench, async ({ theses }) => {
        const full = thesis({ likes: 12 });
        await theses.save([full], MIDNIGHT);
        await theses.save([{ ...full, likes: null, replies: 3 }], MIDNIGHT + 1);
        expect(await theses.byId(full.id)).toEqual({ ...full, likes: 12, replies: 3 });
        expect(await theses.saveNew([{ ...full, text: "" }, thesis()], MIDNIGHT + 2)).toBe(1);
        expect((await theses.byId(full.id))?.text).toBe(full.text);
        expect(await theses.byId("none")).toBeNull();
      }),
    );

    test(
      "are never paged by scanning or sorting the table",
      withStore(bench, async (store) => {
        const { database, statements } = recording(store.database);
        const theses = bind(database, thesesOf);
        const query = { limit: 5, cursor: { value: 5, id: "x" } };
        await theses.recent(query);
        await theses.recent({ ...query, networkId: BASE });
        for (const sort of ["recent", "likes", "stored"] as const) {
          await theses.byToken("t", { ...query, sort, networkId: BASE });
        }
        for (const sort of ["recent", "likes"] as const) await theses.byTrader("u", { ...query, sort });
        await theses.byTraderAndToken("u", "t", query);
        const indexes = ["recent", "network_recent", "token_recent", "token_likes", "token_rank"];
        indexes.push("user_recent", "user_likes", "user_token");
        expect(statements).toHaveLength(indexes.length);
        for (const [n, statement] of statements.entries()) {
          await expectBounded(store.database, statement, `thesis_${indexes[n]}`);
        }
      }),
    );
  });
}
