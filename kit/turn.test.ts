// Turns of the event loop: each loop that gives way goes on in one of its own.
import { expect, test } from "bun:test";
import { nextTurn } from "./turn.ts";

/** In which turn of the event loop each piece of work was done. */
async function piecesOf(loops: number, pieces: number): Promise<number[]> {
  let turn = 0;
  let running = true;
  const count = () => {
    turn++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const done: number[] = [];
  const loop = async () => {
    for (let piece = 0; piece < pieces; piece++) {
      await nextTurn();
      done.push(turn);
    }
  };
  await Promise.all(Array.from({ length: loops }, loop));
  running = false;
  return done;
}

test("what several loops do never shares a turn of the event loop", async () => {
  const turns = await piecesOf(5, 8);
  expect(turns).toHaveLength(40);
  expect(new Set(turns).size).toBe(turns.length);
});

test("those who wait go on in the order in which they came", async () => {
  const order: number[] = [];
  await Promise.all([1, 2, 3].map((one) => nextTurn().then(() => order.push(one))));
  expect(order).toEqual([1, 2, 3]);
});
