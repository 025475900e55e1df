// The five networks of the world: how busy each is, how its blocks come, and what a token is bought with there.
// `share` is the network's part of trading; altchain leads in theses, as on the real platform.

export interface Network {
  id: number;
  solana: boolean;
  share: number;
  /** The chance that a buy there is followed by a written thesis, before the trader's own habit. */
  thesisChance: number;
  blockMs: number;
  /** Block number at the epoch below. */
  blockBase: number;
  /** How old a block is when nobody expects it to be undone. */
  finalAfterMs: number;
  /** Which market of `markets.ts` prices the coin that swaps are paid in. */
  quoteMarket: number;
  quoteSymbol: string;
  quoteAddress: string;
  decimals: number;
  /** How addresses on dexscreener start for this network. */
  slug: string;
}

const BLOCK_EPOCH = Date.UTC(2025, 0, 1);

export const NETWORKS: readonly Network[] = [
  {
    id: 1399811149,
    solana: true,
    share: 0.3,
    thesisChance: 0.07,
    blockMs: 400,
    blockBase: 311_380_000,
    finalAfterMs: 13_000,
    quoteMarket: 2,
    quoteSymbol: "SOL",
    quoteAddress: "So11111111111111111111111111111111111111112",
    decimals: 6,
    slug: "solana",
  },
  {
    id: 1,
    solana: false,
    share: 0.08,
    thesisChance: 0.06,
    blockMs: 12_000,
    blockBase: 21_525_000,
    finalAfterMs: 780_000,
    quoteMarket: 1,
    quoteSymbol: "WETH",
    quoteAddress: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
    decimals: 18,
    slug: "ethereum",
  },
  {
    id: 8453,
    solana: false,
    share: 0.16,
    thesisChance: 0.07,
    blockMs: 2_000,
    blockBase: 24_420_000,
    finalAfterMs: 60_000,
    quoteMarket: 1,
    quoteSymbol: "WETH",
    quoteAddress: "0x4200000000000000000000000000000000000006",
    decimals: 18,
    slug: "base",
  },
  {
    id: 56,
    solana: false,
    share: 0.12,
    thesisChance: 0.06,
    blockMs: 750,
    blockBase: 45_370_000,
    finalAfterMs: 10_000,
    quoteMarket: 3,
    quoteSymbol: "WBNB",
    quoteAddress: "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c",
    decimals: 18,
    slug: "bsc",
  },
  {
    id: 4663,
    solana: false,
    share: 0.34,
    thesisChance: 0.15,
    blockMs: 250,
    blockBase: 6_100_000,
    finalAfterMs: 30_000,
    quoteMarket: 1,
    quoteSymbol: "WETH",
    quoteAddress: "0x4200000000000000000000000000000000000006",
    decimals: 18,
    slug: "altchain",
  },
];

/** Perps are not on one of the networks; the platform shows them under this id. */
export const PERPS_NETWORK_ID = 1337;

export function network(index: number): Network {
  const found = NETWORKS[index];
  if (!found) throw new RangeError(`no network ${index}`);
  return found;
}

export function networkIndex(id: number): number {
  return NETWORKS.findIndex((candidate) => candidate.id === id);
}

export function blockAt(of: Network, at: number): number {
  return of.blockBase + Math.floor((at - BLOCK_EPOCH) / of.blockMs);
}
