// Receipts of some transactions of a block: one by one, or all of the block's in one call if several are wanted. Not every
// provider supports that call: one that refused it is not asked again for a while.
import type { Clock } from "../../kit/clock.ts";
import { HOUR_MS } from "../../kit/units.ts";
import type { RpcClient } from "../rpc/client.ts";
import type { RpcCall, RpcReply } from "../rpc/provider.ts";
import { hexOf } from "./log-source.ts";

export interface BlockReceipts {
  /** The calls for these receipts; pass the replies to `read`, in order. */
  callsFor(height: number, hashes: readonly string[]): RpcCall[];
  /** One reply per transaction, as if each had been requested; may include others that came along. */
  read(
    replies: readonly RpcReply[],
    hashes: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, RpcReply>>;
}

/** A whole block is some hundred receipts, so it has to save more than one call. */
const WANTED_MIN = 3;
const REFUSED_MS = HOUR_MS;
const WHOLE_BLOCK = "eth_getBlockReceipts";

export function createBlockReceipts(rpc: RpcClient, clock: Pick<Clock, "now">): BlockReceipts {
  /** Until when each host is not asked for whole blocks. */
  const refusedUntil = new Map<string, number>();

  const oneByOne = (hashes: readonly string[]): RpcCall[] =>
    hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] }));

  const byHash = (hashes: readonly string[], replies: readonly RpcReply[]): Map<string, RpcReply> =>
    new Map(hashes.flatMap((hash, at) => (replies[at] ? [[hash, replies[at]]] : [])));

  return {
    callsFor(height, hashes) {
      const isOffered = clock.now() >= (refusedUntil.get(rpc.preferred()) ?? 0);
      return isOffered && hashes.length >= WANTED_MIN
        ? [{ method: WHOLE_BLOCK, params: [hexOf(height)] }]
        : oneByOne(hashes);
    },
    async read(replies, hashes, signal) {
      const [whole] = replies;
      if (!whole || replies.length === hashes.length) return byHash(hashes, replies);
      if ("result" in whole && Array.isArray(whole.result)) {
        const { host } = whole;
        return new Map(
          whole.result.map((receipt: { transactionHash?: unknown } | null) => [
            String(receipt?.transactionHash).toLowerCase(),
            { host, result: receipt },
          ]),
        );
      }
      if ("refused" in whole) refusedUntil.set(whole.host, clock.now() + REFUSED_MS);
      return byHash(hashes, await rpc.batch(oneByOne(hashes), signal));
    },
  };
}
