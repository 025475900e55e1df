// Instants and fan-outs as inputs: an ISO timestamp, unix seconds or unix milliseconds become epoch milliseconds;
// `deep` becomes the number of upstream calls it buys.

import { z } from "zod";
import { MINUTE_MS } from "../kit/units.ts";
import { parameter } from "./parts.ts";

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|z|[+ -]\d{2}:?\d{2})?)?$/;
/** Up to eleven digits are seconds (until the year 5138), more are milliseconds (since March 1973). */
const SECONDS_DIGITS = 11;
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function offsetMs(zone: string | undefined): number | null {
  if (zone === undefined || zone.toUpperCase() === "Z") return 0;
  const digits = zone.replace(/[^0-9]/g, "");
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2));
  if (hours > 23 || minutes > 59) return null;
  // A + that was not escaped in a URL arrives as a space.
  const sign = zone.startsWith("-") ? -1 : 1;
  return sign * (hours * 60 + minutes) * MINUTE_MS;
}

function isoMs(text: string): number | null {
  const parts = ISO.exec(text);
  if (!parts) return null;
  const part = (index: number) => Number(parts[index] ?? 0);
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(part) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const millisecond = Number((parts[7] ?? "").padEnd(3, "0").slice(0, 3));
  const asIfUtc = Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
  const date = new Date(asIfUtc);
  // Date.UTC rolls the 30th of February over into March; such a date does not exist.
  const exists =
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  const offset = offsetMs(parts[8]);
  return exists && offset !== null ? asIfUtc - offset : null;
}

/** Epoch milliseconds, or null when the text is not an instant. */
export function instantMs(text: string): number | null {
  const digits = /^[0-9]{1,15}$/.test(text);
  const milliseconds = digits ? Number(text) * (text.length <= SECONDS_DIGITS ? 1000 : 1) : isoMs(text);
  if (milliseconds === null || milliseconds < 0 || milliseconds > LATEST_MS) return null;
  return milliseconds;
}

export function instant(description: string) {
  const schema = z.string().transform((text, context) => {
    const milliseconds = instantMs(text);
    if (milliseconds !== null) return milliseconds;
    context.addIssue({ code: "custom", message: "" });
    return z.NEVER;
  });
  return parameter(schema, {
    must: "must be an ISO timestamp, unix seconds or unix milliseconds",
    description: `${description} An ISO 8601 timestamp (UTC unless it says otherwise), unix seconds or unix milliseconds.`,
    schema: { type: "string", examples: ["2026-03-14T15:00:00Z", "1773500400"] },
  });
}

/** For routes that take both. */
export const fromBeforeTo = (
  _params: unknown,
  { from, to }: { from?: number | undefined; to?: number | undefined },
) =>
  from !== undefined && to !== undefined && from >= to
    ? { param: "from", sentence: "from must be earlier than to." }
    : undefined;

/** The full fan-out: five trading chains in both sort orders. */
export const DEEP_FULL_CALLS = 10;
/** Two pages of each: beyond that one request would hold upstream connections for too long. */
export const DEEP_CALLS_MAX = 20;

export interface Deep {
  full: boolean;
  /** The most upstream calls. */
  calls: number;
}

export function deep(description: string) {
  const schema = z
    .string()
    .regex(/^(true|[1-9][0-9]?)$/)
    .transform((text): Deep => {
      const full = text === "true" || text === "1";
      return { full, calls: full ? DEEP_FULL_CALLS : Number(text) };
    })
    .refine((value) => value.calls <= DEEP_CALLS_MAX);
  return parameter(schema, {
    must: `must be 1 or true for the full fan-out, or a whole number from 2 to ${DEEP_CALLS_MAX}`,
    description,
    schema: {
      anyOf: [
        { type: "boolean", const: true },
        { type: "integer", minimum: 1, maximum: DEEP_CALLS_MAX },
      ],
    },
  });
}
