// The reader on real-world provider plans: refusals slow it down and teach it limits, but it loses nothing and books nothing
// wrong.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { systemClock } from "../../kit/clock.ts";
import { type Market, openMarket } from "../../test/chains/evm/market.ts";
import { startTestChain, type TestChain } from "../../test/chains/evm/node.ts";
import { createStrictProxy, type StrictProxy, type StrictRules } from "../../test/chains/strict-proxy.ts";
import { eventually } from "../../test/support/eventually.ts";
import type { Flow } from "../chain.ts";
import { createMemorySink, type MemorySink } from "../test-sink.ts";
import { measureProvider } from "./measure.ts";
import { caughtUp, cursorAt, openReader, openRpc } from "./test-reader.ts";

const CHAIN_ID = 4663;
const FINALITY = 4;
const MILLI = 10n ** 15n;
const SLOW_MS = 900_000;

let chain: TestChain;
let market: Market;
let wallets: string[];
const proxies: StrictProxy[] = [];

beforeAll(async () => {
  chain = await startTestChain(CHAIN_ID);
  market = await openMarket(chain);
  wallets = market.traders.slice(0, 4);
}, SLOW_MS);
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.stop();
});
afterAll(() => chain.stop());

function strict(rules: StrictRules): StrictProxy {
  const proxy = createStrictProxy(chain.url, rules);
  proxies.push(proxy);
  return proxy;
}

async function cursorHere(): Promise<Map<string, string>> {
  const height = await chain.height();
  const at = `0x${height.toString(16)}`;
  const { hash } = await chain.rpc<{ hash: string }>("eth_getBlockByNumber", [at, false]);
  return cursorAt(CHAIN_ID, height, hash);
}

function open(url: string, from: ReadonlyMap<string, string>) {
  const sink = createMemorySink(new Map(from));
  const { address: wrapped } = market.weth;
  const shared = { chainId: CHAIN_ID, wrapped, wallets, finality: FINALITY };
  return { sink, reader: openReader({ ...shared, urls: [url], sink: sink.connect() }) };
}

async function readAll(url: string, from: ReadonlyMap<string, string>): Promise<MemorySink> {
  const { sink, reader } = open(url, from);
  reader.start();
  const height = await chain.height();
  await caughtUp(reader, height, height - FINALITY);
  await reader.stop();
  return sink;
}

const trades = async () => {
  for (const wallet of wallets) await market.buyV2(wallet, 2n * MILLI);
  await market.sellV2(String(wallets[0]), MILLI);
  await chain.mine(FINALITY + 40);
};
const plain = (flows: readonly Flow[]) =>
  flows.map((flow) =>
    JSON.stringify(flow, (_, value) => (typeof value === "bigint" ? String(value) : value)),
  );

test.each<[string, StrictRules]>([
  ["ranges of 5 blocks", { rangeMax: 5 }],
  ["ranges of one block", { rangeMax: 1 }],
  ["batches of 3, by 413", { batch: { max: 3, by: "413" } }],
  ["no batches at all", { batch: { max: 1, by: "page" } }],
  ["two answers to each batch, the rest over the rate limit", { answeredMax: 2 }],
  ["two topics in a filter", { topicsMax: 3 }],
  ["all of it", { rangeMax: 5, batch: { max: 3, by: "error for each" }, answeredMax: 2, topicsMax: 3 }],
])(
  "a provider that allows %s is read to the end",
  async (_name, rules) => {
    const from = await cursorHere();
    await trades();
    const expected = plain((await readAll(chain.url, from)).flows());
    expect(expected.length).toBeGreaterThan(4);
    expect(plain((await readAll(strict(rules).url, from)).flows())).toEqual(expected);
  },
  SLOW_MS,
);

test(
  "several trades in one block take one call for their receipts, or one each where that is refused",
  async () => {
    const from = await cursorHere();
    for (let block = 0; block < 2; block += 1)
      await chain.inOneBlock(async () => {
        for (const wallet of wallets) await market.buyV2(wallet, 2n * MILLI);
      });
    await chain.mine(FINALITY + 1);
    const without = strict({});
    const expected = plain((await readAll(without.url, from)).flows());
    expect(expected).toHaveLength(2 * wallets.length);
    expect(without.counts).toMatchObject({ eth_getBlockReceipts: 1, eth_getTransactionReceipt: 8 });
    const offering = strict({ blockReceipts: true });
    expect(plain((await readAll(offering.url, from)).flows())).toEqual(expected);
    expect(offering.counts.eth_getBlockReceipts).toBe(2);
    expect(offering.counts.eth_getTransactionReceipt).toBeUndefined();
  },
  SLOW_MS,
);

test(
  "a balance that is refused for no known reason is retried, and nothing is guessed meanwhile",
  async () => {
    const from = await cursorHere();
    await trades();
    const expected = plain((await readAll(chain.url, from)).flows());
    let refusals = 0;
    const { url } = strict({
      refuse(method) {
        if (method !== "eth_getBalance" || refusals === 2) return null;
        refusals += 1;
        return { code: -32000, message: "something is odd" };
      },
    });
    expect(plain((await readAll(url, from)).flows())).toEqual(expected);
    expect(refusals).toBe(2);
  },
  SLOW_MS,
);

test(
  "without old state, amounts are estimated and marked as such",
  async () => {
    const from = await cursorHere();
    await trades();
    const pruned = { code: -32000, message: "missing trie node 0xabc" };
    const { url } = strict({ refuse: (method) => (method === "eth_getBalance" ? pruned : null) });
    const flows = (await readAll(url, from)).flows();
    expect(flows.length).toBeGreaterThan(4);
    expect(flows.every(({ exact }) => !exact)).toBe(true);
  },
  SLOW_MS,
);

test(
  "a plan's limits are measured",
  async () => {
    await chain.mine(300);
    const free = await measureProvider(openRpc([chain.url]).rpc, CHAIN_ID, systemClock());
    expect(free).toMatchObject({ batchCalls: 50, hasTraces: true });
    expect(free.callsPerSecond).toBeGreaterThan(0);
    expect([free.rangeBlocks, free.archiveBlocks].every((blocks) => blocks > 300)).toBe(true);
    const { url } = strict({
      rangeMax: 5,
      batch: { max: 3, by: "413" },
      refuse: (method) =>
        method === "eth_getBalance"
          ? { code: -32000, message: "missing trie node" }
          : method === "debug_traceTransaction"
            ? { code: -32601, message: "Method not found" }
            : null,
    });
    const small = await measureProvider(openRpc([url]).rpc, CHAIN_ID, systemClock());
    expect(small).toMatchObject({ rangeBlocks: 5, batchCalls: 3, archiveBlocks: 0, hasTraces: false });
  },
  SLOW_MS,
);

test(
  "a reader that is cut off reports its lag and the reason, until it is back",
  async () => {
    const proxy = strict({});
    const { reader } = open(proxy.url, await cursorHere());
    reader.start();
    await chain.mine(1);
    await eventually(() => reader.status().lagMs === 0, "it is at the head");
    proxy.set({ refuse: () => ({ code: -32005, message: "Too Many Requests" }) });
    await eventually(() => (reader.status().lagMs ?? 0) > 0, "it falls behind");
    expect(reader.status().reason).toBe("the provider is over its rate limit");
    proxy.set({});
    await eventually(() => reader.status().reason === null, "it reads again");
    await reader.stop();
  },
  SLOW_MS,
);
