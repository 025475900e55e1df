// /llms.txt lists everything in the contract, and nothing else.
import { expect, test } from "bun:test";
import { ERROR_CODES } from "./errors.ts";
import { STREAMS } from "./frames.ts";
import { llmsText } from "./llms.ts";
import { ALL_ROUTES } from "./routes.ts";

const text = llmsText({ baseUrl: "https://api.example.com", version: "2.0.0" });

test("every route is there once, with its price", () => {
  for (const { id, method, path, price } of ALL_ROUTES) {
    const lines = text.split("\n").filter((line) => line.startsWith(`- [${method} ${path}](`));
    expect([id, lines.length]).toEqual([id, 1]);
    expect(lines[0]).toContain(`https://api.example.com/docs#${id}`);
    expect(lines[0]).toContain(price.credits === 0 ? "Free." : `${price.credits} credits`);
  }
});

test("every stream and every error is there", () => {
  for (const { path } of Object.values(STREAMS)) expect(text).toContain(`\`${path}\``);
  for (const [code, { status }] of Object.entries(ERROR_CODES))
    expect(text).toContain(`${status} \`${code}\``);
});

test("it has the form that readers of llms.txt expect: one title, a summary, sections with links", () => {
  expect(text.match(/^# /gm)?.length).toBe(1);
  expect(text.split("\n")[2]).toStartWith("> ");
  expect(text.match(/^## /gm)?.length).toBeGreaterThan(8);
  // Small enough to be read completely.
  expect(text.length).toBeLessThan(60_000);
});
