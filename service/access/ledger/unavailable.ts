// An unavailable store, as callers see it: a 503 that cost nothing.
import { fault } from "../../../contract/errors.ts";
import { StoreUnavailable } from "../../../database/errors.ts";

export function unavailable() {
  return fault("unavailable", "The service can't charge for this call right now. It cost nothing.");
}

/** For the `catch` of a promise that queried the store. */
export function storeFault(error: unknown): never {
  throw error instanceof StoreUnavailable ? unavailable() : error;
}
