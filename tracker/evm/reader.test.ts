import { afterAll, beforeAll, expect, test } from "bun:test";
import { seededRandom } from "../../kit/random.ts";
import { evmFaults } from "../../test/chains/evm/faults.ts";
import { type Market, openMarket } from "../../test/chains/evm/market.ts";
import { startTestChain, type TestChain } from "../../test/chains/evm/node.ts";
import { createFaultProxy } from "../../test/chains/fault-proxy.ts";
import { createStrictProxy } from "../../test/chains/strict-proxy.ts";
import { eventually } from "../../test/support/eventually.ts";
import { type ChainReader, type Flow, NATIVE } from "../chain.ts";
import { createMemorySink, type MemorySink } from "../test-sink.ts";
import { evmChain } from "./chains.ts";
import { explainFromNode } from "./explain.ts";
import { caughtUp, cursorAt, openReader, openRpc, type ReaderSetup } from "./test-reader.ts";

const CHAIN_ID = 4663;
const FINALITY = 4;
const MILLI = 10n ** 15n;
const SLOW_MS = 900_000;
const GAP_MS = 200;

let chain: TestChain;
let market: Market;
let wallets: string[];

beforeAll(async () => {
  chain = await startTestChain(CHAIN_ID);
  market = await openMarket(chain);
  wallets = market.traders.slice(0, 4);
  for (const wallet of wallets) await market.buyV2(wallet, 10n * MILLI);
}, SLOW_MS);

afterAll(() => chain.stop());

const setup = (sink: ReaderSetup["sink"], more: Partial<ReaderSetup> = {}): ReaderSetup => ({
  chainId: CHAIN_ID,
  wrapped: market.weth.address,
  urls: [chain.url],
  sink,
  wallets,
  finality: FINALITY,
  ...more,
});

/** A sink whose reader starts at the current block. */
async function sinkFromHere(): Promise<MemorySink> {
  const height = await chain.height();
  const { hash } = await chain.rpc<{ hash: string }>("eth_getBlockByNumber", [
    `0x${height.toString(16)}`,
    false,
  ]);
  return createMemorySink(cursorAt(CHAIN_ID, height, hash));
}

async function settle(reader: ChainReader): Promise<void> {
  await chain.mine(FINALITY + 1);
  const height = await chain.height();
  await caughtUp(reader, height, height - FINALITY);
}

const lower = (address: string): string => address.toLowerCase();
const amountOf = (legs: Flow["sold"], token: string): bigint =>
  legs.filter((leg) => leg.token === token).reduce((sum, leg) => sum + leg.amountRaw, 0n);
const balances = () => Promise.all(wallets.map((wallet) => market.balanceOf(market.token, wallet)));

/** A wallet's gain of a token, according to the flows. */
const gained = (flows: readonly Flow[], wallet: string, token: string): bigint =>
  flows
    .filter((flow) => flow.wallet === lower(wallet))
    .reduce((sum, flow) => sum + amountOf(flow.bought, token) - amountOf(flow.sold, token), 0n);

/** Everything that a clean read of the current chain finds. */
async function replay(
  from: ReadonlyMap<string, string>,
  more: Partial<ReaderSetup> = {},
): Promise<MemorySink> {
  const sink = createMemorySink(new Map(from));
  const reader = openReader(setup(sink.connect(), more));
  reader.start();
  const height = await chain.height();
  await caughtUp(reader, height, height - FINALITY);
  await reader.stop();
  return sink;
}

test(
  "trades in three kinds of pools arrive as swaps, with the exact native coin paid",
  async () => {
    const sink = await sinkFromHere();
    const reader = openReader(setup(sink.connect(), { webSocketUrl: chain.webSocketUrl }));
    reader.start();
    const [trader = "", friend = ""] = wallets;
    const before = await market.balanceOf(market.token, trader);
    const hashes = [
      await market.buyV2(trader, 3n * MILLI),
      await market.buyV3(trader, 4n * MILLI),
      await market.buyV4(trader, 5n * MILLI),
      await market.sellV2(trader, MILLI),
      await market.sellV3(trader, MILLI),
      await market.sellV4(trader, MILLI),
      await market.swapTokens(trader, MILLI),
      await market.addLiquidity(trader, MILLI, MILLI),
      await market.transfer(trader, friend, MILLI),
      await market.wrap(trader, MILLI),
    ];
    await settle(reader);
    await reader.stop();
    const flows = sink.flows().filter((flow) => flow.wallet === lower(trader));
    expect(flows.map(({ hash }) => hash)).toEqual(hashes.map(lower));
    expect(flows.map(({ kind }) => kind)).toEqual([
      ...Array(7).fill("swap"),
      "lp-add",
      "transfer-out",
      "wrap",
    ]);
    expect(flows.slice(0, 3).map(({ sold }) => amountOf(sold, NATIVE))).toEqual([
      3n * MILLI,
      4n * MILLI,
      5n * MILLI,
    ]);
    expect(flows.every(({ exact }) => exact)).toBe(true);
    expect(gained(flows, trader, lower(market.token.address))).toBe(
      (await market.balanceOf(market.token, trader)) - before,
    );
    const received = sink.flows().filter((flow) => flow.wallet === lower(friend));
    expect(received.map(({ kind, counterparty }) => [kind, counterparty])).toEqual([
      ["transfer-in", lower(trader)],
    ]);
    // One pool each for the first six trades and the seventh, all priced by raw amounts that changed hands.
    const pools = sink.blocks().flatMap(({ pools: trades }) => trades);
    expect(pools).toHaveLength(7);
    for (const trade of pools.slice(0, 3))
      expect([trade.in.token, trade.out.token]).toEqual([NATIVE, lower(market.token.address)]);
    for (const trade of pools.slice(3, 6))
      expect([trade.in.token, trade.out.token]).toEqual([lower(market.token.address), NATIVE]);
    expect(pools.slice(0, 3).map((trade) => trade.in.amountRaw)).toEqual([
      3n * MILLI,
      4n * MILLI,
      5n * MILLI,
    ]);
  },
  SLOW_MS,
);

test(
  "a transaction explained from the node matches what the reader books",
  async () => {
    const [trader = ""] = wallets;
    const hash = await market.buyV4(trader, MILLI);
    const { rpc } = openRpc([chain.url]);
    const lines = await explainFromNode(rpc, evmChain(CHAIN_ID, market.weth.address), hash, trader);
    const [line] = lines ?? [];
    expect(lines).toHaveLength(1);
    expect(line).toMatchObject({ chainId: CHAIN_ID, wallet: lower(trader), hash, swap: true });
    expect(line?.sold).toEqual([{ token: NATIVE, amountRaw: String(MILLI) }]);
    expect(await explainFromNode(rpc, evmChain(CHAIN_ID), `0x${"1".repeat(64)}`)).toBeNull();
  },
  SLOW_MS,
);

test(
  "watched pools report all trades",
  async () => {
    const start = (await sinkFromHere()).cursors;
    const [trader = ""] = wallets;
    const hashes = [
      await market.buyV2(trader, MILLI),
      await market.buyV3(trader, MILLI),
      await market.buyV4(trader, MILLI),
    ];
    await chain.mine(FINALITY + 1);
    const trades = (await replay(start)).blocks().flatMap(({ pools }) => pools);
    expect(trades.map(({ hash }) => hash)).toEqual(hashes);
    const pools = trades.map(({ pool }) => pool);
    const stranger = String(market.traders[9]);
    const sink = await replay(start, { wallets: [stranger], pools });
    expect(sink.flows()).toEqual([]);
    expect(sink.blocks().flatMap((read) => read.pools)).toEqual(trades);
  },
  SLOW_MS,
);

test(
  "blocks that come fast are read together",
  async () => {
    let questions = 0;
    const count = (result: unknown) => {
      questions += 1;
      return result;
    };
    const proxy = createFaultProxy({
      ...QUIET,
      target: chain.url,
      chance: seededRandom("fast").next,
      faults: [{ percent: 100, methods: ["eth_getLogs"], spoil: count }],
    });
    const sink = await sinkFromHere();
    const beganAt = performance.now();
    const reader = openReader(
      setup(sink.connect(), { urls: [proxy.url], webSocketUrl: chain.webSocketUrl, gapMs: GAP_MS }),
    );
    reader.start();
    await eventually(() => reader.status().cursor !== null, "the reader started");
    for (let block = 0; block < 60; block += 1) await chain.mine();
    await settle(reader);
    await reader.stop();
    await proxy.stop();
    // Two queries per look, two more when something becomes final, and a gap between looks however many heads arrived.
    const looks = (performance.now() - beganAt) / GAP_MS + 2;
    expect(questions).toBeLessThan(4 * looks);
    expect(sink.finalHeight()).toBe((await chain.height()) - FINALITY);
  },
  SLOW_MS,
);

test(
  "several transactions of a wallet in one block split the balance difference correctly",
  async () => {
    const sink = await sinkFromHere();
    const reader = openReader(setup(sink.connect()));
    reader.start();
    const [trader = "", friend = ""] = wallets;
    await chain.inOneBlock(async () => {
      await market.pay(trader, friend, 7n * MILLI);
      await market.buyV4(trader, 2n * MILLI);
      await market.fail(trader);
      await market.pay(friend, trader, MILLI);
    });
    await chain.inOneBlock(async () => {
      await market.buyV2(trader, 3n * MILLI);
      await market.swapTokens(trader, MILLI);
      await market.sellV2(trader, MILLI);
    });
    await settle(reader);
    await reader.stop();
    const flows = sink.flows().filter((flow) => flow.wallet === lower(trader));
    expect(flows.map(({ kind, exact }) => [kind, exact])).toEqual(Array(4).fill(["swap", true]));
    expect(flows.slice(0, 2).map(({ sold }) => amountOf(sold, NATIVE))).toEqual([2n * MILLI, 3n * MILLI]);
    expect(amountOf(flows[2]?.bought ?? [], NATIVE) + amountOf(flows[2]?.sold ?? [], NATIVE)).toBe(0n);
    expect(amountOf(flows[3]?.bought ?? [], NATIVE)).toBeGreaterThan(0n);
  },
  SLOW_MS,
);

test(
  "an amount that balances can't determine, or that no node has any more, is marked, and exact with traces",
  async () => {
    const [trader = ""] = wallets;
    const random = seededRandom("traces");
    let traces = new Map<string, unknown>();
    const proxy = createFaultProxy({
      ...QUIET,
      target: chain.url,
      chance: random.next,
      // Hardhat has no such traces: the two purchases' true effects are injected here.
      answers: { debug_traceTransaction: ([hash]) => traces.get(String(hash)) },
    });
    const start = (await sinkFromHere()).cursors;
    const hashes: string[] = [];
    await chain.inOneBlock(async () => {
      // More than the price is sent, and the refund is in no log: two unknowns, one sum.
      hashes.push(await market.buyV4(trader, 2n * MILLI), await market.buyV4(trader, 3n * MILLI));
    });
    const receipts = await Promise.all(
      hashes.map((hash) =>
        chain.rpc<{ gasUsed: string; effectiveGasPrice: string }>("eth_getTransactionReceipt", [hash]),
      ),
    );
    traces = new Map(
      hashes.map((hash, index) => {
        const { gasUsed, effectiveGasPrice } = receipts[index] as {
          gasUsed: string;
          effectiveGasPrice: string;
        };
        const spent = BigInt(gasUsed) * BigInt(effectiveGasPrice) + (index === 0 ? 2n : 3n) * MILLI;
        return [
          hash,
          {
            pre: { [trader]: { balance: `0x${spent.toString(16)}` } },
            post: { [trader]: { balance: "0x0" } },
          },
        ];
      }),
    );
    await chain.mine(FINALITY + 1);
    const plain = (await replay(start)).flows();
    expect(plain.map(({ kind, exact }) => [kind, exact])).toEqual(Array(2).fill(["swap", false]));
    const amounts = async (url: string) =>
      (await replay(start, { urls: [url] }))
        .flows()
        .map(({ exact, sold }) => [exact, amountOf(sold, NATIVE)] as const);
    const right = [
      [true, 2n * MILLI],
      [true, 3n * MILLI],
    ] as const;
    expect(await amounts(proxy.url)).toEqual([...right]);
    const pruned = { code: -32000, message: "missing trie node 0xabc" };
    const noState = createStrictProxy(proxy.url, {
      refuse: (method) => (method === "eth_getBalance" ? pruned : null),
    });
    expect(await amounts(noState.url)).toEqual([...right]);
    await noState.stop();
    await proxy.stop();
  },
  SLOW_MS,
);

test(
  "a losing fork is retracted, and the books equal those of the winner",
  async () => {
    const sink = await sinkFromHere();
    const start = new Map(sink.cursors);
    const reader = openReader(setup(sink.connect(), { finality: 20 }));
    reader.start();
    const [trader = "", friend = ""] = wallets;
    await market.buyV2(trader, MILLI);
    const goBack = await chain.mark();
    await market.buyV2(trader, 2n * MILLI);
    await market.buyV3(friend, 2n * MILLI);
    await chain.mine(3);
    const tall = await chain.height();
    await eventually(() => reader.status().cursor === tall, "the fork that will lose is read");
    expect(sink.flows()).toHaveLength(3);
    await goBack();
    // The winner is shorter at first: it must be noticed anyway.
    await market.buyV2(friend, 3n * MILLI);
    await eventually(() => sink.retractions() === 2 && sink.flows().length === 2, "the loser is gone");
    await chain.mine(21);
    const height = await chain.height();
    await caughtUp(reader, height, height - 20);
    await reader.stop();
    expect(sink.flows().map(({ wallet }) => wallet)).toEqual([lower(trader), lower(friend)]);
    expect(sink.blocks()).toEqual((await replay(start)).blocks());
  },
  SLOW_MS,
);

test(
  "a node that contradicts final blocks is not believed",
  async () => {
    const goBack = await chain.mark();
    await market.buyV2(String(wallets[0]), MILLI);
    const sink = await sinkFromHere();
    const reader = openReader(setup(sink.connect()));
    reader.start();
    await eventually(() => reader.status().cursor !== null, "the reader started");
    const before = sink.blocks();
    await goBack();
    await market.buyV2(String(wallets[1]), MILLI);
    await eventually(
      () => reader.status().error?.includes("final") === true,
      "the contradiction is reported",
    );
    await reader.stop();
    expect(sink.blocks()).toEqual(before);
    expect(sink.retractions()).toBe(0);
  },
  SLOW_MS,
);

test(
  "many wallets are matched locally, and a head without its logs is not considered empty",
  async () => {
    const random = seededRandom("crowd");
    const crowd = Array.from(
      { length: 4_500 },
      () => `0x${Array.from({ length: 40 }, () => random.below(16).toString(16)).join("")}`,
    );
    let isEmpty = true;
    const proxy = createFaultProxy({
      ...QUIET,
      target: chain.url,
      chance: random.next,
      faults: [{ percent: 100, methods: ["eth_getLogs"], spoil: (result) => (isEmpty ? [] : result) }],
    });
    const sink = await sinkFromHere();
    const reader = openReader(setup(sink.connect(), { urls: [proxy.url], wallets: [...wallets, ...crowd] }));
    reader.start();
    await market.buyV2(String(wallets[2]), MILLI);
    await eventually(
      () => reader.status().error?.includes("indexed") === true,
      "the empty answer is doubted",
    );
    isEmpty = false;
    await settle(reader);
    await reader.stop();
    await proxy.stop();
    expect(sink.flows().map(({ kind, wallet }) => [kind, wallet])).toEqual([
      ["swap", lower(String(wallets[2]))],
    ]);
  },
  SLOW_MS,
);

const QUIET = {
  webSocketTarget: null,
  limited: 0,
  dropped: 0,
  truncated: 0,
  pages: 0,
  repeatedNotices: 0,
  lostNotices: 0,
  closedSockets: 0,
  faults: [],
};

test(
  "blocks without roster trades cost no call while a socket announces them, and a trade is read from the chain",
  async () => {
    const proxy = createStrictProxy(chain.url, {});
    const sink = await sinkFromHere();
    const start = new Map(sink.cursors);
    // Nothing is polled: whatever is read was announced.
    const reader = openReader(
      setup(sink.connect(), {
        urls: [proxy.url],
        webSocketUrl: chain.webSocketUrl,
        pollMs: SLOW_MS,
        reviewMs: SLOW_MS,
      }),
    );
    reader.start();
    const isRead = async () => {
      const height = await chain.height();
      await eventually(() => reader.status().cursor === height, "the block is read");
    };
    const callsFor = async (work: () => Promise<unknown>): Promise<number> => {
      const before = proxy.counts.requests ?? 0;
      await work();
      await isRead();
      return (proxy.counts.requests ?? 0) - before;
    };
    await eventually(() => reader.status().final !== null, "the reader started");
    const { final } = reader.status();
    await eventually(async () => {
      await chain.mine();
      await isRead();
      return reader.status().final !== final;
    }, "the first blocks were looked at again");
    await eventually(async () => {
      await chain.mine();
      await isRead();
      return (await callsFor(() => chain.mine())) === 0;
    }, "the socket is relied on");
    expect(await callsFor(() => chain.mine(12))).toBe(0);
    await market.buyV2(String(wallets[0]), MILLI);
    await eventually(() => sink.flows().length === 1, "the trade is read");
    await reader.stop();
    await proxy.stop();
    await chain.mine(FINALITY + 1);
    expect(sink.blocks()).toEqual((await replay(start)).blocks());
  },
  SLOW_MS,
);

test(
  "a provider that is gone is noticed at once, however rarely blocks are polled while a socket announces them",
  async () => {
    const proxy = createFaultProxy({
      ...QUIET,
      target: chain.url,
      webSocketTarget: chain.webSocketUrl,
      chance: () => 1,
    });
    const sink = await sinkFromHere();
    const reader = openReader(
      setup(sink.connect(), { urls: [proxy.url], webSocketUrl: proxy.webSocketUrl, pollMs: SLOW_MS }),
    );
    reader.start();
    await eventually(async () => {
      await chain.mine();
      return reader.status().cursor === (await chain.height());
    }, "blocks are heard of");
    await proxy.stop();
    await eventually(() => reader.status().reason !== null, "the reader says that it can't read");
    await reader.stop();
  },
  SLOW_MS,
);

/** Ways in which sockets go wrong without closing. */
const TAMPERED: Record<string, () => (message: string) => readonly string[]> = {
  "goes silent": () => (message) => (message.includes('"subscription"') ? [] : [message]),
  "repeats everything": () => (message) => [message, message],
  "reorders messages": () => {
    let held: string | null = null;
    return (message) => {
      if (!message.includes('"subscription"')) return [message];
      const out = held === null ? [] : [message, held];
      held = held === null ? message : null;
      return out;
    };
  },
  "announces blocks that do not exist": () => (message) => [message.replace(/"hash":"0x../, '"hash":"0xee')],
  // Last, because the socket's silence is not trusted after that.
  "withholds logs": () => (message) => (message.includes('"topics"') ? [] : [message]),
};

test(
  "a socket that withholds, repeats, reorders or makes up messages does not change what is read",
  async () => {
    let tamper = (message: string): readonly string[] => [message];
    const proxy = createFaultProxy({
      ...QUIET,
      target: chain.url,
      webSocketTarget: chain.webSocketUrl,
      chance: () => 1,
      relay: (message) => tamper(message),
    });
    const sink = await sinkFromHere();
    const start = new Map(sink.cursors);
    const reader = openReader(setup(sink.connect(), { urls: [proxy.url], webSocketUrl: proxy.webSocketUrl }));
    reader.start();
    let trades = 0;
    for (const make of Object.values(TAMPERED)) {
      tamper = make();
      await market.buyV2(String(wallets[0]), MILLI);
      await chain.mine(2);
      await market.sellV3(String(wallets[1]), MILLI);
      trades += 2;
      await settle(reader);
      expect(sink.flows()).toHaveLength(trades);
    }
    await reader.stop();
    await proxy.stop();
    expect(sink.blocks()).toEqual((await replay(start)).blocks());
  },
  SLOW_MS,
);

test(
  "of several providers, one that is down is skipped and one that lies is noticed",
  async () => {
    const random = seededRandom("liar");
    const made = (result: unknown) =>
      typeof result === "object" && result !== null ? { ...result, hash: `0x${"ab".repeat(32)}` } : result;
    const liar = createFaultProxy({
      ...QUIET,
      target: chain.url,
      chance: random.next,
      faults: [{ percent: 100, methods: ["eth_getBlockByNumber"], spoil: made }],
    });
    const honest = createFaultProxy({ ...QUIET, target: chain.url, chance: random.next });
    const sink = await sinkFromHere();
    const urls = ["http://127.0.0.1:9", chain.url, liar.url, honest.url];
    const reader = openReader(setup(sink.connect(), { urls }));
    reader.start();
    await market.buyV3(String(wallets[3]), MILLI);
    await settle(reader);
    await reader.stop();
    await Promise.all([liar.stop(), honest.stop()]);
    expect(sink.flows().map(({ kind }) => kind)).toEqual(["swap"]);
    expect(reader.metrics).toContain('crowdtape_tracker_disagreements_total{chain="test"} 1');
  },
  SLOW_MS,
);

test(
  "a back-fill finds what the live reader found, and resumes after an interruption",
  async () => {
    const live = await sinkFromHere();
    const start = await chain.height();
    const { timestamp } = await chain.rpc<{ timestamp: string }>("eth_getBlockByNumber", [
      `0x${start.toString(16)}`,
      false,
    ]);
    const reader = openReader(setup(live.connect()));
    reader.start();
    for (let round = 0; round < 3; round += 1) {
      await market.buyV2(String(wallets[0]), MILLI);
      await market.sellV3(String(wallets[0]), MILLI);
      await chain.mine(3);
    }
    await settle(reader);
    await reader.stop();
    const later = createMemorySink(new Map(live.cursors));
    const request = {
      wallets: [String(wallets[0])],
      sinceMs: Number(timestamp) * 1_000 + 1,
      name: "history",
    };
    const first = later.connect();
    const steps: number[] = [];
    const interrupted = openReader(setup(first, { spanMax: 3 })).backfill({
      ...request,
      onProgress: ({ height }) => {
        steps.push(height);
        first.kill();
      },
    });
    await interrupted.catch(() => {});
    await openReader(setup(later.connect())).backfill(request);
    expect(steps.length).toBeGreaterThan(0);
    expect(later.flows()).toEqual(live.flows());
  },
  SLOW_MS,
);

const SEEDS = (process.env.SEED ?? "one,two").split(",");

test.each(SEEDS)(
  "whatever fails, forks or restarts, the result equals a clean read, to the raw integer (seed %s)",
  async (seed) => {
    const random = seededRandom("chain", seed);
    const proxy = createFaultProxy({
      target: chain.url,
      webSocketTarget: chain.webSocketUrl,
      chance: random.next,
      limited: 4,
      dropped: 3,
      truncated: 3,
      pages: 2,
      repeatedNotices: 10,
      lostNotices: 20,
      closedSockets: 5,
      faults: evmFaults(),
    });
    const sink = await sinkFromHere();
    const start = new Map(sink.cursors);
    const held = await balances();
    const open = () => {
      const connection = sink.connect();
      const opened = openReader(
        setup(connection, { urls: [proxy.url], webSocketUrl: proxy.webSocketUrl, finality: 12 }),
      );
      opened.start();
      return { connection, opened };
    };
    let { connection, opened } = open();
    const act = () => trade(random.below(9), random.pick(wallets), random.pick(wallets));
    for (let round = 0; round < 14; round += 1) {
      const choice = random.below(6);
      if (choice === 0) {
        connection.kill();
        await opened.stop();
        ({ connection, opened } = open());
      } else if (choice === 1) {
        const goBack = await chain.mark();
        for (let count = random.below(5); count >= 0; count -= 1) await act();
        await Bun.sleep(random.below(60));
        await goBack();
        await act();
      } else if (choice === 2) {
        await chain.inOneBlock(async () => {
          for (let count = random.below(4); count >= 0; count -= 1) await act();
        });
      } else for (let count = random.below(3); count >= 0; count -= 1) await act();
      await Bun.sleep(random.below(30));
    }
    proxy.setEnabled(false);
    await chain.mine(13);
    const height = await chain.height();
    await caughtUp(opened, height, height - 12);
    await opened.stop();
    await proxy.stop();
    expect(proxy.count()).toBeGreaterThan(0);
    expect(sink.blocks()).toEqual((await replay(start)).blocks());
    const now = await balances();
    const token = lower(market.token.address);
    expect(wallets.map((wallet) => gained(sink.flows(), wallet, token))).toEqual(
      now.map((amount, index) => amount - (held[index] ?? 0n)),
    );
  },
  SLOW_MS,
);

/** One random action of a trader; some fail for lack of tokens, as in real life. */
async function trade(choice: number, trader: string, friend: string): Promise<void> {
  const actions = [
    () => market.buyV2(trader, MILLI),
    () => market.buyV3(trader, MILLI),
    () => market.buyV4(trader, MILLI),
    () => market.sellV2(trader, MILLI),
    () => market.sellV3(trader, MILLI),
    () => market.sellV4(trader, MILLI),
    () => market.swapTokens(trader, MILLI),
    () => market.transfer(trader, friend, MILLI),
    () => market.pay(trader, friend, MILLI),
  ];
  await actions[choice]?.();
}

test("a reader that can't read says why, until it can", async () => {
  const reader = openReader(setup(createMemorySink().connect(), { urls: ["http://127.0.0.1:9"] }));
  reader.start();
  await eventually(() => reader.status().error !== null, "the status has the error");
  expect(reader.status().error).toContain("127.0.0.1:9");
  expect(reader.status().reason).toBe("no provider answers");
  await reader.stop();
});
