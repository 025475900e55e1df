// When to give up on a transaction that the node lists but can't return: only once the chain is far past it, never just because
// of many attempts.
import type { Log } from "../../kit/log.ts";
import { ATTEMPTS_KEPT_MAX, ATTEMPTS_MIN, GIVE_UP_SLOTS } from "./limits.ts";

/** Returns whether to give up; each call counts as an attempt. */
export function createAttempts(log: Log, final: () => number): (signature: string, slot: number) => boolean {
  const attempts = new Map<string, number>();
  return (signature, slot) => {
    if (attempts.size > ATTEMPTS_KEPT_MAX) attempts.clear();
    const tries = (attempts.get(signature) ?? 0) + 1;
    const isHopeless = tries >= ATTEMPTS_MIN && slot <= final() - GIVE_UP_SLOTS;
    attempts.set(signature, isHopeless ? Infinity : tries);
    if (isHopeless && tries !== Infinity) log.error("solana transaction skipped", { signature, slot });
    return isHopeless;
  };
}
