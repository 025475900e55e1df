// A copy of a notification as the platform sent it. Always harmless: plain keys, plain values,
// objects one level down, and never more than 8 KB of text; what does not fit is left out.
import type { WireFields } from "../schema.ts";

const RAW_BYTES_MAX = 8 * 1024;
const KEYS_MAX = 64;
const VALUE_LENGTH_MAX = 2_048;
const PLAIN_KEY = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
/** Keys with a special meaning in JavaScript. */
const RESERVED = new Set(["constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "toJSON"]);

export function rawCopy(from: WireFields): Record<string, unknown> {
  const room = { bytes: RAW_BYTES_MAX - 2 };
  return copy(from, room, true);
}

function copy(from: WireFields, room: { bytes: number }, nest: boolean): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(from).slice(0, KEYS_MAX)) {
    if (!PLAIN_KEY.test(key) || RESERVED.has(key)) continue;
    const value = from[key];
    // Quotes, colon, comma, and the braces of an object.
    const frameBytes = key.length + 6;
    if (nest && typeof value === "object" && value !== null && !Array.isArray(value)) {
      if (frameBytes > room.bytes) continue;
      room.bytes -= frameBytes;
      kept[key] = copy(value as WireFields, room, false);
      continue;
    }
    if (!isPlain(value)) continue;
    const costBytes = frameBytes + sizeOf(value);
    if (costBytes > room.bytes) continue;
    room.bytes -= costBytes;
    kept[key] = typeof value === "string" ? value.toWellFormed() : value;
  }
  return kept;
}

function isPlain(value: unknown): value is string | number | boolean | null {
  if (typeof value === "string") return value.length <= VALUE_LENGTH_MAX && !value.includes("\0");
  return (
    value === null || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))
  );
}

function sizeOf(value: string | number | boolean | null): number {
  return typeof value === "string" ? Buffer.byteLength(JSON.stringify(value)) : String(value).length;
}
