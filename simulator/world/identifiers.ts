// UUIDs without a map: a keyed permutation shuffles a record's number into the UUID, and the remaining bits are a checksum
// over it. So an id decodes to its record, and an id that was never issued decodes to nothing.
import { hash32 } from "../../kit/random.ts";
import { mix } from "./hash.ts";

const TWO_32 = 0x1_0000_0000;
const ROUNDS = 6;
const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export interface IdSpace {
  /** The UUID of a number below 2^53. */
  encode(value: number): string;
  decode(id: string): number | undefined;
}

export function idSpace(seed: string, kind: string): IdSpace {
  const key = hash32(seed, "uuid", kind);
  return {
    encode: (value) => toUuid(key, Math.floor(value / TWO_32) >>> 0, value >>> 0),
    decode: (id) => {
      const words = fromUuid(key, id);
      return words && words[0] * TWO_32 + words[1];
    },
  };
}

const SLOT_BITS = 20;
const SLOT_LIMIT = 1 << SLOT_BITS;
const HIGH_LIMIT = 1 << (32 - SLOT_BITS);

/** Ids of records that live in reused slots: the id names the slot and the record's own number (below 2^44). */
export function slottedIdSpace(seed: string, kind: string) {
  const key = hash32(seed, "uuid", kind);
  return {
    encode: (number: number, slot: number): string =>
      toUuid(
        key,
        ((slot % SLOT_LIMIT) * HIGH_LIMIT + (Math.floor(number / TWO_32) % HIGH_LIMIT)) >>> 0,
        number >>> 0,
      ),
    decode: (id: string): { number: number; slot: number } | undefined => {
      const words = fromUuid(key, id);
      if (!words) return undefined;
      return { number: (words[0] % HIGH_LIMIT) * TWO_32 + words[1], slot: Math.floor(words[0] / HIGH_LIMIT) };
    },
  };
}

const DIGITS = Buffer.from("0123456789abcdef");
// Overwritten for each id: an event has several, and building their texts from parts takes four times as long.
const text = Buffer.from("00000000-0000-4000-8000-000000000000");

function toUuid(key: number, high: number, low: number): string {
  for (let round = 0; round < ROUNDS; round++) [high, low] = [low, (high ^ mix(key, low, round)) >>> 0];
  const first = mix(key ^ 0x5bd1e995, high, low);
  const second = mix(key ^ 0x1b873593, low, high);
  writeHex(0, 8, high);
  writeHex(9, 4, first >>> 16);
  writeHex(15, 3, first);
  writeHex(19, 4, 0x8000 | (second & 0x3fff));
  writeHex(24, 8, low);
  writeHex(32, 4, second >>> 16);
  return text.toString("latin1");
}

function writeHex(start: number, length: number, value: number): void {
  let rest = value;
  for (let at = start + length - 1; at >= start; at--) {
    text[at] = DIGITS[rest & 15] as number;
    rest >>>= 4;
  }
}

function fromUuid(key: number, id: string): [number, number] | undefined {
  const given = id.toLowerCase();
  if (!FORM.test(given)) return undefined;
  let high = Number.parseInt(given.slice(0, 8), 16);
  let low = Number.parseInt(given.slice(24, 32), 16);
  for (let round = ROUNDS - 1; round >= 0; round--) [high, low] = [(low ^ mix(key, high, round)) >>> 0, high];
  return toUuid(key, high, low) === given ? [high, low] : undefined;
}
