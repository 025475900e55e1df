// Finds things by name as people type them: exact, by prefix, by substring, and despite a typo (shared trigrams).
// Everything is in memory and a lookup touches only names that share something with the query, so it stays fast at a
// hundred thousand names.

export interface Indexed<Value> {
  /** Names to find it by; a match on the first counts most. */
  names: readonly string[];
  /** Breaks ties: the better known one comes first. */
  weight: number;
  value: Value;
}

export interface Hit<Value> {
  value: Value;
  score: number;
  weight: number;
}

export interface SearchIndex<Value> {
  upsert(key: string, entry: Indexed<Value>): void;
  remove(key: string): void;
  /** Best first. Scores of different indexes are comparable. */
  search(q: string, limit: number): Hit<Value>[];
  size(): number;
}

/** Below this share of common trigrams a name is not "the same except for a typo". */
const SIMILARITY_FLOOR = 0.3;

const EDGE_TRIGRAMS = 3;

const SCORE = { exact: 5, prefix: 4, wordPrefix: 3, part: 2, similar: 0 } as const;
const LATER_NAME_PENALTY = 0.5;

interface Name {
  text: string;
  entry: number;
  order: number;
  trigramCount: number;
}

export function createSearchIndex<Value>(): SearchIndex<Value> {
  const entries: (Indexed<Value> | null)[] = [];
  const byKey = new Map<string, { entry: number; names: number[] }>();
  const names: (Name | null)[] = [];
  const postings = new Map<string, number[]>();
  /** Names by their first one or two letters, for queries too short for trigrams. */
  const heads = new Map<string, Set<number>>();

  const remove = (key: string) => {
    const known = byKey.get(key);
    if (!known) return;
    for (const id of known.names) {
      const name = names[id];
      if (name) for (const head of headsOf(name.text)) heads.get(head)?.delete(id);
      names[id] = null;
    }
    entries[known.entry] = null;
    byKey.delete(key);
  };

  const add = (key: string, entry: Indexed<Value>) => {
    const own = { entry: entries.push(entry) - 1, names: [] as number[] };
    const texts = [...new Set(entry.names.map(fold))].filter((text) => text !== "");
    texts.forEach((text, order) => {
      const trigrams = trigramsOf(text);
      const id = names.push({ text, entry: own.entry, order, trigramCount: trigrams.length }) - 1;
      own.names.push(id);
      for (const trigram of trigrams) {
        const list = postings.get(trigram);
        if (list) list.push(id);
        else postings.set(trigram, [id]);
      }
      for (const head of headsOf(text)) {
        const set = heads.get(head);
        if (set) set.add(id);
        else heads.set(head, new Set([id]));
      }
    });
    byKey.set(key, own);
  };

  /** Drops removed entries once they are most of the index. */
  const compact = () => {
    if (names.length < 1_000 || names.length < byKey.size * 6) return;
    const kept = [...byKey].map(([key, { entry }]) => [key, entries[entry] as Indexed<Value>] as const);
    entries.length = 0;
    names.length = 0;
    for (const map of [byKey, postings, heads]) map.clear();
    for (const [key, entry] of kept) add(key, entry);
  };

  /** How many trigrams each name shares with the current query; all zero between queries. */
  let common = new Uint8Array(1_024);

  /** Calls back with each name that may match and the number of trigrams it shares. */
  const eachCandidate = (
    question: string,
    trigrams: readonly string[],
    take: (name: Name, shared: number) => void,
  ) => {
    if (question.length < 3) {
      for (const id of heads.get(question) ?? []) take(names[id] as Name, 0);
      return;
    }
    if (common.length < names.length) common = new Uint8Array(names.length * 2);
    const touched: number[] = [];
    for (const trigram of trigrams) {
      for (const id of postings.get(trigram) ?? []) {
        if (common[id] === 0) touched.push(id);
        (common[id] as number)++;
      }
    }
    for (const id of touched) {
      const name = names[id];
      const shared = common[id] as number;
      common[id] = 0;
      if (name) take(name, shared);
    }
  };

  return {
    upsert(key, entry) {
      const known = byKey.get(key);
      const before = known && entries[known.entry];
      if (known && before && sameNames(before.names, entry.names)) {
        entries[known.entry] = entry;
        return;
      }
      remove(key);
      add(key, entry);
      compact();
    },
    remove,
    search(q, limit) {
      const question = fold(q);
      if (question === "") return [];
      const trigrams = trigramsOf(question);
      const best = new Map<number, number>();
      eachCandidate(question, trigrams, (name, shared) => {
        const similarity = shared / (trigrams.length + name.trigramCount - shared);
        // A name that contains the whole query shares all of its trigrams except the three at its edges.
        if (similarity < SIMILARITY_FLOOR && shared < trigrams.length - EDGE_TRIGRAMS) return;
        const score = scoreOf(question, name.text, similarity);
        if (score === null) return;
        const ranked = score - (name.order > 0 ? LATER_NAME_PENALTY : 0);
        if (ranked > (best.get(name.entry) ?? Number.NEGATIVE_INFINITY)) best.set(name.entry, ranked);
      });
      return [...best]
        .map(([entry, score]) => {
          const { value, weight } = entries[entry] as Indexed<Value>;
          return { value, score, weight };
        })
        .sort(bestFirst)
        .slice(0, limit);
    },
    size: () => byKey.size,
  };
}

function scoreOf(question: string, text: string, similarity: number): number | null {
  if (text === question) return SCORE.exact;
  // Within a class of match, the share of the name that was typed counts before fame, but only coarsely.
  const share = Math.round((question.length / text.length) * 4) / 10;
  if (text.startsWith(question)) return SCORE.prefix + share;
  const at = text.indexOf(question);
  if (at > 0 && /[^\p{L}\p{N}]/u.test(text[at - 1] as string)) return SCORE.wordPrefix + share;
  if (at > 0) return SCORE.part + share;
  return similarity >= SIMILARITY_FLOOR ? SCORE.similar + similarity : null;
}

export function bestFirst(a: Hit<unknown>, b: Hit<unknown>): number {
  return b.score - a.score || b.weight - a.weight;
}

/** Case, accents and width do not matter to someone who types a name. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/^[@$]/, "").trim();
}

function trigramsOf(text: string): string[] {
  const padded = `  ${text} `;
  const found = new Set<string>();
  for (let i = 0; i + 3 <= padded.length; i++) found.add(padded.slice(i, i + 3));
  return [...found];
}

function headsOf(text: string): string[] {
  return [...new Set([text.slice(0, 1), text.slice(0, 2)])];
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}
