// Every wallet of a trader, by kind; the platform's first one comes first.
import type { Trader } from "../../protocol/shapes/trader.ts";

export function walletsOf({ solana, evm, all }: Trader["wallets"]): { solana: string[]; evm: string[] } {
  const of = (first: string | null, others: readonly string[] = []) => [
    ...new Set([...(first === null ? [] : [first]), ...others]),
  ];
  return { solana: of(solana, all?.solana), evm: of(evm, all?.evm) };
}
