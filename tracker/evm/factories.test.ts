import { afterAll, beforeAll, expect, test } from "bun:test";
import { contractAt, view } from "../../test/chains/evm/contracts.ts";
import { type Market, openMarket } from "../../test/chains/evm/market.ts";
import { startTestChain, type TestChain } from "../../test/chains/evm/node.ts";
import { createStrictProxy } from "../../test/chains/strict-proxy.ts";
import { NATIVE, type PoolTrade } from "../chain.ts";
import { evmChain } from "./chains.ts";
import { isMadeByFactory } from "./factories.ts";
import { hexOf } from "./log-source.ts";
import { createPoolReader } from "./pool-tokens.ts";
import { SWAP_TOPICS } from "./pools.ts";
import { createSingletonPools } from "./singleton-pools.ts";
import { openRpc } from "./test-reader.ts";
import { createEvmQueries } from "./tokens.ts";
import { TOPICS } from "./topics.ts";
import { type RawLog, type RawReceipt, ZERO_ADDRESS } from "./wire.ts";

const START_MS_MAX = 900_000;
let chain: TestChain;
let market: Market;
beforeAll(async () => {
  chain = await startTestChain(8453);
  market = await openMarket(chain);
}, START_MS_MAX);
afterAll(() => chain.stop());

const lower = (address: string) => address.toLowerCase();

async function pairOf(): Promise<string> {
  const factory = await contractAt(String(market.factories[0]), "v2-core/build/UniswapV2Factory.json");
  return lower(await view<string>(chain, factory, "getPair", [market.token.address, market.weth.address]));
}

async function receiptOf(hash: string): Promise<RawReceipt> {
  return chain.rpc<RawReceipt>("eth_getTransactionReceipt", [hash]);
}

const reader = () => createPoolReader(evmChain(8453, market.weth.address), openRpc([chain.url]).rpc);

test("only pools made by a known factory count", async () => {
  const { rpc } = openRpc([chain.url]);
  const makers = new Set(market.factories.map(lower));
  const hash = await market.buyV3(String(market.traders[0]), 10n ** 15n);
  const [trade] = await reader().tradesIn(await receiptOf(hash), new Set());
  const [pair, pool] = [await pairOf(), String(trade?.pool)];
  for (const known of [pair, pool, `${lower(String(market.factories[2]))}:0x1`])
    expect(await isMadeByFactory(rpc, known, makers)).toBe(true);
  // The same pools with unknown factories, a token, a wallet, and another singleton.
  for (const each of [pair, pool]) expect(await isMadeByFactory(rpc, each, new Set())).toBe(false);
  for (const other of [market.token.address, String(market.traders[0]), `${market.token.address}:0x1`])
    expect(await isMadeByFactory(rpc, lower(other), makers)).toBe(false);
});

test("a swap's event counts if its amounts moved; a flash swap is not a trade", async () => {
  const hash = await market.buyV2(String(market.traders[0]), 10n ** 15n);
  const receipt = await receiptOf(hash);
  const pair = await pairOf();
  const doubts = async (given: RawReceipt) =>
    (await reader().tradesIn(given, new Set())).filter(({ pool }) => pool === pair).map(({ doubt }) => doubt);
  expect(await doubts(receipt)).toEqual([null]);
  const word = (value: bigint) => value.toString(16).padStart(64, "0");
  const swap = (amounts: bigint[]) => ({
    ...receipt,
    logs: receipt.logs.map((log) =>
      log.topics[0] === TOPICS.swapV2 ? { ...log, data: `0x${amounts.map(word).join("")}` } : log,
    ),
  });
  expect(await doubts(swap([10n ** 24n, 0n, 0n, 1n]))).toEqual(["amounts"]);
  // Paid out and paid back in the same token.
  expect(await doubts(swap([10n ** 24n, 0n, 10n ** 24n, 0n]))).toEqual([]);
});

/** As if the pool's token had not moved, but one made by a stranger had. */
function forgedWith(fake: string, receipt: RawReceipt): RawReceipt {
  const isOfToken = ({ address }: RawLog) => lower(address) === lower(market.token.address);
  return { ...receipt, logs: receipt.logs.map((log) => (isOfToken(log) ? { ...log, address: fake } : log)) };
}

test.each(["buyV3", "buyV4"] as const)(
  "a pool's tokens are its own, whatever a stranger's receipt showed of it before (%s)",
  async (buy) => {
    const receipt = await receiptOf(await market[buy](String(market.traders[0]), 10n ** 15n));
    const [honest] = await reader().tradesIn(receipt, new Set());
    expect(honest).toMatchObject({ doubt: null, out: { token: lower(market.token.address) } });
    const forged = forgedWith(`0x${"f".repeat(40)}`, receipt);
    const swaps = receipt.logs.filter(({ topics }) => SWAP_TOPICS.includes(String(topics[0])));
    const pools = reader();
    await pools.tradesIn(forged, new Set());
    expect(await pools.tradesOf(swaps)).toEqual([honest as PoolTrade]);
    expect(await pools.tradesIn(receipt, new Set())).toEqual([honest as PoolTrade]);
  },
);

test("a transfer of a stranger's token is not a trade of a pool with other tokens", async () => {
  const receipt = await receiptOf(await market.buyV3(String(market.traders[0]), 10n ** 15n));
  const [claimed] = await reader().tradesIn(forgedWith(`0x${"f".repeat(40)}`, receipt), new Set());
  expect(claimed).toMatchObject({ doubt: "amounts", out: { token: lower(market.token.address) } });
});

test("a singleton pool's minimum depth is known, but not for other tokens", async () => {
  const hash = await market.buyV4(String(market.traders[0]), 10n ** 15n);
  const receipt = await receiptOf(hash);
  const [trade] = await reader().tradesIn(receipt, new Set());
  const pool = String(trade?.pool);
  expect(trade).toMatchObject({ doubt: null, in: { token: NATIVE, amountRaw: 10n ** 15n } });
  const { rpc } = openRpc([chain.url]);
  const { pooled } = createEvmQueries(rpc, market.factories, lower(market.weth.address));
  const token = lower(market.token.address);
  const height = await chain.height();
  const [manager = ""] = pool.split(":");
  const holds = BigInt(await chain.rpc<string>("eth_getBalance", [manager, hexOf(height)]));
  for (const [own, other] of [
    [NATIVE, token],
    [token, NATIVE],
  ] as const) {
    const held = await pooled?.(pool, own, other, height);
    expect(held).toBeGreaterThan(holds / 3n);
    expect(held).toBeLessThanOrEqual(holds);
  }
  // Nothing was there before the pool existed, and a pool with other tokens is not this one.
  expect(await pooled?.(pool, NATIVE, token, 1)).toBeNull();
  expect(await pooled?.(pool, NATIVE, lower(market.weth.address), height)).toBeNull();
});

test("a singleton pool's opening is looked up once, even with small ranges", async () => {
  const hash = await market.buyV4(String(market.traders[0]), 10n ** 15n);
  const pool = String((await reader().tradesIn(await receiptOf(hash), new Set()))[0]?.pool);
  const proxy = createStrictProxy(chain.url, { rangeMax: 20 });
  const pools = createSingletonPools(openRpc([proxy.url]).rpc);
  // It was opened before most of this chain's blocks.
  await chain.mine(60);
  const opened = await pools.opened(pool, await chain.height());
  expect(opened?.spacing).toBe(60n);
  expect(opened?.tokens).toEqual([ZERO_ADDRESS, lower(market.token.address)]);
  const asked = proxy.counts.eth_getLogs;
  expect(asked).toBeGreaterThan(4);
  expect(await pools.opened(pool, await chain.height())).toEqual(opened);
  expect(proxy.counts.eth_getLogs).toBe(asked);
  // A pool that was never opened is not searched for again either.
  const nobody = `${pool.split(":")[0]}:0x${"1".repeat(64)}`;
  expect(await pools.opened(nobody, await chain.height())).toBeNull();
  const after = proxy.counts.eth_getLogs;
  expect(await pools.opened(nobody, await chain.height())).toBeNull();
  expect(proxy.counts.eth_getLogs).toBe(after);
  await proxy.stop();
});

test("a singleton's swap counts only if its amounts really moved", async () => {
  const trader = String(market.traders[0]);
  await market.buyV4(trader, 10n ** 15n);
  const hash = await market.sellV4(trader, 10n ** 14n);
  const receipt = await receiptOf(hash);
  const pools = reader();
  expect((await pools.tradesIn(receipt, new Set())).map(({ doubt }) => doubt)).toEqual([null]);
  const forged = {
    ...receipt,
    logs: receipt.logs.map((log) =>
      log.topics[0] === TOPICS.swapV4
        ? { ...log, data: `${log.data.slice(0, 66)}${"f".repeat(56)}${log.data.slice(122)}` }
        : log,
    ),
  };
  expect((await pools.tradesIn(forged, new Set())).map(({ doubt }) => doubt)).toEqual(["amounts"]);
});
