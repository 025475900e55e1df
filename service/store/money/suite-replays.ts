// Replays requested by accounts: held by one process at a time, fenced by its name.
import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../kit/units.ts";
import { MIDNIGHT } from "../../../test/support/nouns.ts";
import { type StoreBench, withStore } from "../suite-support.ts";
import {
  beatReplay,
  cancelReplay,
  countRunning,
  dropOldest,
  failReplay,
  findOrderPage,
  findReplay,
  finishReplay,
  holdReplay,
  pruneReplays,
  SILENT_AFTER_MS,
  saveOrderPages,
} from "./replays.ts";

const NAME = { accountId: "a", replayId: "rpl_1" };
const ONE = { ...NAME, holder: "one" };
const TWO = { ...NAME, holder: "two" };
const DONE = { answer: "{}", orders: 3, credits: 1_250 };

export function replaysSuite(bench: StoreBench): void {
  describe("replays", () => {
    test(
      "are held by one process, and pass to another on failure, cancellation or missing heartbeats",
      withStore(bench, async ({ database }) => {
        const { read } = database;
        const hold = (held: typeof ONE, at: number) =>
          database.write((tx) => holdReplay(tx, held, '{"q":1}', at));
        const beat = (held: typeof ONE, at: number) => database.write((tx) => beatReplay(tx, held, 40, at));
        expect([await hold(ONE, MIDNIGHT), await hold(TWO, MIDNIGHT)]).toEqual([true, false]);
        expect(await beat(ONE, MIDNIGHT + 1_000)).toBe(true);
        expect(await findReplay(read, NAME)).toMatchObject({ status: "running", progress: 40, credits: 0 });
        expect(await countRunning(read, "a", MIDNIGHT + 1_000)).toBe(1);
        const late = MIDNIGHT + 1_000 + SILENT_AFTER_MS;
        expect([await hold(TWO, late - 1), await countRunning(read, "a", late)]).toEqual([false, 0]);
        expect(await hold(TWO, late)).toBe(true);
        // A process that was cut off can't write anything more.
        expect(await beat(ONE, late)).toBe(false);
        expect(await database.write((tx) => finishReplay(tx, ONE, DONE, late))).toBe(false);
        await database.write((tx) => failReplay(tx, TWO, "away"));
        expect(await findReplay(read, NAME)).toMatchObject({ status: "failed", note: "away" });
        expect(await hold(ONE, late)).toBe(true);
        await database.write((tx) => cancelReplay(tx, NAME));
        expect([await beat(ONE, late), await hold(TWO, late)]).toEqual([false, true]);
        expect(await database.write((tx) => finishReplay(tx, TWO, DONE, late))).toBe(true);
        await database.write((tx) => cancelReplay(tx, NAME));
        expect(await hold(ONE, late + DAY_MS)).toBe(false);
        expect(await findReplay(read, NAME)).toMatchObject({ status: "done", ...DONE, question: '{"q":1}' });
        expect(await findReplay(read, { ...NAME, accountId: "b" })).toBeNull();
      }),
    );

    test(
      "keep pages of orders, and are forgotten with them by age and beyond a number",
      withStore(bench, async ({ database }) => {
        for (let day = 0; day < 5; day++) {
          const name = { accountId: "a", replayId: `rpl_${day}` };
          await database.write((tx) =>
            holdReplay(tx, { ...name, holder: "h" }, "{}", MIDNIGHT + day * DAY_MS),
          );
          await database.write((tx) => saveOrderPages(tx, name, 0, ["x", "b"]));
          await database.write((tx) => saveOrderPages(tx, name, 0, ["a"]));
        }
        const page = (day: number, at: number) =>
          findOrderPage(database.read, { accountId: "a", replayId: `rpl_${day}` }, at);
        expect([await page(0, 0), await page(0, 1), await page(0, 2)]).toEqual(["a", "b", null]);
        const before = MIDNIGHT + 2 * DAY_MS;
        const prune = () => database.write((tx) => pruneReplays(tx, before, 1));
        expect([await prune(), await prune(), await prune()]).toEqual([1, 1, 0]);
        await database.write((tx) => dropOldest(tx, "a", 2, MIDNIGHT + 5 * DAY_MS));
        expect(await Promise.all([0, 1, 2, 3, 4].map((day) => page(day, 0)))).toEqual([
          null,
          null,
          null,
          "a",
          "a",
        ]);
      }),
    );

    test(
      "beyond a number are forgotten in the order they ended, and not while they run",
      withStore(bench, async ({ database }) => {
        const held = (replayId: string) => ({ accountId: "a", replayId, holder: "h" });
        const hold = (replayId: string, at: number) =>
          database.write((tx) => holdReplay(tx, held(replayId), "{}", at));
        const finish = (replayId: string, at: number) =>
          database.write((tx) => finishReplay(tx, held(replayId), DONE, at));
        const drop = (at: number) => database.write((tx) => dropOldest(tx, "a", 2, at));
        const kept = async () => {
          const ids = ["long", "first", "second", "third"];
          const rows = await Promise.all(ids.map((id) => findReplay(database.read, held(id))));
          return ids.filter((_, index) => rows[index] !== null);
        };
        await hold("long", MIDNIGHT);
        for (const [index, id] of ["first", "second", "third"].entries()) {
          await hold(id, MIDNIGHT + index);
          await finish(id, MIDNIGHT + 10 + index);
        }
        await drop(MIDNIGHT + 20);
        expect(await kept()).toEqual(["long", "second", "third"]);
        await finish("long", MIDNIGHT + 30);
        await drop(MIDNIGHT + 30);
        expect(await kept()).toEqual(["long", "third"]);
        // Its process was cut off.
        await hold("first", MIDNIGHT + 50);
        await drop(MIDNIGHT + 50 + SILENT_AFTER_MS);
        expect(await kept()).toEqual(["long", "first"]);
      }),
    );
  });
}
