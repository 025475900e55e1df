// Whether the providers of a chain tell the same story. A provider that names another hash for a block that can't change
// any more is on a wrong fork or lying, whichever of them is asked first.
import type { Opinion } from "./client.ts";

export interface Verdict {
  /** The hash most providers name; null when no two agree or nobody answered. */
  hash: string | null;
  dissenters: string[];
}

export function majorityOf(
  opinions: readonly Opinion[],
  hashOf: (result: unknown) => string | null,
): Verdict {
  const votes = new Map<string, string[]>();
  for (const { host, result } of opinions) {
    const hash = hashOf(result);
    // A provider that does not have the block yet has no opinion.
    if (hash !== null) votes.set(hash, [...(votes.get(hash) ?? []), host]);
  }
  const ranked = [...votes].sort(([, a], [, b]) => b.length - a.length);
  const [first, second] = ranked;
  if (!first) return { hash: null, dissenters: [] };
  if (second && second[1].length === first[1].length) return { hash: null, dissenters: [] };
  return { hash: first[0], dissenters: ranked.slice(1).flatMap(([, hosts]) => hosts) };
}
