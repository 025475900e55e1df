// The tracker is a platform like any other: on an EVM chain and on Solana it passes the platforms' suite, with people who
// really trade there.

import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { servePlatform } from "../protocol/server/serve.ts";
import { platformSuite } from "../protocol/suite.ts";
import { subjectInProcess, subjectOverWire } from "../protocol/suite-subjects.ts";
import { openMarket } from "../test/chains/evm/market.ts";
import { startTestChain } from "../test/chains/evm/node.ts";
import { TestLedger } from "../test/chains/solana/ledger.ts";
import { TestMarket } from "../test/chains/solana/market.ts";
import { TestNode } from "../test/chains/solana/node.ts";
import { eventually } from "../test/support/eventually.ts";
import { evmSettings, hasBegun, servePrices, solanaSettings, testBooks } from "./test-tracker.ts";

const ETHER = 10n ** 18n;
const SOL = 10n ** 9n;

platformSuite("the tracker on an EVM chain", async () => {
  const chain = await startTestChain(8453);
  const market = await openMarket(chain);
  const [first = "", second = "", third = ""] = market.traders;
  const prices = servePrices([market.weth.address.toLowerCase()]);
  const books = testBooks();
  await books.import([
    { handle: "alice", displayName: "Alice", solana: [], evm: [first.toLowerCase(), third.toLowerCase()] },
    { handle: "Bob", displayName: "Bob B.", solana: [], evm: [second.toLowerCase()] },
  ]);
  const settings = evmSettings({ ...chain, wrapped: market.weth.address, factories: market.factories });
  const tracker = await books.open([settings], prices.url);
  await hasBegun(tracker);
  await market.buyV2(first, ETHER);
  await market.buyV3(second, 2n * ETHER);
  await market.sellV2(first, ETHER / 10n);
  await market.transfer(second, first, ETHER / 100n);
  await market.transfer(first, third, ETHER / 50n);
  await market.sellV3(second, (await market.balanceOf(market.token, second)) / 2n);
  await chain.mine(6);
  const height = await chain.height();
  await eventually(() => (tracker.status()[0]?.status.final ?? 0) >= height - 3, "all of it is final");
  return {
    ...subjectInProcess(tracker),
    stir: async () => void (await market.buyV2(first, ETHER / 100n)),
    async close() {
      await tracker.close();
      await chain.stop();
      await prices.stop();
      books.remove();
    },
  };
});

platformSuite("the tracker on Solana, over its wire", async () => {
  const ledger = new TestLedger(systemClock().now);
  const market = await TestMarket.open(ledger);
  const [alice, bob] = [await market.addTrader(), await market.addTrader()];
  const pool = await market.addPool(10n ** 15n, 30n * SOL);
  ledger.produce();
  ledger.finalize();
  const node = new TestNode(ledger);
  const prices = servePrices(["So11111111111111111111111111111111111111112"]);
  const books = testBooks();
  await books.import([
    { handle: "alice", displayName: "Alice", solana: [alice.address], evm: [] },
    { handle: "bob", displayName: "Bob", solana: [bob.address], evm: [] },
  ]);
  const tracker = await books.open([solanaSettings(node, [pool.address])], prices.url);
  await hasBegun(tracker);
  const advance = () => {
    ledger.produce();
    ledger.finalize();
  };
  for (const trader of [alice, bob]) {
    await market.buy(trader, pool, SOL);
    advance();
  }
  const app = async () => {
    const page = await tracker.api.appFeed?.(0, 100);
    return typeof page === "object" ? page.newest : 0;
  };
  await eventually(async () => (await app()) >= 2, "both buys are final");
  const log = createLog("silent", () => 0);
  const server = await servePlatform({
    platform: tracker,
    host: "127.0.0.1",
    port: 0,
    log,
    clock: systemClock(),
  });
  return {
    ...subjectOverWire(server.url, async () => {
      await server.stop();
      await tracker.close();
      await node.stop();
      await prices.stop();
      books.remove();
    }),
    async stir() {
      await market.buy(bob, pool, SOL);
      advance();
    },
  };
});
