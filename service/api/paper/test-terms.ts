// Terms of a paper follow, for tests: each test gives only the terms it is about.
import { SECOND_MS } from "../../../kit/units.ts";
import type { PaperTerms } from "../../../replay/paper.ts";
import { NO_FILTERS, NO_RULES } from "../../../replay/terms.ts";

export const testTerms = (more: Partial<PaperTerms> = {}): PaperTerms => ({
  capitalUsd: 100_000,
  size: { mode: "fixed", value: 10, minUsd: null, maxUsd: null },
  delayMs: 5 * SECOND_MS,
  exit: "mirror",
  rules: NO_RULES,
  filters: NO_FILTERS,
  costs: { networkFeeUsd: 0.01, botFeeBps: 100 },
  networkFees: {},
  ...more,
});
