import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Charge } from "./journal.ts";
import { createSums } from "./sums.ts";
import { createTally, type JournalEnd } from "./tally.ts";

const chargeOf = (n: number): Charge => ({
  requestId: `req_${n}`,
  accountId: `acc_${n % 3}`,
  keyId: `key_${n % 5}`,
  routeId: "search",
  credits: 1 + (n % 7),
  resolutions: n % 2,
  at: 1_000 * n,
});

const STEPS = ["charge", "failedCharge", "othersCharge", "rollUp", "failedRollUp", "othersRollUp"] as const;

test("a tally counts only the journal's rows from the rollup's position, whatever failed or others wrote", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 60 }), (steps) => {
      const tally = createTally();
      const rows: { batchId: string; charges: Charge[] }[] = [];
      let rolledBelow = 1;
      let made = 0;
      let used = 0;
      const end = (): JournalEnd => ({ head: rows.length, batchId: rows.at(-1)?.batchId ?? null });
      const sumsOf = (from: number) => {
        const sums = createSums();
        for (const row of rows.slice(from - 1)) for (const charge of row.charges) sums.add(charge);
        return sums;
      };
      for (const step of steps) {
        const charges = Array.from({ length: 1 + (made % 4) }, () => chargeOf(made++));
        const batchId = `batch_${made}`;
        if (step === "charge" || step === "failedCharge")
          tally.note(end(), { head: rows.length + 1, batchId }, charges);
        if (step === "charge" || step === "othersCharge") rows.push({ batchId, charges });
        if (step === "rollUp" || step === "failedRollUp") {
          const known = tally.sumsFrom(rolledBelow, end());
          const wanted = sumsOf(rolledBelow);
          if (known) {
            used += 1;
            expect([known.charges(), known.accounts()]).toEqual([wanted.charges(), wanted.accounts()]);
          }
          tally.restart(end());
        }
        if (step === "rollUp" || step === "othersRollUp") rolledBelow = rows.length + 1;
      }
      // The only process never has to read the journal, once it has rolled up.
      const rolls = steps.filter((step) => step === "rollUp").length;
      if (steps.every((step) => step === "charge" || step === "rollUp"))
        expect(used).toBeGreaterThanOrEqual(rolls - 1);
    }),
    { seed: 13, numRuns: 500 },
  );
});
