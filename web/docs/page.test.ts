import { describe, expect, test } from "bun:test";
import { createChains } from "../../contract/chains.ts";
import { ERROR_CODE_NAMES } from "../../contract/errors.ts";
import { CLIENT_FRAMES, CLOSE_CODES, SERVER_FRAMES, STREAMS } from "../../contract/frames.ts";
import { PLANS } from "../../contract/plans.ts";
import { ALL_ROUTES } from "../../contract/routes.ts";
import { NAMED_ASSETS } from "../assets/test-assets.ts";
import { html, json, prose } from "../shared/html.ts";
import { curl } from "./operation.ts";
import { renderDocs } from "./page.ts";

const KNOWN = {
  handle: "someone_real",
  tokenAddress: "0x52908400098527886e0f7030069857d2e4169ee7",
  symbol: "REAL",
};
const examples = { baseUrl: "https://api.example.org", known: KNOWN };
const page = renderDocs({ ...examples, explorer: "open" }, NAMED_ASSETS);
const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => String(match[1]));

/** The page's text as a reader sees it. */
const plain = page
  .replace(/<(script|style)>.*?<\/\1>/gs, "")
  .replace(/<[^>]+>/g, "")
  .replaceAll("&quot;", '"')
  .replaceAll("&#39;", "'")
  .replaceAll("&amp;", "&");

describe("the reference page", () => {
  test.each(ALL_ROUTES.map((route) => [route.id, route] as const))("tells of %s", (id, route) => {
    expect(ids).toContain(id);
    for (const path of [route.path, ...route.aliases]) expect(plain).toContain(path);
    expect(plain).toContain(curl(route, examples));
    expect(plain).toContain(route.description.replaceAll("`", ""));
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
  test("uses each id once, and every link inside it leads somewhere", () => {
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => String(match[1]));
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });
  test("loads its own files only, and has no inline script, style or handler", () => {
    const loaded = [
      ...page.matchAll(/<(?:script|img|iframe|source|link)[^>]*?\s(?:src|href)="([^"]*)"/g),
    ].map((match) => String(match[1]));
    expect(
      loaded.filter((url) => !/^(\/assets\/|\/favicon\.svg$|https:\/\/api\.example\.org\/docs$)/.test(url)),
    ).toEqual([]);
    expect(page).not.toMatch(/<style|\sstyle="|\son[a-z]+="|<script(?![^>]*\ssrc=)/);
  });
  test("fills its examples with what exists", () => {
    expect(plain).toContain("/v2/users/someone_real/trades");
    expect(plain).not.toContain("/v2/users/nightowl/");
  });
  test("shows each call in three languages, and a socket step by step", () => {
    for (const route of ALL_ROUTES) expect(page.split(`name="sample-${route.id}"`)).toHaveLength(4);
    expect(ids).toContain("socket-walk");
    expect(ids.indexOf("key-first")).toBeLessThan(ids.indexOf("keys"));
  });
  test("calls the chain as the operator does", () => {
    const renamed = renderDocs({ chains: createChains({ name: "marketname", aliases: [] }) }, NAMED_ASSETS);
    expect(renamed).toContain("<code>marketname</code> 4663");
  });
});

describe("html", () => {
  const hostile = `<img src=x onerror="alert('1')">&`;
  test("escapes whatever is put into it, alone or in lists", () => {
    const escaped = "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;";
    expect(html`<p>${hostile}</p>`.text).toBe(`<p>${escaped}</p>`);
    expect(html`${[hostile, html`<b>${hostile}</b>`]}`.text).toBe(`${escaped}<b>${escaped}</b>`);
    expect(prose(`\`${hostile}\``).text).toBe(`<code>${escaped}</code>`);
  });
  test("keeps JSON readable as the same JSON", () => {
    const value = { text: hostile, list: [1, -2.5e-7, true, null], "a:b": { empty: {} } };
    const text = json(value)
      .text.replace(/<[^>]+>/g, "")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
    expect(JSON.parse(text)).toEqual(value);
  });
});
