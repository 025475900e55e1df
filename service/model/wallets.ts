// Every wallet of a trader, of each kind; the one that a platform shows first is the first.
import type { Trader } from "../../protocol/shapes/trader.ts";

export function walletsOf({ solana, evm, all }: Trader["wallets"]): { solana: string[]; evm: string[] } {
  const of = (first: string | null, others: readonly string[] = []) => [
    ...new Set([...(first === null ? [] : [first]), ...others]),
  ];
  return { solana: of(solana, all?.solana), evm: of(evm, all?.evm) };
}
