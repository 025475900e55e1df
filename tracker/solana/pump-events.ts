// What the programs of pump.fun say about a swap. Most of their fees go past the pool's vaults, so balances don't show them; but each
// swap ends with an event, which is an instruction of the program to itself that only it can sign. Layouts are those of the
// programs' published interface; later versions only append, so more bytes than are read are fine.
import { decodeBase58, encodeBase58 } from "./base58.ts";
import { programOf } from "./instructions.ts";
import { PUMP_PROGRAM, PUMP_SWAP_PROGRAM } from "./programs.ts";
import type { SolanaTransaction } from "./transaction.ts";

export interface SaidSwap {
  /** All that a swap costs: the program's share, the liquidity's, and that of the token's maker or what is paid back instead of it. */
  feeBps: number;
  /** What a curve pretends to hold after the swap; null of a pool. */
  curve: { tokens: bigint; coins: bigint } | null;
}

interface EventLayout {
  program: string;
  /** Where it names what was traded: of a curve the token, else the pool. */
  subject: number;
  /** In basis points. */
  fees: readonly number[];
  /** The fee that is paid back to the trader in place of the maker's: where the event has a name, this many bytes after its end. */
  cashback: { name: number | null; after: number };
  curve: { tokens: number; coins: number } | null;
  /** As long as all of that but the cashback, which older events lack. */
  bytes: number;
}

/** Anchor's mark of an event; eight more bytes say of which kind. */
const EVENT_MARK = "e445a52e51cb9a1d";
const KIND_BYTES = 16;
const KEY_BYTES = 32;
/** The length of a text stands before it. */
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

/** By kind; places are counted from after it. */
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

/** Of the last swap of this token on its curve, or in this pool; null where the transaction says nothing about one. */
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

/** The coins that the last swap of this token brought to its curve or took from it, as every version of the event has them. */
export function saidCoins(transaction: SolanaTransaction, asked: SwapSubject): bigint | null {
  for (const { layout, data } of eventsOf(transaction, asked))
    if (layout.curve && data.length >= KEY_BYTES + 8) return data.readBigUInt64LE(KEY_BYTES);
  return null;
}

/** The events of swaps of this token on its curve, or in this pool, the last one first, with what follows their kind. */
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
