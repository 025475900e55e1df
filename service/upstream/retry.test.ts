import { expect, test } from "bun:test";
import fc from "fast-check";
import { createRetryBudget, RETRIES_A_REQUEST } from "./retry.ts";

test("retries never pass their share of requests, in any order of events", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 500 }), (events) => {
      const budget = createRetryBudget();
      let requests = 0;
      let retries = 0;
      for (const isRequest of events) {
        if (isRequest) {
          budget.request();
          requests += 1;
        } else if (budget.spend()) retries += 1;
        expect(retries).toBeLessThanOrEqual(requests * RETRIES_A_REQUEST);
      }
    }),
  );
});
