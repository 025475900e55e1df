// The node's own safe or finalized height. Many nodes have none: those that refuse or know no such block are not asked again
// for a while.
import type { Clock } from "../../kit/clock.ts";
import { HOUR_MS } from "../../kit/units.ts";
import type { RpcClient } from "../rpc/client.ts";
import { readHeader } from "./headers.ts";

/** Null where the node has no such tag. */
export type TaggedHeight = (tag: "safe" | "finalized") => Promise<number | null>;

const REFUSED_MS = HOUR_MS;

export function createTaggedHeight(
  rpc: Pick<RpcClient, "batch">,
  chainId: number,
  clock: Pick<Clock, "now">,
): TaggedHeight {
  let refusedUntil = 0;
  return async (tag) => {
    if (clock.now() < refusedUntil) return null;
    const [reply] = await rpc.batch([{ method: "eth_getBlockByNumber", params: [tag, false] }]);
    const header = reply && "result" in reply ? readHeader(reply.result ?? null, chainId) : null;
    if (header === null) refusedUntil = clock.now() + REFUSED_MS;
    return header?.height ?? null;
  };
}
