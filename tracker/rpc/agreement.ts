// Compares a chain's providers now and then, before a block is considered final. If two report different hashes for a block
// that can't change any more, one is wrong: the minority is avoided for a while, and without a majority finality waits.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import type { ReaderMetrics } from "../reader-metrics.ts";
import type { Opinion, RpcClient } from "./client.ts";
import type { RpcCall } from "./provider.ts";

export interface ProviderVerdict {
  /** The hash that most providers report; null when no two agree or none answered. */
  hash: string | null;
  dissenters: string[];
}

export function majorityOf(
  opinions: readonly Opinion[],
  hashOf: (result: unknown) => string | null,
): ProviderVerdict {
  const votes = new Map<string, string[]>();
  for (const { host, result } of opinions) {
    const hash = hashOf(result);
    // A provider that does not have the block yet has no vote.
    if (hash !== null) votes.set(hash, [...(votes.get(hash) ?? []), host]);
  }
  const ranked = [...votes].sort(([, a], [, b]) => b.length - a.length);
  const [first, second] = ranked;
  if (!first) return { hash: null, dissenters: [] };
  if (second && second[1].length === first[1].length) return { hash: null, dissenters: [] };
  return { hash: first[0], dissenters: ranked.slice(1).flatMap(([, hosts]) => hosts) };
}

const COMPARE_MS = MINUTE_MS;

/** Returns whether a supposedly final block can be relied on; `hash` is the one we read, if any. */
export type Agreement = (height: number, hash: string | null) => Promise<boolean>;

export function createAgreement(parts: {
  rpc: RpcClient;
  clock: Clock;
  log: Log;
  metrics: ReaderMetrics;
  signal: AbortSignal;
  /** The call that fetches a block, and the hash in its result. */
  question(height: number): RpcCall;
  hashOf(result: unknown): string | null;
}): Agreement {
  const { rpc, clock, log, metrics } = parts;
  let comparedAt = Number.NEGATIVE_INFINITY;
  let wasSplit = false;
  return async (height, hash) => {
    if (rpc.providers < 2 || clock.now() - comparedAt < COMPARE_MS) return true;
    const { method, params } = parts.question(height);
    const opinions = await rpc.ask(method, params, parts.signal);
    if (opinions.length < 2) return true;
    const verdict = majorityOf(opinions, parts.hashOf);
    for (const host of verdict.dissenters) {
      rpc.distrust(host);
      metrics.disagreement();
      log.warn("provider contradicts the others", { host, height });
    }
    const isSplit = verdict.hash === null;
    if (isSplit) metrics.disagreement();
    if (isSplit && !wasSplit) log.warn("providers disagree", { height });
    wasSplit = isSplit;
    // Without a hash of our own, what was just read may still be the minority's.
    const isRight = hash === null ? !isSplit && verdict.dissenters.length === 0 : verdict.hash === hash;
    if (isRight || (hash === null && !isSplit)) comparedAt = clock.now();
    return isRight;
  };
}
