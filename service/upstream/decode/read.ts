// Reads single fields of what a platform sent. Every reader returns a value of the promised type within the promised
// bounds or throws Malformed; none hands on an object it was given, so no foreign key ever reaches the service.
import { isUuid } from "../../../kit/ids.ts";

/** Thrown by readers and caught where an answer, or one row of it, is decoded; never leaves service/upstream. */
export class Malformed extends Error {
  override name = "Malformed";
}

export type Fields = Readonly<Record<string, unknown>>;
export type Decoder<T> = (value: unknown) => T;

/** Handles, symbols, ids, hashes, role and type words. */
export const MAX_WORD_LENGTH = 128;
/** Names and titles that people or projects choose. */
const MAX_NAME_LENGTH = 256;
/** Bios, theses, comments, notifications. */
const MAX_PROSE_LENGTH = 10_000;
const MAX_URL_LENGTH = 2_048;
/** Cursors are ours to hand back, and ours are at most 160 characters with what we add. */
const MAX_CURSOR_LENGTH = 128;
/** Beyond any price, amount or supply, and far enough from a double's limit that sums stay finite. */
const MAX_MAGNITUDE = 1e36;
/** The last millisecond of the year 9999: later ones have no ISO form that readers expect. */
const MAX_TIME_MS = 253_402_300_799_999;
const MAX_NETWORK_ID = 2 ** 32;

const DECIMAL = /^-?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,2})?$/i;
const WEB_ADDRESS = /^(?:https?:\/\/|\/(?!\/))[^\s"'<>\\]*$/i;

export function fields(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Malformed("not an object");
  return value as Fields;
}

/** The database takes no NUL and the wire no half of a character pair. */
function textOf(value: unknown, name: string, most: number): string {
  if (typeof value !== "string" || value.length > most || value.includes("\0")) throw new Malformed(name);
  return value.isWellFormed() ? value : value.toWellFormed();
}

export function text(from: Fields, name: string, most: number): string {
  return textOf(from[name], name, most);
}

/** Text that names something, so it can not be empty. */
export function word(from: Fields, name: string, most = MAX_WORD_LENGTH): string {
  const value = textOf(from[name], name, most);
  if (value.length === 0) throw new Malformed(name);
  return value;
}

export function uuid(from: Fields, name: string): string {
  const value = from[name];
  if (typeof value !== "string" || !isUuid(value)) throw new Malformed(name);
  return value.toLowerCase();
}

export function flag(from: Fields, name: string): boolean {
  const value = from[name];
  if (typeof value !== "boolean") throw new Malformed(name);
  return value;
}

export function amount(from: Fields, name: string): number {
  const value = from[name];
  if (typeof value !== "number" || !(Math.abs(value) <= MAX_MAGNITUDE)) throw new Malformed(name);
  return value;
}

/** Volumes come as strings so that the platform need not round them. */
export function decimal(from: Fields, name: string): number {
  const value = from[name];
  if (typeof value !== "string" || !DECIMAL.test(value)) throw new Malformed(name);
  const number = Number(value);
  if (!(Math.abs(number) <= MAX_MAGNITUDE)) throw new Malformed(name);
  return number;
}

export function count(from: Fields, name: string): number {
  const value = from[name];
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Malformed(name);
  return value as number;
}

export function rank(from: Fields, name: string): number {
  const value = count(from, name);
  if (value === 0) throw new Malformed(name);
  return value;
}

export function time(from: Fields, name: string): number {
  const value = from[name];
  if (typeof value !== "number" || !(value >= 0 && value <= MAX_TIME_MS)) throw new Malformed(name);
  return Math.floor(value);
}

export function networkId(from: Fields, name: string): number {
  const value = rank(from, name);
  if (value > MAX_NETWORK_ID) throw new Malformed(name);
  return value;
}

export function oneOf<const Choice extends string>(
  from: Fields,
  name: string,
  choices: readonly Choice[],
): Choice {
  const value = from[name];
  for (const choice of choices) if (choice === value) return choice;
  throw new Malformed(name);
}

/** null where there is nothing; otherwise what `read` makes of it. */
export function orNull<T>(from: Fields, name: string, read: (from: Fields, name: string) => T): T | null {
  const value = from[name];
  return value === null || value === undefined ? null : read(from, name);
}

export function prose(from: Fields, name: string): string {
  return textOf(from[name], name, MAX_PROSE_LENGTH);
}

export function name(from: Fields, field: string): string {
  return textOf(from[field], field, MAX_NAME_LENGTH);
}

/** A page or picture that a browser may be sent to; one of another scheme is left out, not passed on. */
export function webAddress(from: Fields, field: string): string | null {
  const value = from[field];
  if (value === null || value === undefined || value === "") return null;
  const address = textOf(value, field, MAX_URL_LENGTH);
  return WEB_ADDRESS.test(address) ? address : null;
}

export function cursor(from: Fields, field: string): string | null {
  return orNull(from, field, (inside, key) => word(inside, key, MAX_CURSOR_LENGTH));
}

function list(from: Fields, field: string, most: number): readonly unknown[] {
  const value = from[field];
  if (!Array.isArray(value) || value.length > most) throw new Malformed(field);
  return value;
}

/** For lists where a missing row would be a wrong answer: one bad row spoils them all. */
export function allRows<T>(from: Fields, field: string, most: number, decode: Decoder<T>): T[] {
  return list(from, field, most).map(decode);
}

/** For lists that stay true with a row left out: bad rows are dropped and counted. */
export function goodRows<T>(
  from: Fields,
  field: string,
  most: number,
  decode: Decoder<T>,
  dropped: () => void,
): T[] {
  const rows: T[] = [];
  for (const value of list(from, field, most)) {
    try {
      rows.push(decode(value));
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      dropped();
    }
  }
  return rows;
}
