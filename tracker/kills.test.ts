// The whole tracker on both test chains, killed repeatedly while people trade, chains fork and providers misbehave: in the end
// its books and feeds equal those of a tracker that read the final chains once, undisturbed. `SEED=…` replays the choices,
// including after which statement each tracker is killed.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open.ts";
import { sql } from "../database/sql.ts";
import { systemClock } from "../kit/clock.ts";
import { type Random, seededRandom } from "../kit/random.ts";
import { evmFaults } from "../test/chains/evm/faults.ts";
import { type Market, openMarket } from "../test/chains/evm/market.ts";
import { startTestChain, type TestChain } from "../test/chains/evm/node.ts";
import { createFaultProxy } from "../test/chains/fault-proxy.ts";
import { TestLedger } from "../test/chains/solana/ledger.ts";
import { type Pool, TestMarket } from "../test/chains/solana/market.ts";
import { TestNode } from "../test/chains/solana/node.ts";
import { eventually } from "../test/support/eventually.ts";
import { safeHeight } from "./books/alert-height.ts";
import { newestHeight } from "./books/kept-blocks.ts";
import { expectTable, keptIn, standing } from "./books/test-kept.ts";
import type { ChainSettings } from "./open-chain.ts";
import { createMoney } from "./prices/money.ts";
import {
  evmSettings,
  FINALITY_BLOCKS,
  servePrices,
  solanaSettings,
  type TestBooks,
  testBooks,
} from "./test-tracker.ts";

const CHILD = new URL("./test-tracker-child.ts", import.meta.url).pathname;
const SEED = process.env.SEED ?? "kills";
const STEPS = Number(process.env.STEPS ?? 24);
const TEST_MS_MAX = 900_000;
const ETHER = 10n ** 18n;
const SOL = 10n ** 9n;
const HANDLES = ["alice", "bob"];
/** A start takes about ten statements that write or belong to a write, a block with a tracked trade some thirty. */
const LIFE_STATEMENTS_MAX = 80;
/** The first tracker does not outlive its first block. */
const FIRST_LIFE_STATEMENTS_MAX = 20;
const WRAPPED_SOL = "So11111111111111111111111111111111111111112";

let chain: TestChain;
let market: Market;
const ledger = new TestLedger(systemClock().now);
let solana: TestMarket;
let people: Awaited<ReturnType<TestMarket["addTrader"]>>[];
let pool: Pool;
let node: TestNode;
const close: (() => unknown)[] = [];

beforeAll(async () => {
  chain = await startTestChain(8453);
  close.push(() => chain.stop());
  market = await openMarket(chain);
  solana = await TestMarket.open(ledger);
  people = [await solana.addTrader(), await solana.addTrader(), await solana.addTrader()];
  pool = await solana.addPool(10n ** 15n, 30n * SOL);
  ledger.produce();
  ledger.finalize();
  node = new TestNode(ledger);
  close.push(() => node.stop());
}, TEST_MS_MAX);
afterAll(async () => {
  for (const each of close.reverse()) await each();
});

const evmTrader = (index: number) => String(market.traders[index]);

/** One random trade; the third trader of each chain is not tracked. Returns whether an EVM block was mined for it. */
async function trade(random: Random): Promise<boolean> {
  const [from, to] = [random.below(3), random.below(3)];
  const size = BigInt(1 + random.below(50));
  if (random.chance(0.6)) {
    const trader = evmTrader(from);
    const held = await market.balanceOf(market.token, trader);
    const what = random.below(6);
    if (what === 0) await market.buyV2(trader, (size * ETHER) / 100n);
    else if (what === 1) await market.buyV3(trader, (size * ETHER) / 100n);
    else if (what === 2) await market.buyV4(trader, (size * ETHER) / 100n);
    else if (what === 3 && held > 0n) await market.sellV2(trader, held / size || held);
    else if (what === 4 && held > 0n) await market.transfer(trader, evmTrader(to), held / size || held);
    else await market.pay(trader, evmTrader(to), size);
    return true;
  }
  const person = people[from] as (typeof people)[0];
  const held = await solana.balance(person.address, pool.mint);
  const what = random.below(4);
  if (what <= 1) await solana.buy(person, pool, (size * SOL) / 100n);
  else if (what === 2 && held > 0n) await solana.sell(person, pool, held / size || held);
  else if (held > 0n)
    await solana.transfer(person, String(people[to]?.address), pool.mint, held / size || held);
  ledger.produce();
  ledger.confirm();
  return false;
}

interface Life {
  /** Has it been killed? */
  isOver(): boolean;
  /** Kills it from outside, if it is still running. */
  end(): Promise<void>;
}

/** A tracker that dies right after this many statements that write. */
function live(
  books: TestBooks,
  chains: readonly ChainSettings[],
  pricesUrl: string,
  statements: number,
): Life {
  const options = JSON.stringify({ location: books.location, chains, pricesUrl, statements });
  const child = Bun.spawn([process.execPath, CHILD, options], { stdout: "ignore", stderr: "inherit" });
  const isOver = () => {
    // If anything else ended it, the test fails.
    if (child.exitCode !== null) throw new Error(`the tracker ended by itself with ${child.exitCode}`);
    return child.signalCode !== null;
  };
  return {
    isOver,
    async end() {
      child.kill("SIGKILL");
      await child.exited;
      expect(child.signalCode).toBe("SIGKILL");
    },
  };
}

/** One trade on each chain that no fork undoes, whatever the seed does to the others. */
async function tradeForGood(): Promise<void> {
  await market.buyV2(evmTrader(0), ETHER / 100n);
  await solana.buy(people[0] as (typeof people)[0], pool, SOL / 100n);
  ledger.produce();
  ledger.finalize();
}

/** How far the books have come, by their readers' cursors. */
async function placeOf(books: TestBooks): Promise<string> {
  const database = await openDatabase(books.location);
  const rows = await database.read.all<{ value: string }>(
    sql`SELECT value FROM tracker_cursor ORDER BY name`,
  );
  await database.close();
  return rows.map(({ value }) => value).join(" ");
}

/** Trades and forks while a series of trackers reads into the books and gets killed. Returns how many were. */
async function disturb(
  random: Random,
  /** A second stream, so that the moment of a kill doesn't change what is traded next. */
  lives: Random,
  books: TestBooks,
  start: (statements: number) => Life,
): Promise<number> {
  let life = start(1 + lives.below(FIRST_LIFE_STATEMENTS_MAX));
  let kills = 0;
  try {
    await tradeForGood();
    for (let step = 0; step < STEPS; step++) {
      const before = await placeOf(books);
      const noticed = () =>
        eventually(
          async () => life.isOver() || (await placeOf(books)) !== before,
          "the tracker has seen the new block, or is dead",
        );
      let isNews = false;
      if (random.chance(0.25)) {
        const revert = await chain.mark();
        for (let blocks = 1 + random.below(FINALITY_BLOCKS - 1); blocks > 0; blocks--)
          isNews = (await trade(random)) || isNews;
        if (isNews && random.chance(0.7)) await noticed();
        await revert();
        ledger.fork(1 + random.below(3), () => random.chance(0.5));
        ledger.produce();
        ledger.confirm();
        await chain.mine(1);
      } else {
        isNews = await trade(random);
        if (random.chance(0.3)) await chain.mine(1 + random.below(FINALITY_BLOCKS));
        if (random.chance(0.3)) ledger.finalize(random.below(3));
        if (isNews) await noticed();
      }
      if (!life.isOver()) continue;
      kills += 1;
      life = start(1 + lives.below(LIFE_STATEMENTS_MAX));
    }
  } finally {
    await life.end();
  }
  return kills;
}

/** Reads on undisturbed until everything is final in the books. */
async function finish(books: TestBooks, chains: readonly ChainSettings[], pricesUrl: string): Promise<void> {
  await laterOn(books, (database) =>
    database.write((tx) => tx.run(sql`UPDATE tracker_unknown SET ask_at = 0`)),
  );
  const tracker = await books.open(chains, pricesUrl);
  try {
    const height = await chain.height();
    const slot = ledger.at("finalized").at(-1)?.slot ?? 0;
    await eventually(() => {
      const [evm, sol] = tracker.status().map(({ status }) => status);
      // Solana's cursor only moves with wallet activity: it has looked, and nothing is pending.
      const isRead = sol?.lagMs !== null && (sol?.head ?? 0) >= slot && sol?.cursor === sol?.final;
      return (evm?.final ?? 0) >= height - FINALITY_BLOCKS && isRead;
    }, `all is final up to block ${height} and slot ${slot}`);
    await isSettled(books, chains);
  } finally {
    await tracker.close();
  }
}

/** The node's own finality tag is queried a moment after reading; refused lookups are retried once more. */
const isSettled = (books: TestBooks, chains: readonly ChainSettings[]): Promise<void> =>
  laterOn(books, async ({ read }) => {
    const isOut = async (chainId: number) =>
      (await newestHeight(read, chainId)) <= (await safeHeight(read, chainId));
    for (const { chainId } of chains) await eventually(() => isOut(chainId), "no trade waits to be an alert");
    const isKnown = async () => (await read.one(sql`SELECT 1 AS one FROM tracker_unknown`)) === null;
    await eventually(isKnown, "what was refused is known");
  });

async function laterOn(
  { location }: TestBooks,
  work: (database: Database) => Promise<unknown>,
): Promise<void> {
  const database = await openDatabase(location);
  await work(database);
  await database.close();
}

async function kept(books: TestBooks, chains: readonly ChainSettings[]) {
  const database = await openDatabase(books.location);
  const found = await keptIn(database.read, HANDLES, createMoney(chains));
  await database.close();
  // The endpoint prices the coins here. When it was asked is not a fact of the chain; its answer is.
  return JSON.parse(
    JSON.stringify(found, (name, value) => (name === "asOf" ? undefined : value)),
  ) as typeof found;
}

/** A tracker that has just started reading both chains. */
async function begun(chains: readonly ChainSettings[], pricesUrl: string): Promise<TestBooks> {
  const books = testBooks();
  await books.import(
    HANDLES.map((handle, index) => ({
      handle,
      displayName: handle,
      solana: [String(people[index]?.address)],
      evm: [evmTrader(index).toLowerCase()],
    })),
  );
  await finish(books, chains, pricesUrl);
  return books;
}

test(
  `killed anywhere, the tracker ends up equal to an undisturbed one (seed ${SEED})`,
  async () => {
    const wrapped = market.weth.address.toLowerCase();
    const { factories } = market;
    const prices = servePrices([wrapped, WRAPPED_SOL]);
    const proxy = createFaultProxy({
      target: chain.url,
      webSocketTarget: null,
      chance: seededRandom(SEED, "faults").next,
      faults: evmFaults(),
      limited: 2,
      dropped: 2,
      truncated: 2,
      pages: 1,
      repeatedNotices: 0,
      lostNotices: 0,
      closedSockets: 0,
    });
    const calm = [evmSettings({ ...chain, wrapped, factories }), solanaSettings(node, [pool.address])];
    const rough = [
      evmSettings({ ...chain, url: proxy.url, wrapped, factories }),
      solanaSettings(node, [pool.address]),
    ];
    const [tried, untried] = [await begun(calm, prices.url), await begun(calm, prices.url)];
    try {
      const kills = await disturb(seededRandom(SEED), seededRandom(SEED, "lives"), tried, (statements) =>
        live(tried, rough, prices.url, statements),
      );
      ledger.produce();
      ledger.finalize();
      await chain.mine(FINALITY_BLOCKS + 1);
      for (const books of [tried, untried]) await finish(books, calm, prices.url);
      const [ours, right] = [await kept(tried, calm), await kept(untried, calm)];
      expect(ours.ledgers).toEqual(right.ledgers);
      expectTable(ours);
      // Each chain has its own order; how the two interleave depends on which was read first.
      for (const { chainId } of calm) {
        const alerts = ({ app }: typeof ours) => app.filter(({ token }) => token?.networkId === chainId);
        expect(alerts(ours)).toEqual(alerts(right));
        expect(alerts(ours).length).toBeGreaterThan(0);
      }
      expect(ours.app).toHaveLength(right.app.length);
      expect(standing(ours.trades).final).toEqual(standing(ours.trades).ids);
      // Otherwise nothing was tested.
      expect(Math.min(kills, proxy.count())).toBeGreaterThan(0);
    } finally {
      await proxy.stop();
      await prices.stop();
      for (const books of [tried, untried]) books.remove();
    }
  },
  TEST_MS_MAX,
);
