import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Account } from "../../store/money/accounts.ts";
import { START } from "../test-support.ts";
import { freshAccount } from "./renewal.ts";
import { createViews } from "./views.ts";

const SEED = process.env.SEED ?? "views";
const { account: row } = freshAccount("acc_1", "a@b.example", START);
const charged = { ...row, monthlyRemaining: row.monthlyRemaining - 100 };

test("a view never falls behind what the charging process knows, and never goes back in time", () => {
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

/** An account's states, one after the other: charges take, all else raises the version and may give. */
function statesOf(steps: readonly { takes: number; resolves: boolean; isCharge: boolean }[]): Account[] {
  const states = [row];
  for (const { takes, resolves, isCharge } of steps) {
    const last = states.at(-1) ?? row;
    states.push({
      ...last,
      monthlyRemaining: last.monthlyRemaining - (isCharge ? takes : 0),
      resolutionsRemaining: last.resolutionsRemaining - (isCharge && resolves ? 1 : 0),
      prepaidRemaining: last.prepaidRemaining + (isCharge ? 0 : 500),
      version: last.version + (isCharge ? 0 : 1),
    });
  }
  return states;
}

test(`rows that arrive in any order leave the newest (seed ${SEED})`, () => {
  const step = fc.record({ takes: fc.nat(50), resolves: fc.boolean(), isCharge: fc.boolean() });
  const history = fc.array(step, { minLength: 1 }).map(statesOf);
  const arrivals = history.chain((states) =>
    fc.tuple(fc.constant(states), fc.shuffledSubarray(states, { minLength: 1 })),
  );
  fc.assert(
    fc.property(arrivals, ([states, arriving]) => {
      const views = createViews();
      const newest = Math.max(...arriving.map((one) => states.indexOf(one)));
      for (const [index, one] of arriving.entries()) views.learn(one, START + index);
      expect(views.get(row.id)?.account).toEqual(states[newest] as Account);
    }),
    { seed: Bun.hash.crc32(SEED) | 0 },
  );
});

test("a read that began before word of a change came leaves the view in doubt; one that began after ends it", () => {
  const views = createViews();
  const view = views.learn(charged, START);
  views.noteChange(row.id, START + 10);
  views.see(view, row, START + 9);
  expect([view.account, view.asOf]).toEqual([charged, Number.NEGATIVE_INFINITY]);
  const paid = { ...charged, prepaidRemaining: 5_000, version: charged.version + 1 };
  views.see(view, paid, START + 10);
  expect([view.account, view.asOf]).toEqual([paid, START + 10]);
});
