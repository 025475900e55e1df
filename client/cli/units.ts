// Figures for people: grouped, with as many digits as matter, and a dash for unknown ones.

const NOTHING = "–";
const known = (value: number | null | undefined): value is number =>
  typeof value === "number" && Number.isFinite(value);

/** Dollars and cents. */
export function usd(value: number | null | undefined): string {
  return known(value)
    ? value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    : NOTHING;
}

/** A price of one token, which may be far below a cent. */
export function price(value: number | null | undefined): string {
  return known(value)
    ? value.toLocaleString("en", { maximumSignificantDigits: 4, maximumFractionDigits: 12 })
    : NOTHING;
}

export function count(value: number | null | undefined): string {
  return known(value) ? value.toLocaleString("en", { maximumFractionDigits: 0 }) : NOTHING;
}

export function percent(value: number | null | undefined): string {
  return known(value) ? `${value > 0 ? "+" : ""}${value.toFixed(1)}%` : NOTHING;
}

/** A share of a whole, without a sign. */
export function share(part: number | null | undefined): string {
  return known(part) ? `${(part * 100).toFixed(1)}%` : NOTHING;
}

/** An amount of tokens. */
export function amount(value: number | null | undefined): string {
  return known(value) ? value.toLocaleString("en", { maximumSignificantDigits: 6 }) : NOTHING;
}

/** UTC, to the second. */
export function time(at: string | number | null | undefined): string {
  if (at === null || at === undefined) return NOTHING;
  return new Date(at).toISOString().replace("T", " ").slice(0, 19);
}

export const text = (value: string | null | undefined): string => value ?? NOTHING;
