// Following wallets through a gRPC stream: whatever the server does, the stored data equals a clean replay of the final chain.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { SubscribeUpdate } from "@triton-one/yellowstone-grpc";
import { streamedOf } from "../../test/chains/solana/geyser.ts";
import { eventually } from "../../test/support/eventually.ts";
import { netWallet } from "./netting.ts";
import { poolTrades } from "./pools.ts";
import { createStreamed } from "./streamed.ts";
import { makeWorld, type World, type WorldOptions } from "./test-world.ts";
import { readTransaction } from "./transaction.ts";

// A limit for a machine that is busy with other tests, not a benchmark.
setDefaultTimeout(180_000);
const SOL = 10n ** 9n;

let world: World;
async function open(options: WorldOptions = {}): Promise<World> {
  world = await makeWorld({ streams: true, ...options });
  await streaming();
  return world;
}
// The first test may not open one.
afterEach(() => (world as World | undefined)?.close());

const streaming = () => eventually(() => world.geyser.subscribers.size === 1, "the stream is open");
async function buy(who: number): Promise<string> {
  const { signature } = await world.market.buy(
    world.traders[who] as World["traders"][0],
    world.pool,
    SOL / 50n,
  );
  world.advance();
  return signature;
}
const seen = (count: number) =>
  eventually(() => world.sink.flows({ finalOnly: false }).length === count, `${count} trades are seen`);

test("a trade is stored from the stream's data, even when the node is late or the chain forks", async () => {
  const { node, ledger, sink, geyser } = await open();
  for (const trades of [1, 2, 3, 4]) {
    await buy(0);
    await seen(trades);
  }
  // The node is asked only where a look in progress came upon a trade before the stream did.
  expect(node.calls.filter((method) => method === "getTransaction").length).toBeLessThan(4);
  // The node that histories are read from knows the trade later than the stream.
  node.view.behind = 3;
  const listings = () => node.calls.filter((method) => method === "getSignaturesForAddress").length;
  const before = listings();
  await buy(1);
  await eventually(() => listings() > before + 2, "the history is listed until it shows the trade");
  node.view.behind = 0;
  await seen(5);
  ledger.fork(1, () => true);
  world.advance();
  world.advance();
  await eventually(() => sink.retractions > 0, "the lost block is retracted");
  await world.caughtUp();
  expect(geyser.begins).toEqual([null]);
  expect(sink.broken).toEqual([]);
});

test("a server that repeats, reorders, half-closes, drops and stalls loses nothing and stays in use", async () => {
  const { geyser, sink, watch, market, ledger } = await open({ silenceMsMax: 30_000 });
  geyser.repeats = true;
  geyser.reorders = true;
  let trades = 0;
  const tradeAfter = async (fault: () => void) => {
    fault();
    await buy(trades % 2);
    await seen(++trades);
    await streaming();
  };
  await tradeAfter(() => {});
  await tradeAfter(() => geyser.halfClose());
  await tradeAfter(() => geyser.drop());
  // It answers pings all the while: only slots prove that it is alive.
  geyser.isDeaf = true;
  const connections = geyser.begins.length;
  await eventually(() => geyser.begins.length > connections, "a stream without slots is given up");
  await buy(trades % 2);
  await seen(++trades);
  await tradeAfter(() => {
    geyser.isDeaf = false;
  });
  expect(geyser.pings).toBeGreaterThan(0);
  expect(geyser.begins.slice(1).filter((slot) => slot !== null).length).toBeGreaterThan(0);
  const added = await market.addTrader();
  watch.add(added.address);
  world.traders.push(added);
  ledger.produce();
  ledger.finalize();
  await eventually(() => [...geyser.subscribers][0]?.accounts.size === 3, "the new wallet is asked for");
  await world.caughtUp();
  expect(sink.broken).toEqual([]);
});

test("a replay buffer that is too short or missing makes the reader list every history", async () => {
  const { geyser, market, traders, pool, ledger } = await open();
  for (const [ring, ignores] of [
    [1, false],
    [100, true],
  ] as const) {
    geyser.ring = ring;
    geyser.ignoresFromSlot = ignores;
    await buy(0);
    await world.caughtUp();
    // Nothing is streamed from here on.
    geyser.stalls = true;
    for (const trader of traders) {
      await market.buy(trader, pool, SOL / 50n);
      ledger.produce();
    }
    ledger.confirm();
    const [old] = geyser.subscribers;
    geyser.drop();
    await eventually(() => geyser.subscribers.size === 1 && [...geyser.subscribers][0] !== old, "it is back");
    geyser.stalls = false;
    world.advance();
    await world.caughtUp();
  }
  // From the start, from where it was (refused), from now on, and from where it was.
  expect(geyser.begins.map((slot) => slot === null)).toEqual([true, false, true, false]);
  expect(world.sink.broken).toEqual([]);
});

test("a dead node is noticed within minutes, though the stream lives and there are no trades", async () => {
  const { node, reader } = await open();
  await buy(0);
  await seen(1);
  await world.caughtUp();
  await eventually(() => reader.status().reason === null, "the reader reads");
  await node.stop();
  await eventually(() => reader.status().reason !== null, "the reader says that it can't read");
  expect(world.geyser.begins).toEqual([null]);
});

test("what a server drops is found by the next sweep", async () => {
  const { geyser } = await open({ sweepMs: { woken: 40 * 200, alone: 40 * 200 } });
  const forgotten = new Set<string>();
  geyser.forgets = (signature) => forgotten.size === 0 && forgotten.add(signature).size > 0;
  await buy(0);
  await buy(1);
  await buy(0);
  await world.caughtUp();
  expect(forgotten.size).toBe(1);
});

test("real transactions give the same result by stream as by getTransaction, and hostile ones are left out", async () => {
  const text = await Bun.file(join(import.meta.dir, "../../test/chains/solana/transactions.jsonl")).text();
  let compared = 0;
  for (const { wallet, transaction: raw } of text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))) {
    const signature = raw.transaction.signatures[0];
    if (raw.meta.err !== null || typeof raw.transaction.message.accountKeys[0] !== "string") continue;
    const info = streamedOf({ signature, ...raw.transaction, meta: raw.meta }, 0);
    const update = SubscribeUpdate.decode(
      SubscribeUpdate.encode(
        SubscribeUpdate.fromPartial({ transaction: { slot: String(raw.slot), transaction: info } }),
      ).finish(),
    );
    const streamed = createStreamed();
    streamed.moveTo(raw.slot, raw.slot - 1);
    expect(streamed.note(update.transaction as never, new Set([wallet]))).toEqual([wallet]);
    const read = readTransaction(streamed.take(signature));
    expect(netWallet(read, wallet)).toEqual(netWallet(readTransaction(raw), wallet));
    expect(poolTrades(read, new Set(), 0)).toEqual(poolTrades(readTransaction(raw), new Set(), 0));
    expect(streamed.take(signature)).toBeNull();
    compared++;
  }
  expect(compared).toBeGreaterThan(5);
  const ahead = createStreamed();
  const far = SubscribeUpdate.fromPartial({ transaction: { slot: "99999999999", transaction: {} } });
  expect(ahead.note(far.transaction as never, new Set())).toEqual([]);
});
