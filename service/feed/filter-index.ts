// Which filters an event matches, found without looking at the others: the cost grows with the matches. A filter
// stands in one index only: by trader or by token, whichever is less crowded when it comes, or, naming neither, by
// its combinations of chain, type and source. Inside a bucket filters are ordered by minUsd, so a scan stops at
// the first that asks for more than the event is worth.
import type { EventFacts } from "./facts.ts";
import { admitsChain, type FeedFilter, matches } from "./filter.ts";

interface IndexedFilter<Value> {
  filter: FeedFilter;
  value: Value;
  index: Map<string, Bucket<Value>>;
  keys: readonly string[];
  /** The last search that hit this entry: one in two of a search's buckets is returned once. */
  metIn: number;
}

/** By minUsd, lowest first. */
type Bucket<Value> = IndexedFilter<Value>[];

export interface FilterIndex<Value> {
  add(key: string, filter: FeedFilter, value: Value): void;
  remove(key: string): void;
  /** The values of the filters that match, each once. */
  search(facts: EventFacts): Value[];
  /** For an event of which only the chain is known: all filters are checked. */
  searchByChain(chainId: number | null): Value[];
  size(): number;
}

const ANY = "*";

export function createFilterIndex<Value>(): FilterIndex<Value> {
  const entries = new Map<string, IndexedFilter<Value>>();
  const byTrader = new Map<string, Bucket<Value>>();
  const byToken = new Map<string, Bucket<Value>>();
  const byShape = new Map<string, Bucket<Value>>();
  let searches = 0;

  const crowd = (index: Map<string, Bucket<Value>>, keys: readonly string[]) =>
    keys.reduce((sum, key) => sum + (index.get(key)?.length ?? 0), 0);

  const placeOf = (filter: FeedFilter): Pick<IndexedFilter<Value>, "index" | "keys"> => {
    const { traders, tokens } = filter;
    if (traders.length === 0 && tokens.length === 0) return { index: byShape, keys: shapesOf(filter) };
    if (tokens.length === 0) return { index: byTrader, keys: traders };
    if (traders.length === 0) return { index: byToken, keys: tokens };
    return crowd(byTrader, traders) <= crowd(byToken, tokens)
      ? { index: byTrader, keys: traders }
      : { index: byToken, keys: tokens };
  };

  const scan = (bucket: Bucket<Value> | undefined, facts: EventFacts, found: Value[]) => {
    if (!bucket) return;
    for (const entry of bucket) {
      if (entry.filter.minUsd > (facts.usd ?? 0)) return;
      if (entry.metIn === searches) continue;
      entry.metIn = searches;
      if (matches(entry.filter, facts)) found.push(entry.value);
    }
  };

  return {
    add(key, filter, value) {
      if (entries.has(key)) throw new Error("a filter is indexed once");
      const entry = { filter, value, ...placeOf(filter), metIn: 0 };
      entries.set(key, entry);
      for (const at of entry.keys) {
        const bucket = entry.index.get(at) ?? [];
        bucket.splice(placeAfter(bucket, filter.minUsd), 0, entry);
        entry.index.set(at, bucket);
      }
    },
    remove(key) {
      const entry = entries.get(key);
      if (!entry) return;
      entries.delete(key);
      for (const at of entry.keys) {
        const bucket = entry.index.get(at);
        bucket?.splice(bucket.indexOf(entry), 1);
        if (bucket?.length === 0) entry.index.delete(at);
      }
    },
    search(facts) {
      searches++;
      const found: Value[] = [];
      if (byTrader.size > 0) for (const form of facts.traders) scan(byTrader.get(form), facts, found);
      if (byToken.size > 0) for (const form of facts.tokens) scan(byToken.get(form), facts, found);
      if (byShape.size > 0) {
        for (const chain of chainKeys(facts.chainId))
          for (const type of [facts.type, ANY])
            for (const source of [facts.source, ANY]) {
              scan(byShape.get(shape(chain, type, source)), facts, found);
            }
      }
      return found;
    },
    searchByChain: (chainId) =>
      [...entries.values()].filter(({ filter }) => admitsChain(filter, chainId)).map(({ value }) => value),
    size: () => entries.size,
  };
}

const shape = (chain: number | string, type: string, source: string) => `${chain} ${type} ${source}`;

const chainKeys = (chainId: number | null) => (chainId === null ? [ANY] : [chainId, ANY]);

/** Chains, types and sources are few, so their combinations are too: at most 6 × 7 × 2 for one filter. */
function shapesOf({ chains, types, sources }: FeedFilter): string[] {
  const orAny = <T>(list: readonly T[]): readonly (T | string)[] => (list.length === 0 ? [ANY] : list);
  return orAny(chains).flatMap((chain) =>
    orAny(types).flatMap((type) => orAny(sources).map((source) => shape(chain, type, source))),
  );
}

/** The index of the first entry that requires more. */
function placeAfter(bucket: Bucket<unknown>, minUsd: number): number {
  let low = 0;
  let high = bucket.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bucket[middle]?.filter.minUsd ?? 0) <= minUsd) low = middle + 1;
    else high = middle;
  }
  return low;
}
