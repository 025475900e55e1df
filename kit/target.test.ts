import { expect, test } from "bun:test";
import { queryOf, targetOf } from "./target.ts";

test.each([
  ["http://a.example/p?q=1", "/p?q=1"],
  ["http://a.example:80/p", "/p"],
  ["http://[/p?q=1", "/p?q=1"],
  ["http://x:99999/p", "/p"],
  ["/p?q=http://b/c", "/p?q=http://b/c"],
  ["http://a.example", "/"],
])("the target of %s is %s", (url, target) => {
  expect(targetOf(url)).toBe(target);
});

test.each([
  ["http://a.example/p?q=1&q=2#f?r=3", "q=1&q=2"],
  ["/p?a=%2F&b=", "a=%2F&b="],
  ["http://x:99999/p", ""],
])("the query of %s is %s", (url, query) => {
  expect(queryOf(url).toString()).toBe(query);
});
