// Static facts about EVM chains: the wrapped coin, and contracts that mirror the native coin as a token. A topic alone can't
// tell a wrapped coin from a staking contract, so the address is needed.

export interface EvmChain {
  chainId: number;
  /** Names accepted by `--chain` and settings, the usual one first. */
  names: readonly string[];
  /** The wrapped coin's address, or null if the chain has none or it is unknown. */
  wrapped: string | null;
  /** Contracts whose Transfers report native coin moves a second time. */
  mirrors: readonly string[];
}

const ROWS: readonly [number, string, string | null, ...string[]][] = [
  [1, "eth ethereum mainnet", "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"],
  [
    10,
    "optimism op",
    "0x4200000000000000000000000000000000000006",
    "0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000",
  ],
  [25, "cronos", "0x5c7f8a570d578ed84e63fdfa7b1ee72deae1ae23"],
  [56, "bsc bnb", "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c"],
  [100, "gnosis xdai", "0xe91d153e0b41518a2ce8dd3d7944fa863463a97d"],
  [130, "unichain", "0x4200000000000000000000000000000000000006"],
  [
    137,
    "polygon matic",
    "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
    "0x0000000000000000000000000000000000001010",
  ],
  [146, "sonic", "0x039e2fb66102314ce7b64ce5ce3e5183bc94ad38"],
  [169, "manta", "0x0dc808adce2099a9f62aa87d9670745aba741746"],
  [204, "opbnb", "0x4200000000000000000000000000000000000006"],
  [250, "fantom", "0x21be370d5312f44cb42ce377bc9b8a0cef1a4c83"],
  [252, "fraxtal", "0xfc00000000000000000000000000000000000006"],
  [324, "zksync", "0x5aea5775959fbc2557cc8789bc1bf90a239d9a91", "0x000000000000000000000000000000000000800a"],
  [480, "worldchain", "0x4200000000000000000000000000000000000006"],
  [999, "hyperevm", "0x5555555555555555555555555555555555555555"],
  [1088, "metis", "0x75cb093e4d61d2a2e65d8e0bbb01de8d89b53481", "0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000"],
  [1101, "polygon-zkevm", "0x4f9a0e7fd2bf6067db6994cf12e4495df938e6e9"],
  [1135, "lisk", "0x4200000000000000000000000000000000000006"],
  [1284, "moonbeam", "0xacc15dc74880c9944775448304b263d191c6077f"],
  [1329, "sei", "0xe30fedd158a2e3b13e9badaeabafc5516e95e8c7"],
  [1868, "soneium", "0x4200000000000000000000000000000000000006"],
  [2020, "ronin", "0xe514d9deb7966c8be0ca922de8a064264ea6bcd4"],
  [
    2741,
    "abstract",
    "0x3439153eb7af838ad19d56e1571fbd09333c2809",
    "0x000000000000000000000000000000000000800a",
  ],
  [4663, "altchain robinhood", "0x0bd7d308f8e1639fab988df18a8011f41eacad73"],
  [5000, "mantle", "0x78c1b0c915c4faa5fffa6cabf0219da63d7f4cb8"],
  [8453, "base", "0x4200000000000000000000000000000000000006"],
  [33139, "apechain", "0x48b62137edfa95a428d35c09e44256a739f6b557"],
  [34443, "mode", "0x4200000000000000000000000000000000000006"],
  [42161, "arbitrum arb", "0x82af49447d8a07e3bd95bd0d56f35241523fbab1"],
  [42170, "arbitrum-nova", "0x722e8bdd2ce80a4422e880164f2079488e115365"],
  [42220, "celo", null, "0x471ece3750da237f93b8e339c536989b8978a438"],
  [43114, "avalanche avax", "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7"],
  [57073, "ink", "0x4200000000000000000000000000000000000006"],
  [59144, "linea", "0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f"],
  [80094, "berachain bera", "0x6969696969696969696969696969696969696969"],
  [81457, "blast", "0x4300000000000000000000000000000000000004"],
  [534352, "scroll", "0x5300000000000000000000000000000000000004"],
  [7777777, "zora", "0x4200000000000000000000000000000000000006"],
];

const CHAINS = new Map(
  ROWS.map(([chainId, names, wrapped, ...mirrors]): [number, EvmChain] => [
    chainId,
    { chainId, names: names.split(" "), wrapped, mirrors },
  ]),
);

/** The chain with this id; an unlisted one has no wrapped coin until a setting names it. */
export function evmChain(chainId: number, wrapped: string | null = null): EvmChain {
  const known = CHAINS.get(chainId) ?? { chainId, names: [String(chainId)], wrapped: null, mirrors: [] };
  return wrapped === null ? known : { ...known, wrapped: wrapped.toLowerCase() };
}

/** A chain by its name or number; undefined when it is neither. */
export function findEvmChain(name: string): EvmChain | undefined {
  const wanted = name.toLowerCase();
  for (const chain of CHAINS.values()) if (chain.names.includes(wanted)) return chain;
  return /^\d{1,12}$/.test(wanted) ? evmChain(Number(wanted)) : undefined;
}
