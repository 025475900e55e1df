// Figures in messages: short, signed where it matters, and a dash for unknown ones.

const UNKNOWN = "–";
const isKnown = (value: number | null | undefined): value is number =>
  typeof value === "number" && Number.isFinite(value);

export function dollars(value: number | null | undefined): string {
  if (!isKnown(value)) return UNKNOWN;
  const digits = Math.abs(value) >= 1_000 ? 0 : 2;
  const text = Math.abs(value).toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${value < 0 ? "−" : ""}$${text}`;
}

export const gain = (value: number | null | undefined): string =>
  isKnown(value) && value > 0 ? `+${dollars(value)}` : dollars(value);

/** A token's price may be far below a cent. */
export function price(value: number | null | undefined): string {
  return isKnown(value)
    ? `$${value.toLocaleString("en", { maximumSignificantDigits: 4, maximumFractionDigits: 12 })}`
    : UNKNOWN;
}

export function percent(value: number | null | undefined): string {
  return isKnown(value) ? `${value > 0 ? "+" : ""}${value.toFixed(1)} %` : UNKNOWN;
}

export const ratio = (part: number | null | undefined): string =>
  isKnown(part) ? `${Math.round(part * 100)} %` : UNKNOWN;
