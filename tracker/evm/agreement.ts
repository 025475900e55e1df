// Compares a chain's providers now and then, before a block is held for final. One that contradicts the others is left
// alone for a while; when no majority names the block, finality waits.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { majorityOf } from "../rpc/agreement.ts";
import type { RpcClient } from "../rpc/client.ts";
import { type Header, readHeader } from "./headers.ts";
import { hexOf } from "./log-source.ts";
import type { ReaderMetrics } from "./reader-metrics.ts";

export interface Agreement {
  /** False holds finality back. */
  confirms(final: Header, signal: AbortSignal): Promise<boolean>;
}

const COMPARE_MS = 60_000;

export function createAgreement(rpc: RpcClient, clock: Clock, log: Log, metrics: ReaderMetrics): Agreement {
  let comparedAt = Number.NEGATIVE_INFINITY;
  return {
    async confirms({ chainId, height, hash }, signal) {
      if (rpc.providers < 2 || clock.now() - comparedAt < COMPARE_MS) return true;
      const opinions = await rpc.ask("eth_getBlockByNumber", [hexOf(height), false], signal);
      if (opinions.length < 2) return true;
      const verdict = majorityOf(opinions, (result) => readHeader(result, chainId)?.hash ?? null);
      for (const host of verdict.dissenters) {
        rpc.distrust(host);
        metrics.disagreement();
        log.warn("provider contradicts the others", { chainId, host, height });
      }
      if (verdict.hash === hash) {
        comparedAt = clock.now();
        return true;
      }
      if (verdict.hash === null) {
        metrics.disagreement();
        log.warn("providers disagree about a final block", { chainId, height });
      }
      return false;
    },
  };
}
