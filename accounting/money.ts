// Money inside the books: whole millionths of a dollar. Sums of whole numbers are exact and do not depend on their order,
// so that parts add up to their whole.

/** Whole millionths of a dollar. */
export type Micro = number;

const MICRO_A_DOLLAR = 1_000_000;

export function toMicro(usd: number): Micro {
  return Math.round(usd * MICRO_A_DOLLAR);
}

export function toUsd(micro: Micro): number {
  return micro / MICRO_A_DOLLAR;
}
