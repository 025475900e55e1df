// Money in the books: whole millionths of a dollar. Integer sums are exact and independent of order,
// so the parts add up to the whole.

/** Whole millionths of a dollar. */
export type Micro = number;

const MICRO_A_DOLLAR = 1_000_000;

export function toMicro(usd: number): Micro {
  return Math.round(usd * MICRO_A_DOLLAR);
}

export function toUsd(micro: Micro): number {
  return micro / MICRO_A_DOLLAR;
}
