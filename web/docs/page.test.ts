import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { createChains } from "../../contract/chains.ts";
import { ERROR_CODE_NAMES } from "../../contract/errors.ts";
import { CLIENT_FRAMES, CLOSE_CODES, SERVER_FRAMES, STREAMS } from "../../contract/frames.ts";
import { PLANS } from "../../contract/plans.ts";
import { ALL_ROUTES } from "../../contract/routes.ts";
import { NAMED_ASSETS } from "../assets/test-assets.ts";
import { curl } from "./operation.tsx";
import { renderDocs } from "./page.tsx";
import { JsonText, Prose } from "./text.tsx";

const KNOWN = {
  handle: "someone_real",
  tokenAddress: "0x52908400098527886e0f7030069857d2e4169ee7",
  symbol: "REAL",
};
const examples = { baseUrl: "https://api.example.org", known: KNOWN };
const page = renderDocs({ ...examples, explorer: "open" }, NAMED_ASSETS);
const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => String(match[1]));

/** A page's text as a reader sees it. */
const plainOf = (markup: string) =>
  markup
    .replace(/<(script|style)>.*?<\/\1>/gs, "")
    .replace(/<[^>]+>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
const plain = plainOf(page);

describe("the reference page", () => {
  test.each(ALL_ROUTES.map((route) => [route.id, route] as const))("tells of %s", (id, route) => {
    expect(ids).toContain(id);
    for (const path of [route.path, ...route.aliases]) expect(plain).toContain(path);
    expect(plain).toContain(curl(route, examples));
    expect(plain).toContain(route.description.replaceAll("`", ""));
  });
  test("shows the fields of an object input, and its default as JSON", () => {
    expect(plain).not.toContain("[object Object]");
    for (const field of ["minDepthUsd", "stopLossPct", "botFeeBps"]) expect(plain).toContain(field);
  });
  test("has an anchor for every error, stream, frame and close code", () => {
    const wanted = [
      ...ERROR_CODE_NAMES.map((code) => `error-${code}`),
      ...Object.keys(STREAMS).map((name) => `stream-${name}`),
      ...[...Object.keys(SERVER_FRAMES), ...Object.keys(CLIENT_FRAMES)].map((name) => `frame-${name}`),
      ...Object.keys(CLOSE_CODES).map((code) => `close-${code}`),
    ];
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
  });
  test("names every plan with its price and credits", () => {
    for (const { title, creditsPerMonth, priceUsd } of Object.values(PLANS)) {
      expect(plain).toContain(title);
      expect(plain).toContain(creditsPerMonth.toLocaleString("en"));
      expect(plain).toContain(`$${priceUsd.toLocaleString("en")}`);
    }
  });
  test("uses each id once, and every internal link has a target", () => {
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => String(match[1]));
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });
  test("loads its own files only, and has no inline script, style or handler", () => {
    const loaded = [
      ...page.matchAll(/<(?:script|img|iframe|source|link)[^>]*?\s(?:src|href)="([^"]*)"/g),
    ].map((match) => String(match[1]));
    expect(
      loaded.filter(
        (url) =>
          !/^(\/assets\/|\/favicon\.svg$|\/manifest\.webmanifest$|https:\/\/api\.example\.org\/docs$)/.test(
            url,
          ),
      ),
    ).toEqual([]);
    expect(page).not.toMatch(/<style|\sstyle="|\son[a-z]+="|<script(?![^>]*\ssrc=)/);
  });
  test("fills its examples with existing names", () => {
    expect(plain).toContain("/v2/users/someone_real/trades");
    expect(plain).not.toContain("/v2/users/nightowl/");
  });
  test("shows each call in three languages, and a socket step by step", () => {
    for (const route of ALL_ROUTES) expect(page.split(`name="sample-${route.id}"`)).toHaveLength(4);
    expect(ids).toContain("socket-walk");
    expect(ids.indexOf("key-first")).toBeLessThan(ids.indexOf("keys"));
  });
  test("uses the operator's name for the chain", () => {
    const renamed = renderDocs({ chains: createChains({ name: "marketname", aliases: [] }) }, NAMED_ASSETS);
    expect(renamed).toContain("<code>marketname</code> 4663");
  });
});

describe("text of the reference", () => {
  const hostile = `<img src=x onerror="alert('1')">&`;
  test("shows any text as text, and runs none of it", () => {
    const shown = renderToString(h(Prose, { text: `\`${hostile}\`` }));
    expect(shown).toStartWith("<code>&lt;img src=x");
    expect(shown).not.toContain("<img");
  });
  test("keeps JSON readable as the same JSON", () => {
    const value = { text: hostile, list: [1, -2.5e-7, true, null], "a:b": { empty: {} } };
    expect(JSON.parse(plainOf(renderToString(h(JsonText, { value }))))).toEqual(value);
  });
});
