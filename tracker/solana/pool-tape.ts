// The tape of pools on Solana: the pool's vault balances after each final transaction that mentions its token vault. A node
// lists an address's transactions from newest to oldest, so a range is listed first and then read oldest first.
import { chunksOf } from "../../kit/chunks.ts";
import { createLru } from "../../kit/lru.ts";
import { type ChainTape, type SwappedPool, type TapedPool, tapedName } from "../chain.ts";
import { createSolanaCalls, type SignatureEntry, type SolanaCalls, type SolanaRpc } from "./calls.ts";
import { SIGNATURES_PAGE_MAX } from "./limits.ts";
import { stateAfter } from "./pool-states.ts";
import { createVaults, type PoolVault } from "./pool-vaults.ts";
import { SLOT_MS, TAPE_REST_SLOTS } from "./times.ts";
import { readTransaction, type SolanaTransaction } from "./transaction.ts";

/** Pages of one vault's transactions per range; a busier pool is not covered there. */
const PAGES_MAX = 20;
/** Transactions read at once, over all pools. */
const TRANSACTIONS_MAX = 250;
const TRANSACTIONS_A_BATCH = 50;
/** Blocks are at most this many slots apart, unless the chain has halted. */
const SKIPPED_MAX = 128;
/** Pools whose listed transactions are waiting to be read. */
const PENDING_MAX = 2_000;
/** Tick places within a slot: this many per pool, and this many pools. */
const TICKS_A_SLOT_MAX = 256;
const POOLS_A_SLOT = 256;

class ForgottenSlots extends Error {
  override readonly name = "ForgottenSlots";
}

/** Oldest first, up to a slot. */
interface ListedSwaps {
  from: number;
  to: number;
  entries: readonly SignatureEntry[];
}

interface PoolSwapEntry {
  pool: TapedPool;
  vault: PoolVault;
  entry: SignatureEntry;
  /** Its index among its pool's entries in its slot. */
  order: number;
}

export function createSolanaTape(rpc: SolanaRpc, transactionsMax = TRANSACTIONS_MAX): ChainTape {
  const calls = createSolanaCalls(rpc);
  const vaults = createVaults(calls);
  const pending = createLru<string, ListedSwaps>(PENDING_MAX);

  /** Null: too many to list at once. */
  const listed = async (
    pool: TapedPool,
    vault: PoolVault,
    from: number,
    to: number,
  ): Promise<ListedSwaps | null> => {
    const kept = pending.get(tapedName(pool));
    if (kept && kept.from <= from && kept.to >= from)
      return { ...kept, from, entries: kept.entries.filter(({ slot }) => slot >= from) };
    const entries = await listBetween(calls, vault.address, from, to);
    return entries && { from, to, entries };
  };

  const read = async (signatures: readonly string[]): Promise<Map<string, SolanaTransaction>> => {
    const found = new Map<string, SolanaTransaction>();
    for (const some of chunksOf([...new Set(signatures)], TRANSACTIONS_A_BATCH)) {
      const raw = await calls.transactions([...some]);
      for (const [at, signature] of some.entries()) {
        if (raw[at] === null) throw new Error("a final transaction is not there");
        found.set(signature, readTransaction(raw[at]));
      }
    }
    return found;
  };

  return {
    restBlocks: TAPE_REST_SLOTS,

    async startBefore(height, beforeMs) {
      const at = await timeAt(calls, height);
      if (at === null) return null;
      const first = await calls.firstBlock();
      const from = Math.max(first ?? 0, height - Math.ceil(beforeMs / SLOT_MS));
      const timeMs = from > height ? null : await timeAt(calls, from);
      return timeMs === null ? { height, timeMs: at } : { height: from, timeMs };
    },

    feeBps: async () => null,

    async read(pools, fromHeight, toHeight) {
      const first = await calls.firstBlock();
      if (first !== null && first > fromHeight) throw new ForgottenSlots();
      const unread = new Set<string>();
      const found: PoolSwapEntry[] = [];
      let reach = toHeight;
      for (const pool of pools) {
        const vault = await vaults.of(pool);
        const own = vault && (await listed(pool, vault, fromHeight, toHeight));
        if (!own) {
          unread.add(tapedName(pool));
          continue;
        }
        pending.set(tapedName(pool), own);
        reach = Math.min(reach, own.to);
        found.push(...inSlots(own.entries).map((each) => ({ ...each, pool, vault })));
      }
      const { to, taken } = firstOf(found, reach, transactionsMax);
      const transactions = await read(taken.map(({ entry }) => entry.signature));
      const states: SwappedPool[] = [];
      for (const { pool, vault, entry, order } of taken) {
        const transaction = transactions.get(entry.signature) as SolanaTransaction;
        const timeMs = entry.timeMs ?? transaction.timeMs;
        const state = stateAfter(transaction, pool, vault);
        if (state && timeMs === null) unread.add(tapedName(pool));
        if (!state || timeMs === null) continue;
        const index = Math.min(order, TICKS_A_SLOT_MAX - 1) * POOLS_A_SLOT + numberOf(pool);
        states.push({ ...state, pool: pool.pool, height: entry.slot, timeMs, index });
      }
      const toMs = await timeAt(calls, to);
      if (toMs === null) throw new Error("the last block of a stretch is not there");
      if (to === reach) for (const pool of pools) pending.delete(tapedName(pool));
      return { to, toMs, states, unread };
    },

    isForgotten: (error) => error instanceof ForgottenSlots,
  };
}

/** As many whole slots, oldest first, as are read at once; and the last of these slots. */
function firstOf(
  found: readonly PoolSwapEntry[],
  reach: number,
  max: number,
): { to: number; taken: PoolSwapEntry[] } {
  const inOrder = found
    .filter(({ entry }) => entry.slot <= reach)
    .sort((a, b) => a.entry.slot - b.entry.slot);
  const last = inOrder[max - 1];
  const to = last && inOrder.length > max ? last.entry.slot : reach;
  return { to, taken: inOrder.filter(({ entry }) => entry.slot <= to) };
}

function inSlots(entries: readonly SignatureEntry[]): { entry: SignatureEntry; order: number }[] {
  let [slot, order] = [-1, 0];
  return entries.map((entry) => {
    order = entry.slot === slot ? order + 1 : 0;
    slot = entry.slot;
    return { entry, order };
  });
}

/** Transactions that did not fail, oldest first; null: too many to list at once, or the node would not answer. */
async function listBetween(
  calls: SolanaCalls,
  address: string,
  from: number,
  to: number,
): Promise<SignatureEntry[] | null> {
  const entries: SignatureEntry[] = [];
  let before: string | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const [found] = (await calls.list([{ address, until: null, before }], to)) as (SignatureEntry[] | null)[];
    if (!found) return null;
    entries.push(...found.filter(({ slot, failed }) => slot >= from && slot <= to && !failed));
    const last = found.at(-1);
    if (!last || last.slot < from || found.length < SIGNATURES_PAGE_MAX) return entries.reverse();
    before = last.signature;
  }
  return null;
}

/** The time of the last block up to a slot. */
async function timeAt(calls: SolanaCalls, slot: number): Promise<number | null> {
  const { slots } = await calls.slots(Math.max(0, slot - SKIPPED_MAX), slot, "finalized");
  const last = slots.at(-1);
  if (last === undefined) return null;
  const [seconds] = await calls.results([{ method: "getBlockTime", params: [last] }]);
  return typeof seconds === "number" ? seconds * 1_000 : null;
}

/** Usually keeps two pools' places in one slot apart. */
function numberOf(pool: TapedPool): number {
  let sum = 0;
  for (const letter of tapedName(pool)) sum = (sum * 31 + letter.charCodeAt(0)) % POOLS_A_SLOT;
  return sum;
}
