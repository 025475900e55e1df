// Which instructions of the programs that keep pools are swaps, and whether a single one of them is all that moved a pool's
// vaults. Balances can't tell: liquidity withdrawn on one side with a single unit paid back, or a purchase and a sale in one
// transaction, leave the vaults as a swap at any price would.
import { decodeBase58 } from "./base58.ts";
import { programOf } from "./instructions.ts";
import {
  METEORA_DAMM_PROGRAM,
  METEORA_DLMM_PROGRAM,
  PUMP_PROGRAM,
  PUMP_SWAP_PROGRAM,
  RAYDIUM_AMM_PROGRAM,
  RAYDIUM_CLMM_PROGRAM,
  RAYDIUM_CPMM_PROGRAM,
  TOKEN_PROGRAMS,
  WHIRLPOOL_PROGRAM,
} from "./programs.ts";
import type { RawInstruction, SolanaTransaction } from "./transaction.ts";

/** Discriminators of each program's swaps, in hex: Anchor's, except for Raydium's first program. */
const SWAPS: ReadonlyMap<string, readonly string[]> = new Map([
  // SwapBaseIn, SwapBaseOut and their second versions, one byte each.
  [RAYDIUM_AMM_PROGRAM, ["09", "0b", "10", "11"]],
  // swap_base_input, swap_base_output
  [RAYDIUM_CPMM_PROGRAM, ["8fbe5adac41e33de", "37d96256a34ab4ad"]],
  // swap, swap_v2, swap_router_base_in
  [RAYDIUM_CLMM_PROGRAM, ["f8c69e91e17587c8", "2b04ed0b1ac91e62", "457d73daf5baf2c4"]],
  // swap, swap_v2, two_hop_swap, two_hop_swap_v2
  [WHIRLPOOL_PROGRAM, ["f8c69e91e17587c8", "2b04ed0b1ac91e62", "c360ed6c44a2dbe6", "ba8fd11dfe02c275"]],
  [
    METEORA_DLMM_PROGRAM,
    [
      "f8c69e91e17587c8", // swap
      "fa49652126cf4bb8", // swap_exact_out
      "38ade6d0ade49ccd", // swap_with_price_impact
      "414b3f4ceb5b5b88", // swap2
      "2bd7f784893cf351", // swap_exact_out2
      "4a62c0d6b1334b33", // swap_with_price_impact2
    ],
  ],
  // swap, swap2
  [METEORA_DAMM_PROGRAM, ["f8c69e91e17587c8", "414b3f4ceb5b5b88"]],
  // buy, sell, buy_exact_quote_in
  [PUMP_SWAP_PROGRAM, ["66063d1201daebea", "33e685a4017f83ad", "c62e1552b4d9e870"]],
  [
    PUMP_PROGRAM,
    [
      "66063d1201daebea", // buy
      "33e685a4017f83ad", // sell
      "38fc74089edfcd5f", // buy_exact_sol_in
      "b817ee6167c5d33d", // buy_v2
      "5df6823ce7e940b2", // sell_v2
      "c2ab1c46684d5b2f", // buy_exact_quote_in_v2
    ],
  ],
]);

/** Vault owners for all pools of a program, where a pool has no account of its own. */
const AUTHORITIES: ReadonlyMap<string, string> = new Map([
  ["5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1", RAYDIUM_AMM_PROGRAM],
  ["GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL", RAYDIUM_CPMM_PROGRAM],
  ["HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC", METEORA_DAMM_PROGRAM],
]);

/** The program that must do the swap for a pool's trade to count; null where its swaps aren't known. */
export function swapProgramOf(pool: string, ownedBy: string | null): string | null {
  const program = AUTHORITIES.get(pool) ?? ownedBy;
  return program !== null && SWAPS.has(program) ? program : null;
}

/** The program whose single swap is all that moved these token accounts; null if anything else did, or it can't be seen. */
export function swappedBy(
  { instructions, keys }: SolanaTransaction,
  accounts: ReadonlySet<string>,
): string | null {
  const callers: (RawInstruction | undefined)[] = [];
  let swap: RawInstruction | undefined;
  for (const instruction of instructions) {
    // Nodes omit it for a transaction's top-level instructions, and did so for all calls until the end of 2022.
    const height = typeof instruction.stackHeight === "number" ? instruction.stackHeight : 1;
    callers.length = Math.min(callers.length, height);
    callers[height] = instruction;
    if (!TOKEN_PROGRAMS.has(programOf(instruction, keys)) || !names(instruction, keys, accounts)) continue;
    const caller = callers[height - 1];
    if (!caller || (swap && swap !== caller)) return null;
    swap = caller;
  }
  return swap && isSwap(swap, keys) ? programOf(swap, keys) : null;
}

function isSwap(instruction: RawInstruction, keys: string[]): boolean {
  const kinds = SWAPS.get(programOf(instruction, keys));
  const data = kinds && typeof instruction.data === "string" ? decodeBase58(instruction.data) : null;
  const text = data ? Buffer.from(data).toString("hex") : "";
  return kinds?.some((kind) => text.startsWith(kind)) ?? false;
}

function names({ accounts, parsed }: RawInstruction, keys: string[], asked: ReadonlySet<string>): boolean {
  const info: unknown = typeof parsed === "object" && parsed !== null && "info" in parsed && parsed.info;
  const named: unknown[] = Array.isArray(accounts) ? accounts : info ? Object.values(info) : [];
  return named.some((each) => asked.has(typeof each === "number" ? (keys[each] ?? "") : String(each)));
}
