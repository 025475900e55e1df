// A connection's subscriptions: new heads, and the logs of every watched wallet and pool. Later additions get their own
// subscriptions; removed ones stay until the next connection, which is harmless.
import type { WatchList } from "../chain.ts";
import type { RpcCall } from "../rpc/provider.ts";
import { walletTopics } from "./hits.ts";
import { askedPools, type LogSource } from "./log-source.ts";

export interface LogSubscriptions {
  /** All of them, for a new connection. */
  begin(): RpcCall[];
  /** For anything watched but not subscribed to yet. */
  more(): RpcCall[];
  /** Stores the node's id of the subscription at this index. */
  agree(index: number, id: unknown): void;
  kindOf(id: unknown): "heads" | "logs" | null;
  /** Whether the node confirmed all of them. */
  isComplete(): boolean;
  count(): number;
}

export function createLogSubscriptions(
  chainId: number,
  watch: Pick<WatchList, "wallets" | "pools">,
  logs: Pick<LogSource, "filters">,
): LogSubscriptions {
  const named = new Set<string>();
  const agreed = new Map<unknown, "heads" | "logs">();
  let count = 0;
  /** With too many wallets to name, logs are not subscribed to. */
  let isNamed = false;

  const more = (): RpcCall[] => {
    const wallets = [...watch.wallets(chainId)].filter((wallet) => !named.has(wallet));
    const pools = askedPools(watch.pools(chainId)).filter((pool) => !named.has(pool));
    if (wallets.length === 0 && pools.length === 0) return [];
    const filters = logs.filters(walletTopics(wallets), new Set(pools));
    isNamed &&= filters !== null;
    for (const one of [...wallets, ...pools]) named.add(one);
    count += filters?.length ?? 0;
    return (filters ?? []).map((filter) => ({ method: "eth_subscribe", params: ["logs", filter] }));
  };

  return {
    more,
    begin() {
      named.clear();
      agreed.clear();
      isNamed = true;
      count = 1;
      return [{ method: "eth_subscribe", params: ["newHeads"] }, ...more()];
    },
    agree(index, id) {
      if (typeof id === "string") agreed.set(id, index === 0 ? "heads" : "logs");
    },
    kindOf: (id) => agreed.get(id) ?? null,
    isComplete: () => isNamed && agreed.size === count,
    count: () => count,
  };
}
