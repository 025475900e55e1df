// Compares the providers of the chain from time to time: two that name different blocks for one final slot can't both be
// right. The minority is left alone for a while; without a majority nothing is called final.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { ReaderMetrics } from "../evm/reader-metrics.ts";
import { majorityOf } from "../rpc/agreement.ts";
import type { RpcClient } from "../rpc/client.ts";

export interface AgreementOptions {
  rpc: RpcClient;
  clock: Clock;
  log: Log;
  metrics: ReaderMetrics;
  signal: AbortSignal;
}

const COMPARE_MS = 60_000;

/** Answers whether a slot that is said to be final may be relied on. */
export function createAgreement(options: AgreementOptions): (final: number) => Promise<boolean> {
  const { rpc, clock, log, metrics, signal } = options;
  let comparedAt = Number.NEGATIVE_INFINITY;
  let wasSplit = false;
  return async (final) => {
    if (rpc.providers < 2 || clock.now() - comparedAt < COMPARE_MS) return true;
    const config = { commitment: "finalized", transactionDetails: "none", rewards: false };
    const params = [final, { ...config, maxSupportedTransactionVersion: 0 }];
    const opinions = await rpc.ask("getBlock", params, signal);
    const { hash, dissenters } = majorityOf(opinions, hashOf);
    for (const host of dissenters) {
      rpc.distrust(host);
      metrics.disagreement();
      log.warn("provider contradicts the others", { chain: "solana", host, height: final });
    }
    const isSplit = hash === null && opinions.length > 1;
    if (isSplit) metrics.disagreement();
    if (isSplit && !wasSplit) log.warn("providers disagree", { chain: "solana", height: final });
    wasSplit = isSplit;
    // Without a majority the next look asks again; with one, what was read just now may still be the minority's.
    if (!isSplit) comparedAt = clock.now();
    return dissenters.length === 0 && !isSplit;
  };
}

function hashOf(result: unknown): string | null {
  const hash = (result as { blockhash?: unknown } | null)?.blockhash;
  return typeof hash === "string" ? hash : null;
}
