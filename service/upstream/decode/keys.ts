// The names by which the service looks things up: addresses in the form used as a key, handles that can be asked for.
import { normaliseHandle } from "../../model/handle.ts";
import { normaliseAddress } from "../../model/token.ts";
import { type Fields, Malformed } from "./read.ts";

export function address(from: Fields, field: string): string {
  const value = from[field];
  const normal = typeof value === "string" ? normaliseAddress(value) : null;
  if (normal === null) throw new Malformed(field);
  return normal;
}

/** Kept as it is shown; it is compared without case elsewhere. */
export function handle(from: Fields, field: string): string {
  return handleOf(from[field]);
}

export function handleOf(value: unknown): string {
  if (typeof value !== "string" || value.startsWith("@") || normaliseHandle(value) === null)
    throw new Malformed("handle");
  return value;
}
