// Turns of the event loop: each loop that yields continues in its own turn.
import { expect, test } from "bun:test";
import { countTurns } from "../test/support/turns.ts";
import { createSharedTurn, nextTurn, servingTurn } from "./turn.ts";

/** In which turn of the event loop each piece of work was done. */
async function piecesOf(loops: number, pieces: number): Promise<number[]> {
  const turns = countTurns();
  const done: number[] = [];
  const loop = async () => {
    for (let piece = 0; piece < pieces; piece++) {
      await nextTurn();
      done.push(turns.now());
    }
  };
  await Promise.all(Array.from({ length: loops }, loop));
  turns.stop();
  return done;
}

test("several loops never share a turn of the event loop", async () => {
  const turns = await piecesOf(5, 8);
  expect(turns).toHaveLength(40);
  expect(new Set(turns).size).toBe(turns.length);
});

test("waiters continue in order of arrival", async () => {
  const order: number[] = [];
  await Promise.all([1, 2, 3].map((one) => nextTurn().then(() => order.push(one))));
  expect(order).toEqual([1, 2, 3]);
});

test("an answer goes before background work, which still gets one turn in four", async () => {
  const order: string[] = [];
  const loop = async (name: string, turn: () => Promise<void>, pieces: number) => {
    for (let piece = 0; piece < pieces; piece++) {
      await turn();
      order.push(name);
    }
  };
  await Promise.all([
    ...Array.from({ length: 5 }, () => loop("background", nextTurn, 4)),
    loop("answer", servingTurn, 9),
  ]);
  expect(order).toHaveLength(29);
  expect(order.lastIndexOf("answer")).toBeLessThan(24);
  // Neither waits until the other has finished.
  const first = order.slice(0, order.lastIndexOf("answer") + 1);
  expect(first.filter((name) => name === "background").length).toBeGreaterThanOrEqual(2);
});

test("answers and background work never share a turn either", async () => {
  const turns = countTurns();
  const done: number[] = [];
  const loop = async (turn: () => Promise<void>) => {
    for (let piece = 0; piece < 6; piece++) {
      await turn();
      done.push(turns.now());
    }
  };
  await Promise.all([loop(nextTurn), loop(servingTurn), loop(servingTurn), loop(nextTurn)]);
  turns.stop();
  expect(new Set(done).size).toBe(24);
});

test("short pieces of work share a turn; after a long one, or many, the next waits for another", async () => {
  const turns = countTurns();
  let time = 0;
  const shared = createSharedTurn(() => time);
  const piece = (takesMs: number) =>
    shared(() => {
      time += takesMs;
      return { turn: turns.now() };
    });
  const done = (await Promise.all([1, 1, 1, 1, 1, 9, 9, 1].map(piece))).map(({ turn }) => turn);
  const [a, b, c, d, e, f, g, h] = done as [number, number, number, number, number, number, number, number];
  expect(new Set([a, b, c, d]).size).toBe(1);
  expect(new Set([a, e, f, g, h]).size).toBe(5);
  await nextTurn();
  expect(() =>
    shared(() => {
      throw new Error("no");
    }),
  ).toThrow("no");
  turns.stop();
});
