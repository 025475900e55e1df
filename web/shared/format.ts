// Figures for people, each rule once. The same on the server and in the browser: they depend on neither the machine's locale
// nor its time zone, so the first rendering never changes.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../kit/units.ts";

const DASH = "–";
const MINUS = "\u2212";

export function grouped(value: number, digits = 0): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** $0, $49.99, $1,500. */
export const dollars = (amountUsd: number): string =>
  `$${grouped(amountUsd, Number.isInteger(amountUsd) ? 0 : 2)}`;

const UNITS: [number, string][] = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
];

/** Neither missing nor the result of a division by zero. */
const isKnown = (value: number | null | undefined): value is number =>
  typeof value === "number" && Number.isFinite(value);

/** There is no unit beyond this. */
const UNITS_MAX = 1e15;

/** Without a sign: 1,234 below ten thousand, then 12.3K, 4.56M. Rounded first: 999,960 is a million, not a thousand thousands. */
export function compact(value: number): string {
  const size = Math.abs(value);
  if (size < 99.995) return grouped(size, size % 1 === 0 ? 0 : 2);
  if (size < 9_999.5) return grouped(size);
  const rounded = Number(size.toPrecision(3));
  if (rounded >= UNITS_MAX) return rounded.toExponential(2).replace("+", "");
  const [divisor, unit] = UNITS.find(([from]) => rounded >= from) ?? [1, ""];
  const short = rounded / divisor;
  return `${short.toFixed(short < 10 ? 2 : short < 100 ? 1 : 0)}${unit}`;
}

export function count(value: number | null | undefined): string {
  if (!isKnown(value)) return DASH;
  return value < 0 ? `${MINUS}${compact(value)}` : compact(value);
}

/** "1 follower", "2 followers". */
export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? "" : "s"}`;

/** A smaller amount can't be paid, but is still not zero. */
const CENT_USD = 0.01;
const NOTHING_USD = CENT_USD / 2;

export function usd(value: number | null | undefined): string {
  if (!isKnown(value)) return DASH;
  if (value !== 0 && Math.abs(value) < NOTHING_USD) return `<$${CENT_USD}`;
  return `${value < 0 ? MINUS : ""}$${compact(value)}`;
}

/** Always with its sign, except when it rounds to zero. */
export function signedUsd(value: number | null | undefined): string {
  if (!isKnown(value)) return DASH;
  if (Math.abs(value) < NOTHING_USD) return "$0";
  return `${value < 0 ? MINUS : "+"}$${compact(value)}`;
}

/** As short as a small box needs: +1.2K, −340, +0. */
export function shortGain(value: number): string {
  if (!isKnown(value)) return DASH;
  const size = Math.abs(value);
  const sign = value < 0 && Math.round(size) > 0 ? MINUS : "+";
  const [divisor, unit] = UNITS.find(([from]) => Number(size.toPrecision(2)) >= from) ?? [1, ""];
  const short = Number(size.toPrecision(2)) / divisor;
  return `${sign}${unit === "" ? Math.round(size) : short.toFixed(short < 10 ? 1 : 0)}${unit}`;
}

/** From percent points. */
export function percent(value: number | null | undefined): string {
  if (!isKnown(value)) return DASH;
  const size = Math.abs(value);
  const sign = size < 0.05 ? "" : value < 0 ? MINUS : "+";
  return `${sign}${size >= 999.5 ? compact(Math.round(size)) : size.toFixed(size < 9.95 ? 1 : 0)}%`;
}

/** From a fraction of 1, without a sign. */
export function share(value: number | null | undefined): string {
  return isKnown(value) ? `${Math.round(value * 100)}%` : DASH;
}

/** A ratio: under 0.1×, 2.5×, 12×. */
export function times(value: number | null | undefined): string {
  if (!isKnown(value)) return DASH;
  if (value > 0 && value < 0.05) return "<0.1×";
  return `${value < 9.95 ? value.toFixed(1) : compact(Math.round(value))}×`;
}

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** Small prices count their zeros: 0.0₅342 is 0.00000342. */
export function price(value: number | null | undefined): string {
  if (!isKnown(value)) return DASH;
  if (value === 0) return "$0";
  if (value < 0) return `${MINUS}${price(-value)}`;
  if (value >= 1e7) return `$${compact(value)}`;
  if (value >= 1_000) return `$${grouped(value, 0)}`;
  if (value >= 1) return `$${grouped(value, 2)}`;
  // Rounded to four digits first: that may leave one zero less.
  const [digits = "", exponent] = value.toExponential(3).split("e");
  const zeros = -Number(exponent) - 1;
  if (zeros < 0) return `$${grouped(value, 2)}`;
  if (zeros < 4) return `$${value.toFixed(zeros + 4)}`;
  const written = String(zeros).replace(/\d/g, (digit) => SUBSCRIPTS[Number(digit)] ?? digit);
  return `$0.0${written}${digits.replace(".", "")}`;
}

export function span(milliseconds: number): string {
  if (!isKnown(milliseconds)) return DASH;
  const size = Math.max(0, milliseconds);
  if (size < MINUTE_MS) return `${Math.floor(size / SECOND_MS)} s`;
  if (size < HOUR_MS) return `${Math.floor(size / MINUTE_MS)} min`;
  if (size < 2 * DAY_MS) return `${Math.floor(size / HOUR_MS)} h`;
  return `${Math.floor(size / DAY_MS)} d`;
}

/** 14:03:59, in UTC like all times of the service. */
export function timeOfDay(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** 14 Mar, optionally with the hour and minute. */
export function day(at: number, withTime = false): string {
  const date = new Date(at);
  const text = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
  return withTime ? `${text} ${date.toISOString().slice(11, 16)}` : text;
}

/** A day with its year. */
export function date(at: number): string {
  return `${day(at)} ${new Date(at).getUTCFullYear()}`;
}

export function shortAddress(address: string): string {
  return address.length <= 12 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** Realized and unrealized together; unknown if either is. */
export function netUsd(row: {
  realizedPnlUsd: number | null;
  unrealizedPnlUsd: number | null;
}): number | null {
  const { realizedPnlUsd: taken, unrealizedPnlUsd: open } = row;
  return taken === null || open === null ? null : taken + open;
}
