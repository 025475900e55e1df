// Cursors: a few numbers and a checksum over them and over the query they belong to. They hold no secret and no reference to
// memory, so they survive a restart; one that was tampered with, or used with another query, is refused.
import { hash32 } from "../../kit/random.ts";
import { BadInput } from "../../protocol/server/input.ts";

/** The cursor was not issued for this query. */
export class BadCursor extends BadInput {
  override name = "BadCursor";
  constructor() {
    super("cursor");
  }
}

export function writeCursor(key: number, scope: string, numbers: readonly number[]): string {
  return `${numbers.map((number) => number.toString(36)).join(".")}.${check(key, scope, numbers)}`;
}

export function readCursor(key: number, scope: string, cursor: string, count: number): number[] {
  const parts = cursor.split(".");
  const given = parts.pop();
  if (parts.length !== count || !parts.every((part) => /^-?[0-9a-z]{1,12}$/.test(part)))
    throw new BadCursor();
  const numbers = parts.map((part) => Number.parseInt(part, 36));
  if (given !== check(key, scope, numbers)) throw new BadCursor();
  return numbers;
}

function check(key: number, scope: string, numbers: readonly number[]): string {
  return hash32(key, scope, ...numbers).toString(36);
}
