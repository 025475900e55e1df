// How many calls a second a provider allows: a short burst, after which the client knows whether it was rate limited.
import type { RpcClient } from "./client.ts";

/** The calls per second to try, and the size of the burst: two seconds' worth. */
export const RATE_TRIED = 50;
const BURST_CALLS = 2 * RATE_TRIED;

/** The calls per second it accepted; `RATE_TRIED` if it never refused. The client's own limit must be at least that. */
export async function measureRate(rpc: RpcClient, method: string): Promise<number> {
  await Promise.allSettled(Array.from({ length: BURST_CALLS }, () => rpc.call(method, [])));
  return Math.floor(rpc.health()[0]?.callsPerSecond ?? 0);
}
