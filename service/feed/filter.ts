// A filter in its one canonical form: equal filters have equal keys, so their sockets share a topic. Fields are
// combined with AND, the values inside one with OR; an empty list, and a minimum of 0, ask for nothing.
import type { EventFacts } from "./facts.ts";

export interface FeedFilter {
  /** Forms as in facts.ts. */
  traders: readonly string[];
  tokens: readonly string[];
  chains: readonly number[];
  /** On trades: the sides. */
  types: readonly string[];
  sources: readonly string[];
  minUsd: number;
  /** On trades: also when a trade that was sent before can't be undone any more. */
  finality?: boolean;
}

export const EVERYTHING: FeedFilter = {
  traders: [],
  tokens: [],
  chains: [],
  types: [],
  sources: [],
  minUsd: 0,
};

/** Sorted and without repeats, so that the order in which a client lists its values does not matter. */
export function canonical(filter: FeedFilter): FeedFilter {
  return {
    traders: [...new Set(filter.traders)].sort(),
    tokens: [...new Set(filter.tokens)].sort(),
    chains: [...new Set(filter.chains)].sort((a, b) => a - b),
    types: [...new Set(filter.types)].sort(),
    sources: [...new Set(filter.sources)].sort(),
    minUsd: filter.minUsd,
    ...(filter.finality ? { finality: true } : {}),
  };
}

/** Of a canonical filter. */
export function filterKey(filter: FeedFilter): string {
  const { traders, tokens, chains, types, sources, minUsd, finality } = filter;
  return JSON.stringify([traders, tokens, chains, types, sources, minUsd, finality ?? false]);
}

export function matches(filter: FeedFilter, facts: EventFacts): boolean {
  return (
    reaches(filter.minUsd, facts.usd) &&
    (filter.types.length === 0 || filter.types.includes(facts.type)) &&
    admitsChain(filter, facts.chainId) &&
    (filter.sources.length === 0 || filter.sources.includes(facts.source)) &&
    shares(filter.traders, facts.traders) &&
    shares(filter.tokens, facts.tokens)
  );
}

export function admitsChain(filter: FeedFilter, chainId: number | null): boolean {
  return filter.chains.length === 0 || (chainId !== null && filter.chains.includes(chainId));
}

function reaches(minUsd: number, usd: number | null): boolean {
  return minUsd === 0 || (usd !== null && usd >= minUsd);
}

function shares(wanted: readonly string[], given: readonly string[]): boolean {
  return wanted.length === 0 || given.some((form) => wanted.includes(form));
}
