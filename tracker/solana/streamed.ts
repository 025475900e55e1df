// Streamed transactions that are not final yet: which of our wallets they mention, and their effects. A wallet is listed until
// its history shows what was streamed; if its history is final without it, the history wins.
import type { SubscribeUpdateTransaction } from "@triton-one/yellowstone-grpc";
import { encodeBase58 } from "./base58.ts";
import { STREAM_AHEAD_SLOTS_MAX, STREAMED_MAX } from "./limits.ts";
import type { Listing } from "./listing.ts";

interface StreamedTransaction {
  slot: number;
  wallets: string[];
  /** As returned by `getTransaction`; null once used: the node is asked after that. */
  raw: unknown;
}

export type Streamed = ReturnType<typeof createStreamed>;

export function createStreamed() {
  const transactions = new Map<string, StreamedTransaction>();
  let seen = { head: 0, final: 0 };

  /** Returns the wallets that this one mentions, unless it is a repeat. */
  function note(update: SubscribeUpdateTransaction, watched: ReadonlySet<string>): string[] {
    const read = readStreamed(update);
    if (!read) return [];
    const { signature, slot, raw } = read;
    if (transactions.get(signature)?.slot === slot) return [];
    const wallets = read.keys.filter((key) => watched.has(key));
    const isExpected = slot > seen.final && slot <= seen.head + STREAM_AHEAD_SLOTS_MAX;
    if (wallets.length > 0 && isExpected) {
      // When full, the oldest is left to the next sweep.
      if (transactions.size >= STREAMED_MAX) forgetFirst();
      transactions.set(signature, { slot, wallets, raw });
    }
    return wallets;
  }

  /** The chain's progress at the node that histories are read from. */
  function moveTo(head: number, final: number): void {
    seen = { head, final };
    for (const [signature, { slot }] of transactions) if (slot <= final) transactions.delete(signature);
  }

  /** Those of these wallets whose history lacks something that was streamed: their node is late. */
  function lacking(listings: ReadonlyMap<string, Listing>): Set<string> {
    const late = new Set<string>();
    for (const [signature, { wallets }] of transactions)
      for (const wallet of wallets) {
        const entries = listings.get(wallet)?.entries;
        if (entries && !entries.some((entry) => entry.signature === signature)) late.add(wallet);
      }
    return late;
  }

  /** Returned once: if it turns out to be on a losing fork, the node is asked. */
  function take(signature: string): unknown {
    const found = transactions.get(signature);
    const raw = found?.raw ?? null;
    if (found) found.raw = null;
    return raw;
  }

  function forgetFirst(): void {
    for (const signature of transactions.keys()) {
      transactions.delete(signature);
      return;
    }
  }

  return { note, moveTo, lacking, take };
}

/** Null if incomplete: it is then read from the node. */
function readStreamed({ slot, transaction: info }: SubscribeUpdateTransaction) {
  const message = info?.transaction?.message;
  const meta = info?.meta;
  if (!info || !message || !meta) return null;
  const signature = encodeBase58(info.signature);
  const accountKeys = message.accountKeys.map(encodeBase58);
  const loadedAddresses = {
    writable: meta.loadedWritableAddresses.map(encodeBase58),
    readonly: meta.loadedReadonlyAddresses.map(encodeBase58),
  };
  const raw = {
    slot: Number(slot),
    // The time comes from its block.
    blockTime: null,
    transaction: {
      signatures: [signature],
      message: {
        accountKeys,
        header: message.header,
        instructions: message.instructions.map(instructionOf),
      },
    },
    meta: {
      err: meta.err ?? null,
      fee: Number(meta.fee),
      preBalances: meta.preBalances.map(Number),
      postBalances: meta.postBalances.map(Number),
      preTokenBalances: meta.preTokenBalances.map(balanceOf),
      postTokenBalances: meta.postTokenBalances.map(balanceOf),
      innerInstructions: meta.innerInstructions.map(({ index, instructions }) => ({
        index,
        instructions: instructions.map(instructionOf),
      })),
      loadedAddresses,
    },
  };
  return {
    signature,
    slot: raw.slot,
    keys: [...accountKeys, ...loadedAddresses.writable, ...loadedAddresses.readonly],
    // A server without inner instructions must not produce a different flow from the node's.
    raw: meta.innerInstructionsNone ? null : raw,
  };
}

interface StreamedInstruction {
  programIdIndex: number;
  accounts: Uint8Array;
  data: Uint8Array;
  stackHeight?: number | undefined;
}

function instructionOf({ programIdIndex, accounts, data, stackHeight }: StreamedInstruction): object {
  return { programIdIndex, accounts: [...accounts], data: encodeBase58(data), stackHeight };
}

interface StreamedBalance {
  accountIndex: number;
  mint: string;
  owner: string;
  uiTokenAmount: { amount: string; decimals: number } | undefined;
}

function balanceOf({ accountIndex, mint, owner, uiTokenAmount }: StreamedBalance): object {
  return { accountIndex, mint, ...(owner !== "" && { owner }), uiTokenAmount };
}
