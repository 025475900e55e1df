// What is generated is what the contract says: the files are up to date, the types are the contract's own in both
// directions, and the ceiling of a call's price is the service's.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { ERROR_CODES } from "../../contract/errors.ts";
import type { ServerFrame } from "../../contract/frames.ts";
import type { AnswerOf } from "../../contract/route.ts";
import { ALL_ROUTES, type Routes } from "../../contract/routes.ts";
import { ERRORS } from "../src/errors.ts";
import {
  type AlertFrame,
  type GapFrame,
  type HeartbeatFrame,
  type Methods,
  OPERATIONS,
  type ResumedFrame,
  type RetractFrame,
  type TradeFrame,
  type WelcomeFrame,
} from "../src/generated.ts";
import { ceilingOf, requestOf } from "../src/operation.ts";
import { generatedFiles } from "./outputs.ts";

test("the generated files are what the generator writes; if not, npm run client:types", async () => {
  for (const [path, text] of Object.entries(await generatedFiles()))
    expect(await Bun.file(join(import.meta.dir, "../..", path)).text()).toBe(text);
});

/** A field that may be absent is the same whether or not undefined is written out. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { [Name in keyof T]: Plain<Exclude<T[Name], undefined>> }
    : T;
type Same<A, B> = [Plain<A>] extends [Plain<B>] ? ([Plain<B>] extends [Plain<A>] ? true : false) : false;
type AnswerIn<Id extends keyof Methods> = Awaited<ReturnType<Methods[Id]>>;
type Frame<Type extends ServerFrame["type"]> = Extract<ServerFrame, { type: Type }>;

test("each answer and frame has the contract's type, field by field", () => {
  // These do not compile when they are not true.
  const answers: { [Id in keyof Methods]: Same<AnswerIn<Id>, AnswerOf<Routes[Id]>> } = Object.fromEntries(
    Object.keys(OPERATIONS).map((id) => [id, true]),
  ) as { [Id in keyof Methods]: true };
  const frames: [
    Same<AlertFrame, Frame<"alert">>,
    Same<TradeFrame, Frame<"trade">>,
    Same<RetractFrame, Frame<"retract">>,
    Same<WelcomeFrame, Frame<"welcome">>,
    Same<HeartbeatFrame, Frame<"heartbeat">>,
    Same<ResumedFrame, Frame<"resumed">>,
    Same<GapFrame, Frame<"gap">>,
  ] = [true, true, true, true, true, true, true];
  expect(Object.keys(answers)).toEqual(ALL_ROUTES.map(({ id }) => id));
  expect(frames).not.toContain(false as never);
});

test("every error code has a class", () => {
  expect(Object.keys(ERRORS)).toEqual(Object.keys(ERROR_CODES));
});

test("a call's ceiling is its price times the units that the service would ask a balance for", () => {
  for (const route of ALL_ROUTES) {
    const row = OPERATIONS[route.id as keyof Methods];
    const tried = [{}, ...triedInputs(Object.keys(route.query.shape))];
    for (const input of tried) {
      const read = route.query.safeParse(input);
      if (!read.success) continue;
      const units = route.unitsMax?.(read.data) ?? 1;
      expect([route.id, input, ceilingOf(row, input)]).toEqual([
        route.id,
        input,
        route.price.credits * units,
      ]);
    }
  }
});

function triedInputs(names: string[]): Record<string, string>[] {
  const values = [...Array.from({ length: 300 }, (_, index) => String(index + 1)), "true"];
  return names
    .filter((name) => ["limit", "pages", "deep"].includes(name))
    .flatMap((name) => values.map((value) => ({ [name]: value })));
}

test("an input becomes the path, the query or the body that its route takes", () => {
  expect(requestOf(OPERATIONS.listTrades, { handle: "@a/b", limit: 5, cursor: undefined })).toEqual({
    method: "GET",
    path: "/v2/users/%40a%2Fb/trades?limit=5",
  });
  expect(requestOf(OPERATIONS.rotateKey, { id: "key_1", overlapSeconds: 60 })).toEqual({
    method: "POST",
    path: "/v2/keys/key_1/rotate",
    body: '{"overlapSeconds":60}',
  });
  expect(() => requestOf(OPERATIONS.getTrader, {})).toThrow("handle is missing");
});
