import { expect, test } from "bun:test";
import { HOUR_MS } from "../../kit/units.ts";
import { COIN_SELECTORS, createFeedSource, createPoolsSource } from "../evm/coin-sources.ts";
import type { RpcClient } from "../rpc/client.ts";
import { createSolanaPoolsSource } from "../solana/coin-pools.ts";
import { agreedPrice, type CoinSourceName, median } from "./coins.ts";

const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");

/** A node that answers `eth_call` according to the call and the block. */
function nodeThat(
  answer: (data: string, at: string, to: string) => string | null,
): RpcClient & { count: number } {
  const node = {
    count: 0,
    providers: 1,
    each: () => [],
    batch: async (calls: readonly { params: readonly unknown[] }[]) =>
      calls.map(({ params: [call, at] }) => {
        node.count += 1;
        const { to, data } = call as { to: string; data: string };
        return { host: "node", result: answer(data, String(at), to) ?? "0x" };
      }),
  };
  return node as unknown as RpcClient & { count: number };
}

const prices = (given: Partial<Record<CoinSourceName, number>>) =>
  new Map(Object.entries(given).map(([name, priceUsd]) => [name as CoinSourceName, { priceUsd, asOf: 1 }]));

test.each([
  ["the feed, if another source agrees", { feed: 2_000, pools: 2_050, quote: 9_000 }, 2_000],
  ["the only one available", { quote: 2_000 }, 2_000],
  ["two that agree, against a feed that is wrong", { feed: 105_300, pools: 2_000, quote: 2_010 }, 2_000],
  ["neither of two that contradict each other", { feed: 2_000, pools: 105_300 }, null],
  ["nothing without a source", {}, null],
] as const)("the accepted coin price: %s", (_name, given, expected) => {
  expect(agreedPrice(prices(given))?.priceUsd ?? null).toBe(expected);
});

test("the median of an even number of pools lies between the middle two", () => {
  expect([median([]), median([3]), median([1, 100]), median([1, 2, 900])]).toEqual([null, 3, 50.5, 2]);
});

const PHASE = 7n << 64n;
/** Round n is written at hour n and reports 1,000 + n dollars. */
const round = (n: bigint) =>
  `0x${word(PHASE + n)}${word((1_000n + n) * 10n ** 8n)}${word(0)}${word(n * 3_600n)}${word(PHASE + n)}`;

test("a feed's price is as of its block; on a node without old state it comes from the feed's rounds", async () => {
  const blockAt = (hours: number) => ({
    chainId: 1,
    height: 5,
    hash: "",
    parentHash: "",
    timeMs: hours * HOUR_MS + 1,
  });
  const rounds = (data: string) => round(BigInt(`0x${data.slice(10)}`) - PHASE);
  const archive = nodeThat((_data, at) => (at === "0x5" ? round(40n) : round(1_000n)));
  expect((await createFeedSource(archive, "feed").at?.(blockAt(40)))?.priceUsd).toBe(1_040);
  const pruned = nodeThat((data, at) => {
    if (at !== "latest") return null;
    return data === COIN_SELECTORS.latestRoundData ? round(1_000n) : rounds(data);
  });
  for (const hours of [1_000, 999, 700, 3, 1])
    expect((await createFeedSource(pruned, "feed").at?.(blockAt(hours)))?.priceUsd).toBe(1_000 + hours);
  // A feed that has gone silent prices nothing, nor does one at a time before it started.
  expect(await createFeedSource(pruned, "feed").at?.(blockAt(1_030))).toBeNull();
  expect(await createFeedSource(pruned, "feed").at?.(blockAt(0))).toBeNull();
});

test("deep pools of either kind give the coin's price at a block", async () => {
  const [coin, dollar] = [`0x${"c".repeat(40)}`, `0x${"d".repeat(40)}`];
  const { token0, token1, decimals, slot0, getReserves } = COIN_SELECTORS;
  const node = nodeThat((data, at, to) => {
    if (data === token0) return `0x${word(BigInt(coin))}`;
    if (data === token1) return `0x${word(BigInt(dollar))}`;
    if (data === decimals) return `0x${word(to === coin ? 18 : 6)}`;
    if (at !== "0x5") return null;
    if (data === getReserves && to === "0x1") return `0x${word(10n ** 18n)}${word(2_000n * 10n ** 6n)}`;
    const root = BigInt(Math.round(Math.sqrt(2_100e-12) * 2 ** 96));
    return data === slot0 && to === "0x2" ? `0x${word(root)}` : null;
  });
  const source = createPoolsSource(node, ["0x1", "0x2"], coin);
  const quote = await source.at?.({ chainId: 1, height: 5, hash: "", parentHash: "", timeMs: 9 });
  expect(quote?.priceUsd).toBeCloseTo(2_050, 6);
});

test("Solana's deep pools: vaults of one kind, a square root in the other", async () => {
  const raydium = Buffer.alloc(752);
  raydium.writeBigUInt64LE(9n, 32);
  raydium.writeBigUInt64LE(6n, 40);
  const orca = Buffer.alloc(653);
  orca.writeBigUInt64LE(BigInt(Math.round(Math.sqrt(0.152) * 2 ** 63)) * 2n, 65);
  const vault = (amount: bigint) => {
    const data = Buffer.alloc(165);
    data.writeBigUInt64LE(amount, 64);
    return data;
  };
  const account = (data: Buffer) => ({ data: [data.toString("base64"), "base64"] });
  const rpc = {
    call: async (_method: string, [addresses]: [string[]]) => ({
      value: (addresses[0] === "raydium"
        ? [raydium, orca]
        : [vault(2n * 10n ** 9n), vault(300n * 10n ** 6n)]
      ).map(account),
    }),
  } as unknown as RpcClient;
  const quote = await createSolanaPoolsSource(rpc, ["raydium", "orca"], () => 7).now();
  expect(quote?.priceUsd).toBeCloseTo(151, 6);
  expect(quote?.asOf).toBe(7);
});
