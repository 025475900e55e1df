// What counts as money on a chain: dollar coins at a dollar, and the chain's own coin at its price. Everything else is a
// token that a trader can have a position in.
import { NATIVE, SOLANA_CHAIN_ID } from "../chain.ts";

/** Dollar coins with deep markets; others are added by a setting. */
const STABLES: Record<number, readonly string[]> = {
  1: [
    "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    "0xdac17f958d2ee523a2206206994597c13d831ec7",
    "0x6b175474e89094c44da98b954eedeac495271d0f",
    "0xdc035d45d973e3ec169d2276ddab16f1e407384f",
  ],
  10: ["0x0b2c639c533813f4aa9d7837caf62653d097ff85", "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58"],
  56: [
    "0x55d398326f99059ff775485246999027b3197955",
    "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d",
    "0xe9e7cea3dedca5984780bafc599bd69add087d56",
  ],
  137: ["0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", "0xc2132d05d31c914a87c6611c10748aeb04b58e8f"],
  8453: ["0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca"],
  42161: ["0xaf88d065e77c8cc2239327c5edb3a432268e5831", "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9"],
  [SOLANA_CHAIN_ID]: [
    "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    "Es9vMFrzaCErmPkTEsFn8q9xGk1sxRTThoXg5P4ZTwF",
  ],
};

const NO_STABLES: ReadonlySet<string> = new Set();
const STABLES_OF = new Map(
  Object.entries(STABLES).map(([chainId, tokens]) => [Number(chainId), new Set(tokens)]),
);

/** The dollar coins of a chain that need no setting. */
export const stablesOf = (chainId: number): ReadonlySet<string> => STABLES_OF.get(chainId) ?? NO_STABLES;

export interface Money {
  kindOf(chainId: number, token: string): "stable" | "native" | null;
  /** The address under which the chain's coin is quoted elsewhere. */
  wrappedOf(chainId: number): string | null;
}

export interface MoneyOf {
  chainId: number;
  wrapped: string | null;
  stables: readonly string[];
}

export function createMoney(chains: readonly MoneyOf[]): Money {
  const stables = new Map<number, Set<string>>();
  const wrapped = new Map<number, string>();
  for (const chain of chains) {
    stables.set(chain.chainId, new Set([...stablesOf(chain.chainId), ...chain.stables]));
    if (chain.wrapped !== null) wrapped.set(chain.chainId, chain.wrapped);
  }
  return {
    kindOf(chainId, token) {
      if (token === NATIVE || token === wrapped.get(chainId)) return "native";
      return stables.get(chainId)?.has(token) ? "stable" : null;
    },
    wrappedOf: (chainId) => wrapped.get(chainId) ?? null,
  };
}
