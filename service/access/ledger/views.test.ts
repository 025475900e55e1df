import { expect, test } from "bun:test";
import { START } from "../test-support.ts";
import { freshAccount } from "./renewal.ts";
import { createViews } from "./views.ts";

test("a view never falls behind what the charging process knows, and never goes back in time", () => {
  const { account: row } = freshAccount("acc_1", "a@b.example", START);
  const charged = { ...row, monthlyRemaining: row.monthlyRemaining - 100 };
  const views = createViews();
  const view = views.learn(row, START);
  views.correctBy(() => charged);
  // The answer of an earlier charge may come after that of a later one.
  views.see(view, row, START + 1);
  expect(view.account).toBe(charged);
  expect(views.learn(row, START + 2)).toBe(view);
  views.correctBy((row) => row);
  views.see(view, row, START + 1);
  expect([view.account, view.asOf]).toEqual([charged, START + 2]);
});
