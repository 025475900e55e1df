// The reader against a real virtual machine behind real sockets: whatever happens along the way, its stored data equals a clean
// replay of the final chain, to the raw integer.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { seededRandom } from "../../kit/random.ts";
import { DAY_MS } from "../../kit/units.ts";
import { createFaultProxy, type FaultProxy } from "../../test/chains/fault-proxy.ts";
import type { TestLedger } from "../../test/chains/solana/ledger.ts";
import { TestNode } from "../../test/chains/solana/node.ts";
import { createStrictProxy } from "../../test/chains/strict-proxy.ts";
import { eventually } from "../../test/support/eventually.ts";
import { ATTEMPTS_MIN, GIVE_UP_SLOTS, QUOTED_EVERY_SLOTS } from "./limits.ts";
import { makeWorld, type World, type WorldOptions } from "./test-world.ts";

// A limit for a machine that is busy with other tests, not a benchmark.
setDefaultTimeout(180_000);

let world: World;
const open = async (options?: WorldOptions) => {
  world = await makeWorld(options);
  return world;
};
afterEach(() => world.close());

const SOL = 10n ** 9n;

test("a pool's trades among strangers are sampled every few minutes, with instructions", async () => {
  const { market, traders, pool, sink, ledger, watch } = await open({ listedWalletsMax: 0 });
  const stranger = await market.addTrader();
  watch.poolSet.add(pool.address);
  await market.buy(stranger, pool, SOL);
  const last = await market.sell(stranger, pool, 10n ** 9n);
  world.advance();
  await eventually(() => sink.pools().length === 1, "the last trade of the block is read");
  expect(sink.pools()).toEqual([`${last.signature} ${pool.address}`]);
  await market.buy(stranger, pool, SOL);
  world.advance();
  const own = await market.buy(traders[0] as (typeof traders)[0], pool, SOL);
  world.advance();
  await eventually(
    () => sink.pools().some((line) => line.startsWith(own.signature)),
    "the block after is read",
  );
  expect(sink.pools().length).toBe(2);
  ledger.skip(QUOTED_EVERY_SLOTS);
  const later = await market.buy(stranger, pool, SOL);
  world.advance();
  await eventually(
    () => sink.pools().some((line) => line.startsWith(later.signature)),
    "a later one is read",
  );
});

for (const listedWalletsMax of [100, 0]) {
  describe(listedWalletsMax > 0 ? "listing wallets" : "reading blocks", () => {
    test("trades and transfers are seen when confirmed and final when finalized", async () => {
      const { market, traders, pool, sink } = await open({ listedWalletsMax });
      const [one, two] = traders as [(typeof traders)[0], (typeof traders)[0]];
      await market.buy(one, pool, SOL);
      world.advance();
      world.reader.wake([one.address]);
      await eventually(() => sink.flows({ finalOnly: false }).length === 1, "the buy is seen");
      expect(sink.flows()).toEqual([]);
      await market.sell(one, pool, 1_000_000n);
      await market.transferSol(one, two.address, 5n);
      await market.sell(one, pool, 10n ** 18n);
      world.advance();
      await world.caughtUp();
      const kinds = sink.flows().map((line) => line.split(" ")[3]);
      expect(kinds.sort()).toEqual(["swap", "swap", "transfer-in", "transfer-out"]);
      expect(sink.broken).toEqual([]);
      expect(sink.pools().length).toBe(2);
    });

    test("a fork that drops trades is retracted, and trades that land again are stored once", async () => {
      const { market, traders, pool, sink, ledger } = await open({ listedWalletsMax });
      const [one, two] = traders as [(typeof traders)[0], (typeof traders)[0]];
      const kept = await market.buy(one, pool, SOL);
      world.advance();
      await market.buy(two, pool, SOL);
      world.advance();
      world.reader.wake();
      await eventually(() => sink.flows({ finalOnly: false }).length === 2, "both buys are seen");
      ledger.fork(2, ({ signature }) => signature === kept.signature);
      world.advance();
      world.advance();
      await eventually(() => sink.flows({ finalOnly: false }).length === 1, "the lost buy is retracted");
      await world.caughtUp();
      expect(sink.retractions).toBe(2);
      expect(sink.broken).toEqual([]);
    });

    test("tokens sent to an existing account are found, though no transaction names its owner", async () => {
      const { market, traders, pool, sink } = await open({ listedWalletsMax });
      const [one, two] = traders as [(typeof traders)[0], (typeof traders)[0]];
      const stranger = await market.addTrader();
      await market.buy(stranger, pool, SOL);
      await market.buy(one, pool, SOL);
      await market.buy(two, pool, SOL);
      await world.caughtUp();
      const { keys } = await market.transfer(stranger, one.address, pool.mint, 77n);
      expect(keys).not.toContain(one.address);
      await world.caughtUp();
      await market.transfer(stranger, two.address, pool.mint, 78n);
      world.advance();
      await market.sell(two, pool, await market.balance(two.address, pool.mint));
      await world.caughtUp();
      await world.reader.stop();
      await market.transfer(stranger, two.address, pool.mint, 79n);
      world.advance();
      await market.sell(two, pool, 79n);
      world.advance();
      await market.transfer(stranger, one.address, pool.mint, 80n);
      await world.restart();
      await world.caughtUp();
      expect(sink.flows().filter((line) => line.includes("transfer-in")).length).toBe(4);
      expect(sink.broken).toEqual([]);
    });

    test("a restart catches up on a gap, across skipped slots and without duplicates", async () => {
      const { market, traders, pool, sink, ledger } = await open({ listedWalletsMax });
      const [one] = traders as [(typeof traders)[0]];
      await market.buy(one, pool, SOL);
      await world.caughtUp();
      await world.reader.stop();
      for (let at = 0; at < 12; at++) {
        await market.buy(one, pool, SOL / 10n);
        if (at % 3 === 0) ledger.skip(2);
        if (at % 2 === 0) world.advance();
      }
      ledger.produce();
      ledger.finalize();
      await world.restart();
      await world.caughtUp();
      expect(sink.flows().length).toBe(13);
      expect(sink.broken).toEqual([]);
    });

    test("a node that refuses, forgets transactions or falls behind only causes delay", async () => {
      const { market, traders, pool, sink, node } = await open({ listedWalletsMax });
      const [one] = traders as [(typeof traders)[0]];
      const random = seededRandom("faults");
      node.instead = (method) => {
        if (random.chance(0.05))
          return new Response("slow down", { status: 429, headers: { "retry-after": "0" } });
        if (method === "getTransaction" && random.chance(0.5)) return { result: null };
        return undefined;
      };
      for (let at = 0; at < 5; at++) {
        await market.buy(one, pool, SOL / 10n);
        node.view.behind = at % 3;
        world.advance();
        world.reader.wake();
      }
      node.view.behind = 0;
      await world.caughtUp();
      expect(sink.broken).toEqual([]);
      expect(world.logged.filter((line) => line.includes("skipped"))).toEqual([]);
    });

    test("a store failure, before or after a step was stored, loses and repeats nothing", async () => {
      const { market, traders, pool, sink } = await open({ listedWalletsMax });
      const [one] = traders as [(typeof traders)[0]];
      for (const fail of ["before", "after", "before", "after"] as const) {
        await market.buy(one, pool, SOL / 10n);
        sink.failNext = fail;
        world.advance();
        world.reader.wake();
        await eventually(() => sink.failNext === null, "the store failed");
      }
      await world.caughtUp();
      expect(sink.broken).toEqual([]);
    });
  });
}

test("a roster that grows past the limit is read by blocks, and shrinks back, without a gap", async () => {
  const { market, traders, pool, sink, ledger, watch } = await open({ traders: 3, listedWalletsMax: 2 });
  const [one, two, three] = traders as [(typeof traders)[0], (typeof traders)[0], (typeof traders)[0]];
  const everybodyBuys = async () => {
    for (const trader of traders) await market.buy(trader, pool, SOL / 10n);
    world.advance();
  };
  for (const [add, wallet] of [
    [false, three.address],
    [true, three.address],
    [false, one.address],
    [true, one.address],
    [false, two.address],
  ] as const) {
    await everybodyBuys();
    await world.caughtUp();
    await everybodyBuys();
    if (add) watch.add(wallet);
    else watch.remove(wallet);
    const calls = world.node.calls.length;
    await eventually(() => world.node.calls.length > calls + 30, "the reader follows");
    await everybodyBuys();
    // A wallet that comes back has a gap where it was not watched; a back-fill reads it.
    if (add)
      await world.reader.backfill({ wallets: [wallet], sinceMs: 0, name: `back ${ledger.blocks.length}` });
    // A removed wallet keeps what was read of it.
    if (!add) sink.forget(wallet);
    await world.caughtUp();
  }
  expect(sink.broken).toEqual([]);
});

test("a trade is announced by the socket, even after a reconnect, and messages may repeat", async () => {
  const { market, traders, pool, sink, node } = await open({ webSocket: true });
  const [one] = traders as [(typeof traders)[0]];
  await eventually(() => node.subscribers === traders.length, "all wallets are subscribed to");
  node.duplicates = true;
  await market.buy(one, pool, SOL);
  world.advance();
  await eventually(() => sink.flows({ finalOnly: false }).length === 1, "the buy is seen");
  node.dropSockets();
  await market.buy(one, pool, SOL);
  world.advance();
  await eventually(() => sink.flows({ finalOnly: false }).length === 2, "what happened meanwhile is seen");
  await world.caughtUp();
  expect(sink.broken).toEqual([]);
});

test("with a socket that can't be reached, trades are found by polling as often as without one", async () => {
  const { market, traders, pool, sink } = await open({
    webSocket: true,
    sweepMs: { woken: DAY_MS, alone: 800 },
    proxyBefore: ({ url }) => ({ url, webSocketUrl: "ws://127.0.0.1:9", stop: async () => {} }),
  });
  await market.buy(traders[0] as (typeof traders)[0], pool, SOL);
  await world.caughtUp();
  expect(sink.flows()).toHaveLength(1);
});

test("through a provider that drops, cuts, delays and repeats, by HTTP and by socket, nothing is lost or doubled", async () => {
  const random = seededRandom("proxy");
  let proxy: FaultProxy | undefined;
  const { market, traders, pool, sink, ledger } = await open({
    webSocket: true,
    proxyBefore: (node) => {
      proxy = createFaultProxy({
        target: node.url,
        webSocketTarget: node.wsUrl,
        chance: () => random.next(),
        limited: 3,
        dropped: 3,
        truncated: 3,
        pages: 3,
        repeatedNotices: 30,
        lostNotices: 30,
        closedSockets: 10,
        faults: [
          { percent: 30, methods: ["getTransaction"], spoil: () => null },
          {
            percent: 20,
            methods: ["getSignaturesForAddress"],
            spoil: (list) => (list as unknown[]).slice(1),
          },
          { percent: 10, methods: ["getBlock"], spoil: () => null },
        ],
      });
      return proxy;
    },
  });
  for (let at = 0; at < 12; at++) {
    await market.buy(traders[at % 2] as (typeof traders)[0], pool, SOL / 10n);
    world.advance();
    if (at % 4 === 3) ledger.fork(1, () => random.chance(0.5));
    // A sweep finds what the socket missed.
    world.reader.wake();
  }
  await eventually(() => (proxy?.count() ?? 0) > 20, "the provider misbehaved");
  proxy?.setEnabled(false);
  world.reader.wake();
  await world.caughtUp();
  expect(sink.broken).toEqual([]);
});

test.each([100, 0])(
  "a provider that takes ten calls in a batch is read to the end (%d listed)",
  async (listedWalletsMax) => {
    const { market, traders, pool, sink } = await open({
      listedWalletsMax,
      proxyBefore: (node) =>
        createStrictProxy(node.url, { batch: { max: 10, by: "error for each" }, answeredMax: 4 }),
    });
    const [one] = traders as [(typeof traders)[0]];
    await world.reader.stop();
    for (let at = 0; at < 24; at++) {
      await market.buy(one, pool, SOL / 10n);
      world.advance();
    }
    await world.restart();
    await world.caughtUp();
    expect(sink.flows().length).toBe(24);
    expect(sink.broken).toEqual([]);
  },
);

for (const [listedWalletsMax, where] of [
  [100, "listed"],
  [0, "in a block"],
] as const)
  test.each([
    ["that no node returns", (): unknown => null],
    ["that makes no sense", (slot: number): unknown => ({ slot, meta: null, transaction: {} })],
  ])(`a transaction %s is skipped and reported, ${where}`, async (_name, given) => {
    const { market, traders, pool, sink, node, ledger } = await open({ listedWalletsMax });
    const [one] = traders as [(typeof traders)[0]];
    const slot = (ledger.blocks.at(-1)?.slot ?? 0) + 1;
    const lost = await market.buy(one, pool, SOL);
    node.instead = (method, [signature]) =>
      method === "getTransaction" && signature === lost.signature ? { result: given(slot) } : undefined;
    world.advance();
    await market.buy(one, pool, SOL);
    await market.sell(one, pool, 10n);
    world.ledger.produce();
    world.ledger.finalize();
    const asked = () => node.calls.filter((method) => method === "getTransaction").length;
    await eventually(() => asked() > 3 * ATTEMPTS_MIN, "it was asked for again and again");
    expect(sink.flows()).toEqual([]);
    expect(world.logged.filter((line) => line.includes("skipped"))).toEqual([]);
    ledger.skip(GIVE_UP_SLOTS);
    world.ledger.produce();
    world.ledger.finalize();
    await eventually(() => sink.flows().length === 2, "what came after it is read");
    const skipped = world.logged.filter((line) => line.startsWith("solana transaction skipped"));
    expect(skipped).toEqual([expect.stringContaining(lost.signature)]);
  });

test("a provider whose final block differs from the majority's is avoided, and only costs a moment", async () => {
  const lie = (ledger: TestLedger) => {
    const liar = new TestNode(ledger);
    liar.instead = (method) =>
      method === "getBlock" ? { result: { blockhash: "lie", previousBlockhash: "lie" } } : undefined;
    return [liar, new TestNode(ledger)];
  };
  const { market, traders, pool, sink } = await open({ spareNodes: lie });
  const [one] = traders as [(typeof traders)[0]];
  await market.buy(one, pool, SOL);
  await world.caughtUp();
  expect(sink.broken).toEqual([]);
  expect(world.logged.some((line) => line.startsWith("provider contradicts the others"))).toBe(true);
  expect(world.logged.join()).not.toContain("canary");
});

test("when providers disagree nothing becomes final, but confirmed trades are still seen", async () => {
  let isSplit = true;
  const lie = (ledger: TestLedger) => {
    const liar = new TestNode(ledger);
    liar.instead = (method) =>
      isSplit && method === "getBlock"
        ? { result: { blockhash: "lie", previousBlockhash: "lie" } }
        : undefined;
    return [liar];
  };
  const { market, traders, pool, sink, ledger } = await open({ spareNodes: lie });
  const [one] = traders as [(typeof traders)[0]];
  await market.buy(one, pool, SOL);
  ledger.produce();
  ledger.finalize();
  await eventually(() => sink.flows({ finalOnly: false }).length === 1, "the buy is seen");
  const isLogged = () => world.logged.some((line) => line.startsWith("providers disagree"));
  await eventually(isLogged, "the operator can see it");
  const calls = world.node.calls.length;
  await eventually(() => world.node.calls.length > calls + 50, "the reader looked several times");
  expect(sink.flows()).toEqual([]);
  isSplit = false;
  await world.caughtUp();
});
