// The five networks of the world: how busy each is, its blocks and its tokens' decimals. `share` is the network's part of
// trading; altchain leads in theses, as on the real platform.

export interface Network {
  id: number;
  solana: boolean;
  share: number;
  /** The chance that a buy there is followed by a written thesis, before the trader's own habit. */
  thesisChance: number;
  blockMs: number;
  /** Block number at the epoch below. */
  blockBase: number;
  /** The usual network fee of a swap, in dollars. */
  gasUsd: number;
  /** The age at which a block counts as final. */
  finalAfterMs: number;
  decimals: number;
  /** The common name. */
  slug: string;
}

export const NETWORKS: readonly Network[] = [
  {
    id: 1399811149,
    solana: true,
    share: 0.3,
    thesisChance: 0.07,
    blockMs: 400,
    blockBase: 238_500_000,
    finalAfterMs: 13_000,
    decimals: 6,
    gasUsd: 0.03,
    slug: "solana",
  },
  {
    id: 1,
    solana: false,
    share: 0.08,
    thesisChance: 0.06,
    blockMs: 12_000,
    blockBase: 18_900_000,
    finalAfterMs: 780_000,
    decimals: 18,
    gasUsd: 1.4,
    slug: "ethereum",
  },
  {
    id: 8453,
    solana: false,
    share: 0.16,
    thesisChance: 0.07,
    blockMs: 2_000,
    blockBase: 8_640_000,
    finalAfterMs: 60_000,
    decimals: 18,
    gasUsd: 0.02,
    slug: "base",
  },
  {
    id: 56,
    solana: false,
    share: 0.12,
    thesisChance: 0.06,
    blockMs: 750,
    blockBase: 34_700_000,
    finalAfterMs: 10_000,
    decimals: 18,
    gasUsd: 0.07,
    slug: "bsc",
  },
  {
    id: 4663,
    solana: false,
    share: 0.34,
    thesisChance: 0.15,
    blockMs: 250,
    blockBase: 1_210_000,
    finalAfterMs: 30_000,
    decimals: 18,
    gasUsd: 0.01,
    slug: "altchain",
  },
];

/** Perps are not on any of the networks; the platform shows them under this id. */
export const PERPS_NETWORK_ID = 1337;

export function network(index: number): Network {
  const found = NETWORKS[index];
  if (!found) throw new RangeError(`no network ${index}`);
  return found;
}

export function networkIndex(id: number): number {
  return NETWORKS.findIndex((candidate) => candidate.id === id);
}

/** The invented stablecoin that swaps are paid in, on every network. */
export const QUOTE_SYMBOL = "USDF";

/** Whether the trader has a wallet there. */
export function canTrade(trader: { wallets: number }, networkIndex: number): boolean {
  return (trader.wallets & (network(networkIndex).solana ? 1 : 2)) !== 0;
}
