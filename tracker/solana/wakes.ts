// Wakes the reader as soon as a node sees a watched wallet: one `logsSubscribe` per wallet, or the slots themselves when there
// are too many. A message's content is never trusted, so a lost, repeated or forged one does no harm.
import type { Kit } from "../../kit/kit.ts";
import { SOLANA_CHAIN_ID, type WatchList } from "../chain.ts";
import type { NewsListener } from "../reader.ts";
import type { RpcCall } from "../rpc/provider.ts";
import { createWakeSocket } from "../rpc/wake-socket.ts";
import { LISTED_WALLETS_MAX } from "./limits.ts";
import { SWEEP_MS } from "./times.ts";

export interface SolanaWakesOptions extends Pick<Kit, "clock" | "log" | "random"> {
  url: string;
  watch: WatchList;
  reader: NewsListener;
  listedWalletsMax?: number;
}

export interface SolanaWakes {
  start(): void;
  stop(): void;
  /** Whether news would arrive now. */
  isHearing(): boolean;
}

/** Wallets may be quiet for hours. All are looked at when they are resubscribed, so this replaces a sweep. */
const SILENCE_MS_MAX = 0.9 * SWEEP_MS.woken;

export function createSolanaWakes(options: SolanaWakesOptions): SolanaWakes {
  const { watch, reader, listedWalletsMax = LISTED_WALLETS_MAX } = options;
  /** The wallets in subscription order; a null for slots. */
  let asked: (string | null)[] = [];
  /** The node's ids of those subscriptions. */
  let walletOf = new Map<number, string | null>();
  let stopListening = () => {};

  const isSubscribed = () => walletOf.size === asked.length;

  const socket = createWakeSocket({
    ...options,
    silenceMsMax: SILENCE_MS_MAX,
    subscriptions(): RpcCall[] {
      const wallets = [...watch.wallets(SOLANA_CHAIN_ID)];
      walletOf = new Map();
      asked = wallets.length > listedWalletsMax ? [null] : wallets;
      if (wallets.length > listedWalletsMax) return [{ method: "slotSubscribe", params: [] }];
      return wallets.map((wallet) => ({
        method: "logsSubscribe",
        params: [{ mentions: [wallet] }, { commitment: "confirmed" }],
      }));
    },
    onSubscribed(index, result) {
      const wallet = asked[index];
      if (wallet === undefined || typeof result !== "number") return;
      walletOf.set(result, wallet);
      // News from before this moment was missed.
      if (isSubscribed()) reader.wake();
    },
    onLost: () => reader.lost(),
    onWake(params) {
      if (params === null) return;
      const wallet = walletOf.get(Number((params as { subscription?: unknown }).subscription)) ?? null;
      reader.wake(wallet === null ? undefined : [wallet]);
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
    isHearing: () => socket.isConnected() && isSubscribed(),
  };
}
