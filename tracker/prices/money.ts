// What counts as money on a chain: dollar coins at a dollar, and the chain's own coin at its price. Everything else is a
// token that a trader can have a position in.
import { NATIVE } from "../chain.ts";
import { knownMoney } from "./known.ts";

export interface Money {
  kindOf(chainId: number, token: string): "stable" | "native" | null;
  /** The address under which the chain's coin is quoted elsewhere. */
  wrappedOf(chainId: number): string | null;
  /** All of it, as pairs of chain and token. */
  all: readonly (readonly [chainId: number, token: string])[];
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
    stables.set(chain.chainId, new Set([...knownMoney(chain.chainId).dollars, ...chain.stables]));
    if (chain.wrapped !== null) wrapped.set(chain.chainId, chain.wrapped);
  }
  return {
    kindOf(chainId, token) {
      if (token === NATIVE || token === wrapped.get(chainId)) return "native";
      return stables.get(chainId)?.has(token) ? "stable" : null;
    },
    wrappedOf: (chainId) => wrapped.get(chainId) ?? null,
    all: chains.flatMap(({ chainId }) =>
      [NATIVE, ...(stables.get(chainId) ?? []), wrapped.get(chainId) ?? NATIVE].map(
        (token) => [chainId, token] as const,
      ),
    ),
  };
}
