// Probes what one Solana provider allows: how old its head is, signatures per page, calls per batch, how far back it goes,
// calls a second. For `crowdtape doctor`.
import type { Clock } from "../../kit/clock.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { RpcClient } from "../rpc/client.ts";
import { measureRate } from "../rpc/measure-rate.ts";
import { createSolanaCalls } from "./calls.ts";
import { LISTED_WALLETS_MAX, STREAM_WALLETS_MAX } from "./limits.ts";
import { HOLDINGS_MS, PROBE_MS, SLOT_MS, SWEEP_MS, TAPE_REST_SLOTS, TICK_MS } from "./times.ts";

export interface MeasuredSolana {
  /** null: it does not report its newest block's time. */
  headAgeMs: number | null;
  /** For an address that is in every block; null: it would not list them. */
  signaturesAPage: number | null;
  batchCalls: number;
  /** Slots back from the head; null: it would not answer. */
  archiveSlots: number | null;
  callsPerSecond: number;
}

/** A program that every vote mentions: there are always more signatures than fit a page. */
const BUSY_ADDRESS = "Vote111111111111111111111111111111111111111";
const BATCH_CALLS = 100;

export async function measureSolana(rpc: RpcClient, clock: Clock): Promise<MeasuredSolana> {
  const calls = createSolanaCalls(rpc);
  const { final } = await calls.heads();
  const [page] = await calls.list([{ address: BUSY_ADDRESS, until: null, before: null }], 0);
  const first = await calls.firstBlock();
  const [time] = await rpc.batch([{ method: "getBlockTime", params: [final] }]);
  const madeAt = time && "result" in time && typeof time.result === "number" ? time.result * 1_000 : null;
  // Either way, the client has learned how many calls fit in one batch.
  await rpc
    .batch(Array.from({ length: BATCH_CALLS }, () => ({ method: "getSlot", params: [] })))
    .catch(() => {});
  return {
    headAgeMs: madeAt === null ? null : Math.max(0, clock.now() - madeAt),
    signaturesAPage: page?.length ?? null,
    batchCalls: rpc.health()[0]?.batch ?? 1,
    archiveSlots: first === null ? null : Math.max(0, final - first),
    callsPerSecond: await measureRate(rpc, "getSlot"),
  };
}

/** Two slots, plus whatever the look needs. */
const CALLS_PER_LOOK = 2;
/** The wallet's signatures, the transaction, its block until it is final, slots. */
const CALLS_PER_TRADE = 10;
/** Slots, the list of blocks, and a block. */
const CALLS_PER_BLOCK = 4;

/** The source of news: a stream, a node's socket, or polling only. */
export type SolanaNews = "stream" | "socket" | "none";

/** Solana calls a day, with this many wallets and trades per wallet. */
export function solanaCallsPerDay(news: SolanaNews, wallets: number, tradesPerWallet: number): number {
  const trades = wallets * tradesPerWallet * (CALLS_PER_TRADE - (news === "stream" ? 1 : 0));
  if (wallets > (news === "stream" ? STREAM_WALLETS_MAX : LISTED_WALLETS_MAX))
    return Math.round((DAY_MS / TICK_MS) * CALLS_PER_BLOCK + trades);
  const share = Math.max(1, wallets / LISTED_WALLETS_MAX);
  const sweeps = DAY_MS / (SWEEP_MS[news === "none" ? "alone" : "woken"] * share);
  const comparisons = DAY_MS / (HOLDINGS_MS * share);
  const checks = DAY_MS / HOUR_MS;
  const looks = Math.max(sweeps, DAY_MS / PROBE_MS) * CALLS_PER_LOOK;
  return Math.round(looks + sweeps * wallets + (comparisons + checks) * 2 * wallets + trades);
}

/** Calls a day for the tape: a look at each pool about every five minutes, and a call for each swap in it. */
export const solanaTapeCallsPerDay = (pools: number, swapsPerPool: number): number =>
  Math.round(pools * (DAY_MS / (TAPE_REST_SLOTS * SLOT_MS) + swapsPerPool));
