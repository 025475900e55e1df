// Figures as people read them. The same on the server and in the browser: no locale and no time zone of the machine
// gets in, so what was rendered first is what stays.

const DASH = "–";
const MINUS = "\u2212";

function grouped(value: number, digits: number): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const UNITS: [number, string][] = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
];

/** 1,234 below ten thousand, then 12.3K, 4.56M. */
export function compact(value: number): string {
  const size = Math.abs(value);
  if (size < 10_000) return grouped(size, size < 100 && size % 1 !== 0 ? 2 : 0);
  const [divisor, unit] = UNITS.find(([from]) => size >= from) ?? [1, ""];
  const short = size / divisor;
  return `${short.toFixed(short < 10 ? 2 : short < 100 ? 1 : 0)}${unit}`;
}

export function count(value: number | null | undefined): string {
  if (value === null || value === undefined) return DASH;
  return value < 0 ? `${MINUS}${compact(value)}` : compact(value);
}

export function usd(value: number | null | undefined): string {
  if (value === null || value === undefined) return DASH;
  return `${value < 0 ? MINUS : ""}$${compact(value)}`;
}

/** With its sign, always. */
export function signedUsd(value: number | null | undefined): string {
  if (value === null || value === undefined) return DASH;
  const sign = Math.abs(value) < 0.005 ? "" : value < 0 ? MINUS : "+";
  return `${sign}$${compact(value)}`;
}

/** From percent points. */
export function percent(value: number | null | undefined): string {
  if (value === null || value === undefined) return DASH;
  const size = Math.abs(value);
  const sign = size < 0.05 ? "" : value < 0 ? MINUS : "+";
  return `${sign}${size >= 1_000 ? compact(size) : size.toFixed(size < 10 ? 1 : 0)}%`;
}

/** From a share of 1, without a sign. */
export function share(value: number | null | undefined): string {
  return value === null || value === undefined ? DASH : `${Math.round(value * 100)}%`;
}

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** Small prices count their zeros: 0.0₅342 is 0.00000342. */
export function price(value: number | null | undefined): string {
  if (value === null || value === undefined) return DASH;
  if (value === 0) return "$0";
  if (value < 0) return `${MINUS}${price(-value)}`;
  if (value >= 1_000) return `$${grouped(value, 0)}`;
  if (value >= 1) return `$${grouped(value, 2)}`;
  const zeros = Math.floor(-Math.log10(value) - 1e-9);
  if (zeros < 4) return `$${value.toFixed(zeros + 4)}`;
  const digits = Math.round(value * 10 ** (zeros + 4));
  const written = String(zeros).replace(/\d/g, (digit) => SUBSCRIPTS[Number(digit)] ?? digit);
  return `$0.0${written}${String(digits).slice(0, 4)}`;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function span(milliseconds: number): string {
  const size = Math.max(0, milliseconds);
  if (size < MINUTE) return `${Math.floor(size / SECOND)} s`;
  if (size < HOUR) return `${Math.floor(size / MINUTE)} min`;
  if (size < 2 * DAY) return `${Math.floor(size / HOUR)} h`;
  return `${Math.floor(size / DAY)} d`;
}

/** 14:03:59, in UTC like every time of the service. */
export function timeOfDay(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** 14 Mar, with the hour and minute where asked for. */
export function day(at: number, withTime = false): string {
  const date = new Date(at);
  const text = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
  return withTime ? `${text} ${date.toISOString().slice(11, 16)}` : text;
}

/** A day of any year. */
export function date(at: number): string {
  return `${day(at)} ${new Date(at).getUTCFullYear()}`;
}

export function shortAddress(address: string): string {
  return address.length <= 12 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`;
}
