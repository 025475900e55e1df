// How often a provider lets itself be asked: a short burst, after which the client knows whether somebody complained.
import type { RpcClient } from "./client.ts";

/** Calls a second that are tried, and how many: two seconds of them. */
export const RATE_TRIED = 50;
const BURST_CALLS = 2 * RATE_TRIED;

/** Calls a second that it took; `RATE_TRIED` if it never complained. The client must be one that asks that often. */
export async function measureRate(rpc: RpcClient, method: string): Promise<number> {
  await Promise.allSettled(Array.from({ length: BURST_CALLS }, () => rpc.call(method, [])));
  return Math.floor(rpc.health()[0]?.callsPerSecond ?? 0);
}
