// The exact native effect of one transaction on one wallet, from a trace of the balances it changed. Few providers offer
// traces; if none does, that is remembered, and amounts that only a trace could give stay marked as approximate.
import type { RpcClient } from "../rpc/client.ts";
import type { NativeBalances } from "./native.ts";
import { quantity } from "./wire.ts";

export interface NativeTracer {
  /** Null when the node offers no traces. */
  balances(hash: string, wallet: string, signal?: AbortSignal): Promise<NativeBalances | null>;
}

const TRACER = { tracer: "prestateTracer", tracerConfig: { diffMode: true } };

export function createNativeTracer(rpc: RpcClient): NativeTracer {
  let isOffered = true;
  return {
    async balances(hash, wallet, signal) {
      if (!isOffered) return null;
      const [reply] = await rpc.batch([{ method: "debug_traceTransaction", params: [hash, TRACER] }], signal);
      if (!reply || "refused" in reply) {
        isOffered = reply?.refused.kind !== "unsupported";
        return null;
      }
      const { pre, post } = (reply.result ?? {}) as Record<string, unknown>;
      const before = balanceIn(pre, wallet);
      // An account with an unchanged balance is in neither part, or has no balance in the second.
      return { before: before ?? 0n, after: balanceIn(post, wallet) ?? before ?? 0n };
    },
  };
}

function balanceIn(accounts: unknown, wallet: string): bigint | undefined {
  if (typeof accounts !== "object" || accounts === null) return undefined;
  const account = Object.entries(accounts).find(([address]) => address.toLowerCase() === wallet)?.[1];
  const balance = (account as { balance?: unknown } | undefined)?.balance;
  return balance === undefined ? undefined : quantity(balance, "balance");
}
