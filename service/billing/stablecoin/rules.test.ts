import { describe, expect, test } from "bun:test";
import { base58 } from "@scure/base";
import { getBase58Decoder } from "@solana/kit";
import fc from "fast-check";
import { freshPublicKey, freshSignature, isAddress, isSignature } from "./base58.ts";
import type { Notice } from "./chain.ts";
import { atomicOfCents, centsOf, creditsOf, decimalText } from "./money.ts";
import { beginWalk, freshPlace, PAGE_NOTICES, placeAfter, readPage } from "./scan.ts";
import { LAST_TRANSFERS_MS, type PaymentStanding, settlementOf } from "./settlement.ts";

const PRICE = 49_990_000n;

describe("settlement", () => {
  const money = fc.bigInt(0n, 3n * PRICE);
  const history = fc.array(fc.record({ amount: money, late: fc.boolean() }), { maxLength: 6 });

  test("all money that ever came has bought a plan or credits once time is up, and never more than came", () => {
    fc.assert(
      fc.property(history, fc.constantFrom("credits", "starter"), (transfers, plan) => {
        const standing: PaymentStanding = {
          plan,
          amount: PRICE,
          paid: 0n,
          paidInTime: 0n,
          converted: 0n,
          planGranted: false,
          expiresAt: 1_000,
          pending: false,
        };
        let plans = 0;
        const look = (now: number) => {
          const { grantPlan, convert } = settlementOf(standing, now);
          expect(convert >= 0n).toBe(true);
          standing.converted += convert;
          if (grantPlan) {
            plans++;
            standing.planGranted = true;
          }
          expect(standing.converted + BigInt(plans) * PRICE <= standing.paid).toBe(true);
        };
        for (const { amount, late } of [...transfers].sort((a, b) => Number(a.late) - Number(b.late))) {
          standing.paid += amount;
          if (!late) standing.paidInTime += amount;
          look(late ? 1_000 + LAST_TRANSFERS_MS : 500);
        }
        look(1_000 + LAST_TRANSFERS_MS);
        expect(plans).toBeLessThanOrEqual(1);
        expect(standing.converted + BigInt(plans) * PRICE).toBe(standing.paid);
        if (plan === "starter" && standing.paidInTime >= PRICE) expect(plans).toBe(1);
      }),
    );
  });

  test("each state is named by what was paid and when", () => {
    const at = (more: Partial<PaymentStanding>, now = 500) =>
      settlementOf(
        {
          plan: "credits",
          amount: 100n,
          paid: 0n,
          paidInTime: 0n,
          converted: 0n,
          planGranted: false,
          expiresAt: 1_000,
          pending: false,
          ...more,
        },
        now,
      ).status;
    expect(at({})).toBe("awaiting_payment");
    expect(at({}, 1_000)).toBe("expired");
    expect(at({ pending: true }, 2_000)).toBe("confirming");
    expect(at({ paid: 40n, paidInTime: 40n })).toBe("underpaid");
    expect(at({ paid: 40n, paidInTime: 40n, pending: true })).toBe("confirming");
    expect(at({ paid: 100n, paidInTime: 100n })).toBe("credited");
    expect(at({ paid: 101n, paidInTime: 101n })).toBe("overpaid");
    expect(at({ paid: 140n, paidInTime: 100n }, 2_000)).toBe("overpaid");
    expect(at({ paid: 100n, paidInTime: 40n }, 2_000)).toBe("late");
  });
});

describe("money", () => {
  test("cents, atoms and text agree for every amount and number of decimals", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 2, max: 12 }),
        (cents, decimals) => {
          const atomic = atomicOfCents(cents, decimals);
          expect(centsOf(cents / 100)).toBe(cents);
          expect(Number(decimalText(atomic, decimals))).toBe(cents / 100);
          expect(creditsOf(atomic, decimals)).toBe(cents * 400);
        },
      ),
    );
  });

  test("more digits than cents have are no amount", () => {
    for (const amount of [5.001, 0.1 + 0.2, 1e300, Number.NaN]) expect(centsOf(amount)).toBeNull();
    expect(decimalText(1n, 6)).toBe("0.000001");
  });
});

describe("base58", () => {
  test("writes bytes as the Solana library does, and knows an address from anything else", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const text = base58.encode(bytes);
        expect(text).toBe(getBase58Decoder().decode(bytes));
        expect(isAddress(text)).toBe(true);
        expect(isAddress(`1${text}`)).toBe(false);
        expect(isSignature(text)).toBe(false);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => !isAddress(text) || text.length >= 32));
    expect(isAddress(freshPublicKey()) && isSignature(freshSignature())).toBe(true);
  });
});

describe("reading an address", () => {
  const step = fc.record({
    arrive: fc.integer({ min: 0, max: 40 }),
    finalize: fc.nat({ max: 60 }),
    sweep: fc.boolean(),
  });

  test("never passes over a transaction, whatever comes between pages and however late it becomes final", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const chain: Notice[] = [];
        const decided = new Set<string>();
        let place = freshPlace("address", 0);
        let finalTo = 0;
        const notices = async (
          _address: string,
          page: { until: string | null; before: string | null; limit: number },
        ) => {
          const newest = [...chain].reverse();
          const index = (signature: string | null) =>
            newest.findIndex((notice) => notice.signature === signature);
          const end = index(page.until) < 0 ? newest.length : index(page.until);
          return newest.slice(page.before === null ? 0 : index(page.before) + 1, end).slice(0, page.limit);
        };
        const pass = async (sweep: boolean) => {
          const walk = beginWalk(place, sweep, 0);
          const page = await readPage({ notices } as never, walk);
          expect(page.notices.length).toBeLessThanOrEqual(PAGE_NOTICES);
          const unresolved = new Set<string>();
          for (const notice of page.notices) {
            if (notice.finalized) decided.add(notice.signature);
            else unresolved.add(notice.signature);
          }
          place = placeAfter(walk, page, unresolved);
        };
        for (const { arrive, finalize, sweep } of steps) {
          for (let i = 0; i < arrive; i++) {
            chain.push({ signature: `s${chain.length}`, slot: chain.length, chainAt: 1, finalized: false });
          }
          finalTo = Math.min(chain.length, finalTo + finalize);
          for (const notice of chain.slice(0, finalTo)) notice.finalized = true;
          await pass(sweep);
        }
        for (const notice of chain) notice.finalized = true;
        for (let i = 0; i < 60; i++) await pass(false);
        expect(decided.size).toBe(chain.length);
        expect(place.cursor).toBe(chain.at(-1)?.signature ?? null);
      }),
      { numRuns: 50 },
    );
  });
});
