// Chains: a numeric id and a friendly name that never disagree. The operator's name for chain 4663, and its aliases, are
// settings, so the table is built from them once at start.

export interface Chain {
  id: number;
  name: string;
  aliases: readonly string[];
}

const ALTCHAIN_ID = 4663;
/** Its names in public lists of chains; existing clients send these. */
const MARKET_NAMES = ["robinhood", "hood", "rh"];
export const PERPS_ID = 1337;

const FIXED: readonly Chain[] = [
  { id: 1399811149, name: "solana", aliases: ["sol"] },
  { id: 8453, name: "base", aliases: [] },
  { id: 56, name: "bsc", aliases: ["bnb"] },
  { id: 1, name: "eth", aliases: ["ethereum"] },
];

const PERPS: Chain = { id: PERPS_ID, name: "perps", aliases: [] };

export interface Chains {
  /** The five trading chains, then perps. */
  list: readonly Chain[];
  /** The friendly name; an unknown id gets one that says so, never another chain's. */
  nameOf(id: number): string;
  /** By name, alias or number, in any case; undefined if unknown. */
  find(text: string): Chain | undefined;
}

export function createChains(altchain: { name: string; aliases: readonly string[] }): Chains {
  // The API's own name stays valid whatever the operator calls the chain.
  const aliases = [...new Set(["altchain", ...MARKET_NAMES, ...altchain.aliases])].filter(
    (alias) => alias !== altchain.name,
  );
  const list = [...FIXED, { id: ALTCHAIN_ID, name: altchain.name, aliases }, PERPS];
  const byId = new Map(list.map((chain) => [chain.id, chain]));
  const byText = new Map<string, Chain>();
  for (const chain of list) {
    for (const text of [chain.name, String(chain.id), ...chain.aliases])
      byText.set(text.toLowerCase(), chain);
  }
  return {
    list,
    nameOf: (id) => byId.get(id)?.name ?? `chain-${id}`,
    find: (text) => byText.get(text.trim().toLowerCase()),
  };
}

export const DEFAULT_CHAINS = createChains({ name: "altchain", aliases: [] });
