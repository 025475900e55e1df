// Pump.fun's own reports of a swap. Most of its fees bypass the pool's vaults, so balances don't show them; but each swap ends
// with an event, an instruction from the program to itself that only it can sign. Layouts are from the programs' published
// interface; later versions only append, so extra bytes are fine.
import { decodeBase58, encodeBase58 } from "./base58.ts";
import { programOf } from "./instructions.ts";
import { PUMP_PROGRAM, PUMP_SWAP_PROGRAM } from "./programs.ts";
import type { SolanaTransaction } from "./transaction.ts";

export interface SaidSwap {
  /** All fees of a swap: the program's share, the liquidity's, and the token creator's or the cashback that replaces it. */
  feeBps: number;
  /** A curve's virtual reserves after the swap; null for a pool. */
  curve: { tokens: bigint; coins: bigint } | null;
}

interface EventLayout {
  program: string;
  /** The offset of what was traded: for a curve the token, otherwise the pool. */
  subject: number;
  /** In basis points. */
  fees: readonly number[];
  /** The fee paid back to the trader instead of to the creator: this many bytes after the event's name, if it has one. */
  cashback: { name: number | null; after: number };
  curve: { tokens: number; coins: number } | null;
  /** The length of all that except the cashback, which older events lack. */
  bytes: number;
}

/** Anchor's event marker; eight more bytes give the kind. */
const EVENT_MARK = "e445a52e51cb9a1d";
const KIND_BYTES = 16;
const KEY_BYTES = 32;
/** A text is preceded by its length. */
const LENGTH_BYTES = 4;
const FEE_BPS_MAX = 10_000n;

const inPool = (cashback: EventLayout["cashback"]): EventLayout => ({
  program: PUMP_SWAP_PROGRAM,
  subject: 112,
  fees: [64, 80, 336],
  cashback,
  curve: null,
  bytes: 344,
});

/** By kind; offsets start after it. */
const LAYOUTS = new Map<string, EventLayout>([
  [
    // TradeEvent
    "bddb7fd34ee661ee",
    {
      program: PUMP_PROGRAM,
      subject: 0,
      fees: [153, 201],
      cashback: { name: 250, after: 1 },
      curve: { tokens: 97, coins: 89 },
      bytes: 209,
    },
  ],
  // BuyEvent and SellEvent
  ["67f4521f2cf57777", inPool({ name: 393, after: 0 })],
  ["3e2f370aa503dc2a", inPool({ name: null, after: 352 })],
]);

interface SwapSubject {
  pool: string;
  token: string;
}

/** From the last swap of this token on its curve, or in this pool; null if the transaction has no such event. */
export function saidSwap(transaction: SolanaTransaction, asked: SwapSubject): SaidSwap | null {
  for (const { layout, data } of eventsOf(transaction, asked)) {
    if (data.length < layout.bytes) continue;
    const fee = layout.fees.reduce((sum, at) => sum + data.readBigUInt64LE(at), cashbackIn(data, layout));
    if (fee > FEE_BPS_MAX) continue;
    const { curve } = layout;
    return {
      feeBps: Number(fee),
      curve: curve && {
        tokens: data.readBigUInt64LE(curve.tokens),
        coins: data.readBigUInt64LE(curve.coins),
      },
    };
  }
  return null;
}

/** The coins that this token's last swap added to its curve or took from it, as in every version of the event. */
export function saidCoins(transaction: SolanaTransaction, asked: SwapSubject): bigint | null {
  for (const { layout, data } of eventsOf(transaction, asked))
    if (layout.curve && data.length >= KEY_BYTES + 8) return data.readBigUInt64LE(KEY_BYTES);
  return null;
}

/** The swap events of this token on its curve, or in this pool, last one first, with the data after the kind. */
function* eventsOf(
  { instructions, keys }: SolanaTransaction,
  { pool, token }: SwapSubject,
): Generator<{ layout: EventLayout; data: Buffer }> {
  for (const instruction of instructions.toReversed()) {
    const program = programOf(instruction, keys);
    if (program !== PUMP_PROGRAM && program !== PUMP_SWAP_PROGRAM) continue;
    const bytes = typeof instruction.data === "string" ? decodeBase58(instruction.data) : null;
    const event = Buffer.from(bytes ?? []);
    const layout = LAYOUTS.get(event.toString("hex", EVENT_MARK.length / 2, KIND_BYTES));
    if (layout?.program !== program || event.toString("hex", 0, EVENT_MARK.length / 2) !== EVENT_MARK)
      continue;
    const data = event.subarray(KIND_BYTES);
    const subject = encodeBase58(data.subarray(layout.subject, layout.subject + KEY_BYTES));
    if (subject === (layout.curve ? token : pool)) yield { layout, data };
  }
}

function cashbackIn(data: Buffer, { cashback: { name, after } }: EventLayout): bigint {
  const named = name === null ? 0 : name + LENGTH_BYTES;
  if (data.length < named) return 0n;
  const at = after + (name === null ? 0 : named + data.readUInt32LE(name));
  return data.length < at + 8 ? 0n : data.readBigUInt64LE(at);
}
