// Money on well-known chains: the wrapped coin, dollar coins, the coin's price feed in dollars (Chainlink's proxy, 8 decimals),
// deep pools of the coin against a dollar coin, and the creators of pools: factories and singletons on EVM chains, programs and
// their authorities on Solana. Most addresses were found in several independent public sources; those of Ethereum's factories,
// of PancakeSwap V2 and of some Solana programs still have to be verified. Settings add to it.
import { SOLANA_CHAIN_ID } from "../chain.ts";

export interface KnownMoney {
  /** The symbol of the chain's own coin; `native` if unknown. */
  coin: string;
  dollars: readonly string[];
  feed: string | null;
  /** Solana's coin has its feed on Ethereum. */
  feedChainId: number;
  pools: readonly string[];
  factories: readonly string[];
}

const PANCAKE_V3 = "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865";
const UNISWAP_V3 = "0x1f98431c8ad98523631ae4a59f267346ea31f984";
const SUSHI_V2 = "0xc35dadb65012ec5796536bd9864ed8773abc74c4";

const KNOWN: Record<number, Partial<KnownMoney>> = {
  1: {
    coin: "ETH",
    feed: "0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419",
    dollars: [
      "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      "0xdac17f958d2ee523a2206206994597c13d831ec7",
      "0x6b175474e89094c44da98b954eedeac495271d0f",
      "0xdc035d45d973e3ec169d2276ddab16f1e407384f",
      "0x8d0d000ee44948fc98c9b98a4fa4921476f08b0d",
      "0xc5f0f7b66764f6ec8c8dff7ba683102295e16409",
    ],
    factories: [
      "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
      UNISWAP_V3,
      "0x000000000004444c5dc75cb358380d2e3de08a90",
      "0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac",
      "0x1097053fd2ea711dad45caccc45eff7548fcb362",
      PANCAKE_V3,
    ],
  },
  10: {
    coin: "ETH",
    feed: "0x13e3ee699d1909e989722e753853ae30b17e08c5",
    dollars: ["0x0b2c639c533813f4aa9d7837caf62653d097ff85", "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58"],
    factories: [
      "0x0c3c1c532f1e39edf36be9fe0be1410313e074bf",
      UNISWAP_V3,
      "0x9a13f98cb987694c9f086b1f5eb990eea8264ec3",
      "0xf1046053aa5682b4f9a81b5481394da16be5ff5a",
    ],
  },
  56: {
    coin: "BNB",
    feed: "0x0567f2323251f0aab15c8dfb1967e4e8a7d42aee",
    dollars: [
      "0x55d398326f99059ff775485246999027b3197955",
      "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d",
      "0xe9e7cea3dedca5984780bafc599bd69add087d56",
      "0xc5f0f7b66764f6ec8c8dff7ba683102295e16409",
      "0x8d0d000ee44948fc98c9b98a4fa4921476f08b0d",
    ],
    factories: [
      "0xca143ce32fe78f1f7019d7d551a6402fc5350c73",
      PANCAKE_V3,
      "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
      "0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7",
      "0x28e2ea090877bf75740558f6bfb36a5ffee9e9df",
      SUSHI_V2,
    ],
  },
  137: {
    coin: "POL",
    feed: "0xab594600376ec9fd91f8e885dadf0ce036862de0",
    dollars: ["0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", "0xc2132d05d31c914a87c6611c10748aeb04b58e8f"],
    factories: [
      "0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c",
      UNISWAP_V3,
      "0x67366782805870060151383f4bbff9dab53e5cd6",
      "0x5757371414417b8c6caad45baef941abc7d3ab32",
      SUSHI_V2,
    ],
  },
  4663: {
    feed: "0x78f3556b67e17df817d51ef5a990cdaf09e8d3a9",
    dollars: ["0x5fc5360d0400a0fd4f2af552add042d716f1d168"],
    factories: [
      "0x8bceaa40b9acdfaedf85adf4ff01f5ad6517937f",
      "0x1f7d7550b1b028f7571e69a784071f0205fd2efa",
      "0x8366a39cc670b4001a1121b8f6a443a643e40951",
    ],
  },
  8453: {
    coin: "ETH",
    feed: "0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70",
    dollars: [
      "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca",
      "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2",
      "0x50c5725949a6f0c72e6c4a641f24049a917db0cb",
    ],
    pools: ["0xd0b53d9277642d899df5c87a3966a349a798f224"],
    factories: [
      "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
      "0x33128a8fc17869897dce68ed026d694621f6fdfd",
      "0x498581ff718922c3f8e6a244956af099b2652b2b",
      "0x420dd381b31aef6683db6b902084cb0ffece40da",
      "0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a",
      PANCAKE_V3,
    ],
  },
  42161: {
    coin: "ETH",
    feed: "0x639fe6ab55c921f74e7fac1ee960c0b6293ba612",
    dollars: ["0xaf88d065e77c8cc2239327c5edb3a432268e5831", "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9"],
    factories: [
      "0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9",
      UNISWAP_V3,
      "0x360e68faccca8ca495c1b759fd9eee466db9fb32",
      SUSHI_V2,
      PANCAKE_V3,
    ],
  },
  [SOLANA_CHAIN_ID]: {
    coin: "SOL",
    feed: "0x4ffc43a60e009b551865a93d232e33fce9f01507",
    feedChainId: 1,
    dollars: [
      "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
      "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
      "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo",
      "USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA",
      "USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB",
      "9zNQRsGLjNKwCUU5Gq5LR8beUCPzQMVMqKAi3SSZh54u",
      "2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH",
    ],
    pools: ["58oQChx4yWmvKdwLLZzBi4ChoCc2fqCUWBkwMihLYQo2", "Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE"],
    factories: [
      "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P",
      "pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA",
      "CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK",
      "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc",
      "LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo",
      // Vault owners for all pools of a program: Raydium's AMM and CPMM, Meteora's DAMM v2.
      "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1",
      "GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL",
      "HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC",
    ],
  },
};

export function knownMoney(chainId: number): KnownMoney {
  return {
    coin: "native",
    dollars: [],
    feed: null,
    feedChainId: chainId,
    pools: [],
    factories: [],
    ...KNOWN[chainId],
  };
}

const DOLLARS = new Map<number, ReadonlySet<string>>();

/** A chain's dollar coins, before any settings. */
export function dollarsOf(chainId: number): ReadonlySet<string> {
  const known = DOLLARS.get(chainId) ?? new Set(knownMoney(chainId).dollars);
  DOLLARS.set(chainId, known);
  return known;
}
