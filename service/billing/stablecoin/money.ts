// Amounts of a coin in its smallest unit, as whole numbers of any size. No float ever decides what was paid.
import { PREPAID } from "../../../contract/plans.ts";

/** Prices are in cents, so a coin needs at least two decimals; the settings see to that. */
const CENT_DECIMALS = 2;
const CREDITS_PER_USD = BigInt(PREPAID.creditsPerUsd);

export function atomicOfCents(cents: number, decimals: number): bigint {
  return BigInt(cents) * 10n ** BigInt(decimals - CENT_DECIMALS);
}

/** Whole cents, or null when a number of dollars has more digits than that. */
export function centsOf(amountUsd: number): number | null {
  const cents = Math.round(amountUsd * 100);
  return Number.isSafeInteger(cents) && cents / 100 === amountUsd ? cents : null;
}

/** As people and payment links write it: no trailing zeros, no exponent. */
export function decimalText(atomic: bigint, decimals: number): string {
  const digits = atomic.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const part = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return part === "" ? whole : `${whole}.${part}`;
}

/** For answers only. */
export function coinsOf(atomic: bigint, decimals: number): number {
  return Number(decimalText(atomic, decimals));
}

/** Prepaid credits for an amount, rounded down. */
export function creditsOf(atomic: bigint, decimals: number): number {
  return Number((atomic * CREDITS_PER_USD) / 10n ** BigInt(decimals));
}
