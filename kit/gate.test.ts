import { describe, expect, test } from "bun:test";
import { createGate } from "./gate.ts";

const staying = new AbortController().signal;

describe("gate", () => {
  test("lets a stated number in, queues as many, refuses the rest, and keeps the order", async () => {
    const gate = createGate(1, 2);
    const order: string[] = [];
    const first = await gate.enter(staying);
    const second = gate.enter(staying).finally(() => order.push("second"));
    const third = gate.enter(staying).finally(() => order.push("third"));
    expect(await gate.enter(staying)).toBe("busy");
    if (typeof first === "string") throw new Error("the first should be in");
    first();
    first();
    const leave = await second;
    expect(gate.underWay()).toBe(1);
    if (typeof leave === "string") throw new Error("the second should be in");
    leave();
    await third;
    expect(order).toEqual(["second", "third"]);
  });

  test("one that gives up while waiting leaves its place", async () => {
    const gate = createGate(1, 1);
    await gate.enter(staying);
    const leaving = new AbortController();
    const waiting = gate.enter(leaving.signal);
    leaving.abort();
    expect(await waiting).toBe("gone");
    expect(gate.waiting()).toBe(0);
    expect(await gate.enter(leaving.signal)).toBe("gone");
  });
});
