import { expect, test } from "bun:test";
import fc from "fast-check";
import { PLANS } from "../../../contract/plans.ts";
import { DAY_MS } from "../../../kit/units.ts";
import { remainingOf } from "../../store/money/accounts.ts";
import { addMonths, monthsBetween } from "./months.ts";
import { type AccountChange, advance, changePrepaid, endPlan, freshAccount, payForPlan } from "./renewal.ts";

const at = (text: string) => Date.parse(text);
const iso = (time: number) => new Date(time).toISOString();

test("a month begins on the anchor's day, or on the last day of a month without it", () => {
  const anchor = at("2026-01-31T13:05:07.250Z");
  const starts = [1, 2, 3, 4, 12, 13].map((n) => iso(addMonths(anchor, n)));
  expect(starts).toEqual([
    "2026-02-28T13:05:07.250Z",
    "2026-03-31T13:05:07.250Z",
    "2026-04-30T13:05:07.250Z",
    "2026-05-31T13:05:07.250Z",
    "2027-01-31T13:05:07.250Z",
    "2027-02-28T13:05:07.250Z",
  ]);
  expect(iso(addMonths(at("2028-01-30T00:00:00Z"), 1))).toBe("2028-02-29T00:00:00.000Z");
});

test("months counted back are the months added", () => {
  const time = fc.integer({ min: at("2020-01-01"), max: at("2040-01-01") });
  fc.assert(
    fc.property(time, fc.integer({ min: 0, max: 60 }), (anchor, months) => {
      const start = addMonths(anchor, months);
      return (
        monthsBetween(anchor, start) === months &&
        monthsBetween(anchor, start - 1) === months - 1 &&
        addMonths(anchor, months + 1) > start
      );
    }),
  );
});

const OPENED = at("2026-01-31T12:00:00Z");
const open = () => freshAccount("acc_1", "a@b.c", OPENED).account;

test("a free account is filled again on its own day and skips months without calls", () => {
  const spent = { ...open(), monthlyRemaining: 10, resolutionsRemaining: 3 };
  expect(advance(spent, at("2026-02-28T11:59:59.999Z")).account).toEqual(spent);
  const renewed = advance(spent, at("2026-02-28T12:00:00Z"));
  expect(renewed.account.monthlyRemaining).toBe(PLANS.free.creditsPerMonth);
  expect(renewed.account.resolutionsRemaining).toBe(PLANS.free.resolutionsPerMonth);
  expect(iso(renewed.account.periodEnd)).toBe("2026-03-31T12:00:00.000Z");
  const later = advance(spent, at("2026-07-05T00:00:00Z"));
  expect(iso(later.account.periodStart)).toBe("2026-06-30T12:00:00.000Z");
  expect(later.entries.map((entry) => entry.kind)).toEqual(["expired", "month"]);
});

const starter = (payAt: number, months = 1, graceMs = 0) =>
  payForPlan(open(), { plan: "starter", months, at: payAt, reference: "pay-1", graceMs }).account;

test("a paid plan that is not renewed falls to free at its end, and prepaid credits stay", () => {
  const paid = changePrepaid(starter(at("2026-02-10T08:00:00Z")), 5_000, at("2026-02-11"), "top-up").account;
  expect(iso(paid.paidUntil ?? 0)).toBe("2026-03-10T08:00:00.000Z");
  const before = advance(paid, at("2026-03-10T07:59:59.999Z")).account;
  expect(before.plan).toBe("starter");
  const after = advance(paid, at("2026-03-10T08:00:00Z")).account;
  expect(after.plan).toBe("free");
  expect(after.paidUntil).toBeNull();
  expect(remainingOf(after)).toBe(PLANS.free.creditsPerMonth + 5_000);
  expect(iso(after.periodEnd)).toBe("2026-04-10T08:00:00.000Z");
});

test("a renewal paid early lengthens the plan and brings no credits before their day", () => {
  const spent = { ...starter(at("2026-01-31T12:00:00Z")), monthlyRemaining: 7 };
  const payment = { plan: "starter", months: 1, reference: "pay-2", graceMs: 0 } as const;
  const early = payForPlan(spent, { ...payment, at: at("2026-02-05T00:00:00Z") }).account;
  expect(iso(early.paidUntil ?? 0)).toBe("2026-03-31T12:00:00.000Z");
  expect(early.monthlyRemaining).toBe(7);
  const renewed = advance(early, at("2026-02-28T12:00:00Z")).account;
  expect(renewed.plan).toBe("starter");
  expect(renewed.monthlyRemaining).toBe(PLANS.starter.creditsPerMonth);
  expect(advance(renewed, at("2026-03-31T12:00:00Z")).account.plan).toBe("free");
});

test("a card's late renewal within the grace loses no day and gives no month away", () => {
  const day = DAY_MS;
  const paid = { ...starter(at("2026-02-10T08:00:00Z"), 1, 3 * day), monthlyRemaining: 9 };
  const waiting = advance(paid, at("2026-03-12T00:00:00Z")).account;
  expect([waiting.plan, waiting.monthlyRemaining]).toEqual(["starter", 9]);
  const payment = { plan: "starter", months: 1, reference: "pay-2", graceMs: 3 * day } as const;
  const renewed = payForPlan(waiting, { ...payment, at: at("2026-03-12T00:00:00Z") }).account;
  expect(iso(renewed.paidUntil ?? 0)).toBe("2026-04-10T08:00:00.000Z");
  expect(iso(renewed.periodStart)).toBe("2026-03-10T08:00:00.000Z");
  expect(renewed.monthlyRemaining).toBe(PLANS.starter.creditsPerMonth);
  expect(advance(waiting, at("2026-03-13T08:00:00Z")).account.plan).toBe("free");
});

test("a change between paid plans starts the new one and keeps what was paid as prepaid credits", () => {
  const paid = { ...starter(at("2026-02-10T08:00:00Z"), 3), monthlyRemaining: 1_000 };
  const payment = { plan: "growth", months: 1, reference: "pay-2", graceMs: 0 } as const;
  const changed = payForPlan(paid, { ...payment, at: at("2026-02-20T00:00:00Z") }).account;
  expect(changed.plan).toBe("growth");
  expect(changed.monthlyRemaining).toBe(PLANS.growth.creditsPerMonth);
  expect(changed.prepaidRemaining).toBe(1_000 + 2 * PLANS.starter.creditsPerMonth);
});

test("a refunded plan ends at once; refunded credits are taken back as far as they are left", () => {
  const paid = changePrepaid(
    starter(at("2026-02-10T08:00:00Z")),
    500,
    at("2026-02-10T09:00:00Z"),
    "t",
  ).account;
  const ended = endPlan(paid, at("2026-02-12T00:00:00Z"), "refund-1").account;
  expect([ended.plan, ended.monthlyRemaining]).toEqual(["free", PLANS.free.creditsPerMonth]);
  const taken = changePrepaid(ended, -800, at("2026-02-12T00:00:00Z"), "refund-2");
  expect(taken.account.prepaidRemaining).toBe(0);
  expect(taken.entries.at(-1)?.credits).toBe(-500);
});

test("whatever is paid, refunded and waited for, entries add up to the balance", () => {
  const step = fc.record({
    waitMs: fc.integer({ min: 0, max: 90 * DAY_MS }),
    act: fc.constantFrom("wait", "starter", "growth", "scale", "top-up", "refund", "end"),
    spend: fc.integer({ min: 0, max: 400_000 }),
    graceMs: fc.constantFrom(0, 3 * DAY_MS),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let now = OPENED;
      let { account, entries } = freshAccount("acc_1", "a@b.c", now);
      let given = sum(entries);
      for (const [index, { waitMs, act, spend, graceMs }] of steps.entries()) {
        now += waitMs;
        const reference = `r${index}`;
        const change: AccountChange =
          act === "wait"
            ? advance(account, now)
            : act === "top-up"
              ? changePrepaid(account, 1_000, now, reference)
              : act === "refund"
                ? changePrepaid(account, -700, now, reference)
                : act === "end"
                  ? endPlan(account, now, reference)
                  : payForPlan(account, { plan: act, months: 1, at: now, reference, graceMs });
        ({ account, entries } = change);
        given += sum(entries);
        expect(remainingOf(account)).toBe(given);
        expect(account.monthlyRemaining).toBeGreaterThanOrEqual(0);
        expect(account.nextChangeAt).toBeGreaterThan(now);
        const cost = Math.min(spend, account.monthlyRemaining);
        account = { ...account, monthlyRemaining: account.monthlyRemaining - cost };
        given -= cost;
      }
    }),
    { numRuns: 300 },
  );
});

function sum(entries: AccountChange["entries"]): number {
  return entries.reduce((total, entry) => total + entry.credits, 0);
}

test("in the grace after the paid time another plan carries nothing over: that month was over and the next unpaid", () => {
  const paid = payForPlan(open(), {
    plan: "growth",
    months: 1,
    at: OPENED,
    reference: "first",
    graceMs: 7 * DAY_MS,
  }).account;
  const inGrace = addMonths(OPENED, 1) + DAY_MS;
  expect(advance(paid, inGrace).account.plan).toBe("growth");
  const cheaper = payForPlan(paid, {
    plan: "starter",
    months: 1,
    at: inGrace,
    reference: "second",
    graceMs: 0,
  }).account;
  expect(cheaper).toMatchObject({
    plan: "starter",
    prepaidRemaining: 0,
    monthlyRemaining: PLANS.starter.creditsPerMonth,
  });
  // A day earlier all that was left would have been kept.
  const kept = payForPlan(paid, {
    plan: "starter",
    months: 1,
    at: addMonths(OPENED, 1) - 1,
    reference: "second",
    graceMs: 0,
  }).account;
  expect(kept.prepaidRemaining).toBe(PLANS.growth.creditsPerMonth);
});
