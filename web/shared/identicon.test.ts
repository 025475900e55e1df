// A page shows pictures from its own origin only, whatever address the service is known by, and a face for all others.
import { expect, test } from "bun:test";
import { h } from "preact";
import { render } from "preact-render-to-string";
import { Picture } from "./identicon.tsx";

const shown = (src: string | null) =>
  /<img[^>]* src="([^"]*)"/.exec(render(h(Picture, { src, name: "a" })))?.[1];

test("a picture that the service drew is loaded from the page's own origin", () => {
  for (const address of ["", "https://tape.example", "http://127.0.0.1:8080"]) {
    expect(shown(`${address}/images/avatar/a.svg`)).toBe("/images/avatar/a.svg?face=a");
    expect(shown(`${address}/images/token/base/0x1.svg`)).toBe("/images/token/base/0x1.svg?face=a");
  }
});

test("any other picture is a face instead", () => {
  for (const src of [null, "", "https://elsewhere.example/a.png", "//elsewhere.example/images/avatar/a.svg"])
    expect(shown(src)).toBeUndefined();
});

test("a row that others push away gets a face at once, and its picture only if it stays", () => {
  const passing = (src: string | null) => render(h(Picture, { src, name: "a", isPassing: true }));
  expect(passing("/images/avatar/a.svg")).toMatch(/^<svg class="face" width="20" height="20"[^>]*><\/svg>$/);
  expect(passing(null)).toContain("<path");
});
