// Compares secrets in a time that does not reveal where they differ.
import { timingSafeEqual } from "node:crypto";

export function sameText(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
