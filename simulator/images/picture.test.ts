import { expect, test } from "bun:test";
import { createApi } from "../views/api.ts";
import { smallWorld } from "../world/test-worlds.ts";

const world = smallWorld("pictures", { seconds: 86_400, rate: 0.05, traders: 60 });
world.advance(Number.POSITIVE_INFINITY);
const api = createApi(world);

test("every picture that an answer names exists, is well formed, and differs from the others", () => {
  const users = api.users().rows;
  const tokens = api.tokens().rows;
  const paths = [...users.map((user) => user.avatar), ...tokens.map((token) => token.image)];
  const seen = new Set<string>();
  for (const path of paths) {
    const [, kind, id] = /^\/images\/(avatar|token)\/(.+)\.svg$/.exec(path ?? "") ?? [];
    const found = api.image(kind === "avatar" ? "avatar" : "token", id ?? "");
    expect(found?.svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" [^>]*>.*<\/svg>$/s);
    expect(found?.svg).not.toMatch(/undefined|NaN|href|script/);
    seen.add(found?.svg ?? "");
  }
  expect(seen.size).toBeGreaterThan(paths.length * 0.97);
});

test("unknown subjects have no picture", () => {
  expect(api.image("avatar", "00000000-0000-4000-8000-000000000000")).toBeUndefined();
  expect(api.image("token", "solana/0x0000000000000000000000000000000000000000")).toBeUndefined();
  expect(api.image("token", "")).toBeUndefined();
});
