// Launch lookups on a real node with real factories: complete, on a provider's small plan, and without old state.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Contract, contractAt, deploy, send } from "../../test/chains/evm/contracts.ts";
import { type Market, openMarket } from "../../test/chains/evm/market.ts";
import { startTestChain, type TestChain } from "../../test/chains/evm/node.ts";
import { createStrictProxy } from "../../test/chains/strict-proxy.ts";
import type { LaunchAnswer } from "../chain.ts";
import { UNKNOWN_LAUNCH } from "../launch-answers.ts";
import { createEvmLaunches } from "./launches.ts";
import { hexOf } from "./log-source.ts";
import { openRpc } from "./test-reader.ts";
import { createEvmQueries } from "./tokens.ts";
import { TOPICS } from "./topics.ts";

const START_MS_MAX = 900_000;
let chain: TestChain;
let market: Market;
let maker: string;
/** Minted on creation; its pair came some blocks later. */
let minted: Contract;
/** Created the same way, and in no pool. */
let alone: Contract;
let pairedAt: number;

const lower = (address: string) => address.toLowerCase();
const timeOf = async (height: number) => {
  const block = await chain.rpc<{ timestamp: string }>("eth_getBlockByNumber", [hexOf(height), false]);
  return Number(block.timestamp) * 1_000;
};
const known = { launchedAt: null, deployer: null, graduatedAt: null };

beforeAll(async () => {
  chain = await startTestChain(8453);
  market = await openMarket(chain);
  maker = String(market.traders[5]);
  const path = "v2-periphery/build/ERC20.json";
  [minted, alone] = [await deploy(chain, maker, path, [10n ** 24n]), await deploy(chain, maker, path, [1n])];
  await chain.mine(5);
  const factory = await contractAt(String(market.factories[0]), "v2-core/build/UniswapV2Factory.json");
  const gas = 6_000_000n;
  const pair = [minted.address, market.weth.address];
  await send(chain, String(market.traders[4]), factory, "createPair", pair, { gas });
  pairedAt = await chain.height();
  await chain.mine(60);
}, START_MS_MAX);
afterAll(() => chain.stop());

async function ask(url: string, tokens: Contract[], factories = market.factories): Promise<LaunchAnswer[]> {
  const launches = createEvmLaunches(openRpc([url]).rpc, factories, 8453);
  const asked = tokens.map(({ address }) => ({ token: lower(address), known }));
  return (await launches(asked, await chain.height())) as LaunchAnswer[];
}

test("a token was launched with its first pool, by the sender of the transaction that made it", async () => {
  const [made, other, poolless] = await ask(chain.url, [minted, market.token, alone]);
  const launchedAt = await timeOf(pairedAt);
  expect(made).toEqual({ launchedAt, deployer: lower(maker), graduatedAt: null, again: "never" });
  // Its first mint came after its creation, and anyone may have triggered it.
  expect(other).toMatchObject({ deployer: null, again: "never" });
  expect(other?.launchedAt).toBeLessThan(launchedAt);
  expect(poolless).toEqual(UNKNOWN_LAUNCH);
});

test("the first pool by any known factory counts, others don't", async () => {
  const opened = async (factory: string | undefined, topic: string) => {
    const filter = { address: factory, topics: [topic], fromBlock: "0x0", toBlock: "latest" };
    const [log] = await chain.rpc<{ blockNumber: string }[]>("eth_getLogs", [filter]);
    return timeOf(Number(log?.blockNumber));
  };
  const [, v3, v4] = market.factories;
  const by = async (factory: string | undefined) =>
    (await ask(chain.url, [market.token], [String(factory)]))[0]?.launchedAt;
  expect(await by(v3)).toBe(await opened(v3, TOPICS.poolCreatedV3));
  expect(await by(v4)).toBe(await opened(v4, TOPICS.initializeV4));
  expect(await by(maker)).toBeNull();
  // Without a known factory, no events count.
  expect(createEvmQueries(openRpc([chain.url]).rpc).launches).toBeUndefined();
});

test("with small ranges, it is searched after the token's creation block", async () => {
  const proxy = createStrictProxy(chain.url, { rangeMax: 40 });
  const whole = await ask(chain.url, [minted, market.token]);
  expect(await ask(proxy.url, [minted, market.token])).toEqual(whole);
  expect(proxy.counts.eth_getCode).toBeLessThan(40);
  // One round runs a binary search for two tokens only; the third has to wait for the next.
  expect((await ask(proxy.url, [minted, market.token, alone]))[2] ?? null).toBeNull();
  await proxy.stop();
});

test("what a node no longer knows stays unknown, and is retried", async () => {
  const refuse = (method: string, params: readonly unknown[]) =>
    method === "eth_getCode" && params[1] !== "latest"
      ? { code: -32000, message: "missing trie node: state is not available" }
      : null;
  const proxy = createStrictProxy(chain.url, { refuse });
  const [made, other] = await ask(proxy.url, [minted, market.token]);
  // The receipt itself names the contract that the transaction created.
  expect(made).toMatchObject({ deployer: lower(maker), again: "never" });
  expect(other).toMatchObject({ deployer: null, again: "later" });
  expect(other?.launchedAt).not.toBeNull();
  proxy.set({ refuse, rangeMax: 40 });
  expect(await ask(proxy.url, [minted])).toEqual([UNKNOWN_LAUNCH]);
  // A silent node costs only the first token its answer; the rest keep their turn.
  await proxy.stop();
  expect(await ask(proxy.url, [minted, alone])).toEqual([UNKNOWN_LAUNCH]);
});
