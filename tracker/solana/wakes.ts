// Wakes the reader as soon as a node sees a watched wallet: one `logsSubscribe` a wallet, or the slots themselves when
// there are too many. What a message says is never believed, so a lost, repeated or forged one does no harm.
import type { Kit } from "../../kit/kit.ts";
import { type ChainReader, SOLANA_CHAIN_ID, type WatchList } from "../chain.ts";
import type { RpcCall } from "../rpc/provider.ts";
import { createWakeSocket } from "../rpc/wake-socket.ts";
import { LISTED_WALLETS_MAX } from "./limits.ts";

export interface SolanaWakesOptions extends Pick<Kit, "clock" | "log" | "random"> {
  url: string;
  watch: WatchList;
  reader: Pick<ChainReader, "wake">;
  listedWalletsMax?: number;
}

export interface SolanaWakes {
  start(): void;
  stop(): void;
  isConnected(): boolean;
}

export function createSolanaWakes(options: SolanaWakesOptions): SolanaWakes {
  const { watch, reader, listedWalletsMax = LISTED_WALLETS_MAX } = options;
  /** The wallets in the order in which they were subscribed to; empty while slots are. */
  let asked: string[] = [];
  /** The node's own numbers of those subscriptions. */
  let walletOf = new Map<number, string>();
  let stopListening = () => {};

  const socket = createWakeSocket({
    ...options,
    subscriptions(): RpcCall[] {
      const wallets = [...watch.wallets(SOLANA_CHAIN_ID)];
      walletOf = new Map();
      asked = wallets.length > listedWalletsMax ? [] : wallets;
      if (wallets.length > listedWalletsMax) return [{ method: "slotSubscribe", params: [] }];
      return wallets.map((wallet) => ({
        method: "logsSubscribe",
        params: [{ mentions: [wallet] }, { commitment: "confirmed" }],
      }));
    },
    onSubscribed(index, result) {
      const wallet = asked[index];
      if (wallet !== undefined && typeof result === "number") walletOf.set(result, wallet);
      // Between the look at the connection's opening and this moment nobody watched.
      if (wallet !== undefined && index === asked.length - 1) reader.wake();
    },
    onWake(params) {
      const wallet = walletOf.get(Number((params as { subscription?: unknown } | null)?.subscription));
      reader.wake(wallet === undefined ? undefined : [wallet]);
    },
  });

  return {
    start() {
      stopListening = watch.onChange(() => socket.renew());
      socket.start();
    },
    stop() {
      stopListening();
      socket.stop();
    },
    isConnected: () => socket.isConnected(),
  };
}
