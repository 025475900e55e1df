// Paper follows: held by one node at a time, written only by the holder from the version it read, with a log per account.
import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../kit/units.ts";
import { MIDNIGHT } from "../../../test/support/nouns.ts";
import { type StoreBench, withStore } from "../suite-support.ts";
import {
  advanceFollow,
  anyFollow,
  bookPaper,
  claimFollows,
  countFollows,
  endFollow,
  findFollow,
  followsOf,
  insertFollow,
  leaveFollows,
  paperHeads,
  paperOfFollow,
  pruneFollows,
  type StoredFollow,
  stopFollow,
} from "./follows.ts";
import { testFollow } from "./test-follow.ts";

const followNamed = (followId: string, accountId = "a") =>
  testFollow({ followId, accountId, userId: "leader", handle: "leader", position: 5, createdAt: MIDNIGHT });

const event = (followId: string, number: number) => ({
  followId,
  number,
  bookedAt: MIDNIGHT,
  body: `${followId} ${number}`,
});

export function followsSuite(bench: StoreBench): void {
  describe("paper follows", () => {
    test(
      "are held by one node, pass to another when its hold runs out, and are written by their holder only",
      withStore(bench, async ({ database }) => {
        const claim = (holder: string, now: number, known: string[] = []) =>
          database.write((tx) => claimFollows(tx, { holder, now, leaseMs: 100, heldMax: 2, known }));
        const ids = (rows: readonly StoredFollow[]) => rows.map(({ followId }) => followId);
        expect(await anyFollow(database.read)).toBe(false);
        for (const id of ["f1", "f2", "f3"]) await database.write((tx) => insertFollow(tx, followNamed(id)));
        const first = await claim("one", MIDNIGHT);
        expect([first.held.length, first.taken.length]).toEqual([2, 2]);
        const second = await claim("two", MIDNIGHT);
        expect(new Set([...ids(first.taken), ...ids(second.taken)])).toEqual(new Set(["f1", "f2", "f3"]));
        // Renewed, it stays; rows already in its node's memory are not read again.
        expect(await claim("one", MIDNIGHT + 90, first.held)).toMatchObject({ taken: [] });
        const [mine] = first.taken as [StoredFollow];
        const write = (holder: string, follow: StoredFollow) =>
          database.write((tx) =>
            advanceFollow(tx, holder, { ...follow, position: 9, orders: 2, paidBlocks: 1 }),
          );
        expect([await write("two", mine), await write("one", mine), await write("one", mine)]).toEqual([
          false,
          true,
          false,
        ]);
        const later = await claim("two", MIDNIGHT + 190, second.held);
        const taken = later.taken.find(({ followId }) => followId === mine.followId) ?? mine;
        // A stale node finds another version.
        expect(await write("one", { ...mine, version: mine.version + 1 })).toBe(false);
        await database.write((tx) => stopFollow(tx, "a", taken.followId, MIDNIGHT));
        expect(await write("two", taken)).toBe(false);
        await database.write((tx) => leaveFollows(tx, "two"));
        expect((await claim("three", MIDNIGHT)).held.length).toBeGreaterThan(0);
        expect(await countFollows(database.read, "a", "active")).toBe(2);
        expect(await findFollow(database.read, "b", "f1")).toBeNull();
      }),
    );

    test(
      "book each number once, in a log of their account's without gaps, and are forgotten with it",
      withStore(bench, async ({ database }) => {
        for (const [id, account] of [
          ["f1", "a"],
          ["f2", "a"],
          ["f3", "b"],
        ] as const)
          await database.write((tx) => insertFollow(tx, followNamed(id, account)));
        const book = (account: string, id: string, ...numbers: number[]) =>
          database.write((tx) =>
            bookPaper(
              tx,
              account,
              numbers.map((number) => event(id, number)),
            ),
          );
        expect([await book("a", "f1", 0, 1), await book("b", "f3", 0), await book("a", "f2", 0)]).toEqual([
          2, 1, 3,
        ]);
        await expect(book("a", "f1", 1)).rejects.toThrow();
        expect(await book("a", "f1", 2)).toBe(4);
        const heads = await paperHeads(database.read, ["a", "b", "booked nothing"]);
        expect([...heads].sort()).toEqual([
          ["a", 4],
          ["b", 1],
        ]);
        const rows = await paperOfFollow(database.read, "f1", 1, 10);
        expect(rows.map(({ seq, number, body }) => [seq, number, body])).toEqual([
          [2, 1, "f1 1"],
          [4, 2, "f1 2"],
        ]);
        const [held] = (
          await database.write((tx) =>
            claimFollows(tx, { holder: "h", now: MIDNIGHT, leaseMs: 9, heldMax: 9, known: [] }),
          )
        ).taken as [StoredFollow];
        await database.write((tx) => endFollow(tx, "h", held, "gone", MIDNIGHT));
        const ended = (await followsOf(database.read, "a")).find(({ followId }) => followId === "f1");
        expect(ended).toMatchObject({ status: "stopped", note: "gone", stoppedAt: MIDNIGHT });
        const prune = () => database.write((tx) => pruneFollows(tx, MIDNIGHT + DAY_MS));
        expect([await prune(), await prune(), await prune()]).toEqual([3, 1, 0]);
        expect((await followsOf(database.read, "a")).map(({ followId }) => followId)).toEqual(["f2"]);
      }),
    );
  });
}
