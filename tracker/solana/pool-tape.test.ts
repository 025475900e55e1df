// The tape on Solana: all swaps in a pool that the roster bought in, from its vault balances after each.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { KeyPairSigner } from "@solana/kit";
import { systemClock } from "../../kit/clock.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { SECOND_MS } from "../../kit/units.ts";
import type { WireTick, WireTicksPage } from "../../protocol/shapes/tape.ts";
import { TestLedger } from "../../test/chains/solana/ledger.ts";
import { type Pool, TestMarket } from "../../test/chains/solana/market.ts";
import { TestNode } from "../../test/chains/solana/node.ts";
import { eventually } from "../../test/support/eventually.ts";
import { SOLANA_CHAIN_ID } from "../chain.ts";
import type { Tracker } from "../open.ts";
import { createRpcClient, createRpcMetrics } from "../rpc/client.ts";
import { COIN_USD, servePrices, solanaSettings, testBooks } from "../test-tracker.ts";
import { createSolanaTape } from "./pool-tape.ts";

const SOL = 10n ** 9n;
/** More slots than the wait between two looks at a pool. */
const LATER_SLOTS = 800;
const TEST_MS_MAX = 300_000;

let ledger: TestLedger;
let market: TestMarket;
let node: TestNode;
let prices: ReturnType<typeof servePrices>;
let alice: KeyPairSigner;
let stranger: KeyPairSigner;

beforeAll(async () => {
  const beganAt = systemClock().now();
  ledger = new TestLedger(() => beganAt + blocks * SECOND_MS);
  market = await TestMarket.open(ledger);
  alice = await market.addTrader();
  stranger = await market.addTrader();
  node = new TestNode(ledger);
  prices = servePrices(["So11111111111111111111111111111111111111112"]);
}, TEST_MS_MAX);
afterAll(async () => {
  await node.stop();
  await prices.stop();
});

/** One second apart, so that coverage has a length. */
let blocks = 0;
const advance = () => {
  blocks += 1;
  ledger.produce();
  ledger.finalize();
};

async function open(pool: Pool): Promise<{ tracker: Tracker; close(): Promise<void> }> {
  const books = testBooks();
  await books.import([{ handle: "alice", displayName: "Alice", solana: [alice.address], evm: [] }]);
  const tracker = await books.open([solanaSettings(node, [pool.address])], prices.url);
  await eventually(() => tracker.status()[0]?.status.cursor !== null, "the tracker has begun");
  return {
    tracker,
    async close() {
      await tracker.close();
      books.remove();
    },
  };
}

/** The page once it has this many ticks and covers all of them. */
async function taped(tracker: Tracker, mint: string, count: number): Promise<WireTicksPage> {
  const page = async () => {
    const query = { networkId: SOLANA_CHAIN_ID, from: 0, to: 2 ** 42 };
    const found = await tracker.api.ticks?.(mint, query);
    return typeof found === "object" ? found : null;
  };
  await eventually(async () => {
    const { rows, covered } = (await page()) ?? { rows: [], covered: [] };
    const [first, last] = [rows[0]?.at ?? 0, rows.at(-1)?.at ?? 0];
    return rows.length === count && covered.some(({ from, to }) => from <= first && to >= last);
  }, `${count} ticks are read and covered`);
  return (await page()) as WireTicksPage;
}

const heldUsd = ({ depthUsd }: WireTick) => Number(depthUsd);
const usdOf = (lamports: bigint) => (Number(lamports) / 1e9) * COIN_USD;

test(
  "a pool that the roster bought in is on the tape with all swaps, even earlier ones",
  async () => {
    const pool = await market.addPool(10n ** 15n, 30n * SOL);
    advance();
    await market.buy(stranger, pool, SOL);
    advance();
    const { tracker, close } = await open(pool);
    await market.buy(alice, pool, 2n * SOL);
    advance();
    // Two in one slot, one of them not by the roster, and one that is not a valid swap.
    await market.sell(stranger, pool, 10n ** 12n);
    await market.sell(alice, pool, 10n ** 11n);
    await market.transfer(stranger, alice.address, pool.mint, 5n);
    advance();
    ledger.skip(LATER_SLOTS);
    advance();
    const { rows } = await taped(tracker, pool.mint, 4);
    expect(rows.map(({ side }) => side)).toEqual(["buy", "buy", "sell", "sell"]);
    expect(rows.map(({ pool: named, feeBps }) => [named, feeBps])).toEqual(rows.map(() => [pool.address, 0]));
    const [before, bought, sold, last] = rows as [WireTick, WireTick, WireTick, WireTick];
    expect(heldUsd(before)).toBeCloseTo(usdOf(31n * SOL), 6);
    expect(heldUsd(bought) - heldUsd(before)).toBeCloseTo(usdOf(2n * SOL), 6);
    expect(heldUsd(bought) - heldUsd(sold)).toBeCloseTo(sold.usd, 6);
    const vault = await market.balance(pool.address, pool.mint);
    expect(last.priceUsd).toBeCloseTo(heldUsd(last) / (Number(vault) / 1e6), 12);
    // Later swaps are read after the earlier ones.
    await market.buy(stranger, pool, SOL);
    advance();
    ledger.skip(LATER_SLOTS);
    advance();
    const more = await taped(tracker, pool.mint, 5);
    expect(heldUsd(more.rows[4] as WireTick) - heldUsd(last)).toBeCloseTo(usdOf(SOL), 6);
    await close();
  },
  TEST_MS_MAX,
);

test(
  "more swaps than fit in one read are read in turn, each once",
  async () => {
    const pool = await market.addPool(10n ** 15n, 30n * SOL);
    advance();
    const from = ledger.blocks.at(-1)?.slot ?? 0;
    for (let swap = 0; swap < 8; swap++) {
      await market.buy(stranger, pool, SOL);
      if (swap % 3 === 0) advance();
    }
    advance();
    const to = ledger.blocks.at(-1)?.slot ?? 0;
    const clock = systemClock();
    const rpc = createRpcClient({
      chain: "solana",
      urls: [node.url],
      clock,
      random: seededRandom("rpc"),
      metrics: createRpcMetrics(createMetrics()),
      callsPerSecondMax: 100_000,
    });
    const tape = createSolanaTape(rpc, 3);
    const pools = [{ pool: pool.address, token: pool.mint }];
    const stretches: number[] = [];
    const depths: number[] = [];
    for (let at = from; at < to; ) {
      const read = await tape.read(pools, at + 1, to);
      expect(read.unread.size).toBe(0);
      stretches.push(read.states.length);
      depths.push(...read.states.map(({ inSide }) => Number(inSide / SOL)));
      at = read.to;
    }
    // Slots are read whole: one swap, three and three more, and the last one.
    expect(stretches).toEqual([4, 3, 1]);
    expect(depths).toEqual([31, 32, 33, 34, 35, 36, 37, 38]);
    // Another token's vault is not this pool's, and a node that began later has pruned it.
    const other = await tape.read([{ pool: pool.address, token: stranger.address }], from + 1, to);
    expect([...other.unread]).toEqual([`${pool.address} ${stranger.address}`]);
  },
  TEST_MS_MAX,
);

test(
  "a launchpad's curve prices by its virtual reserves, as its account reports",
  async () => {
    const [tokens, virtualTokens, virtualCoins] = [10n ** 15n, 1_073_000_000n * 10n ** 6n, 30n * SOL];
    const pool = await market.addCurve(tokens, virtualTokens, virtualCoins);
    advance();
    const { tracker, close } = await open(pool);
    const paid = 2n * SOL;
    const got = (virtualTokens * paid) / (virtualCoins + paid);
    await market.buyOnCurve(alice, pool, paid, got);
    advance();
    ledger.skip(LATER_SLOTS);
    advance();
    const { rows } = await taped(tracker, pool.mint, 1);
    expect(heldUsd(rows[0] as WireTick)).toBeCloseTo(usdOf(virtualCoins + paid), 6);
    const price = usdOf(virtualCoins + paid) / (Number(virtualTokens - got) / 1e6);
    expect(rows[0]?.priceUsd).toBeCloseTo(price, 12);
    expect(rows[0]?.feeBps).toBe(125);
    await close();
  },
  TEST_MS_MAX,
);
