// Tokens' origins in the whole tracker: looked up on the chains, stored, and shown with the tracked trader who created them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { systemClock } from "../kit/clock.ts";
import { MINUTE_MS } from "../kit/units.ts";
import { UNSUPPORTED } from "../protocol/platform.ts";
import type { WireBoard } from "../protocol/shapes/board.ts";
import type { WireDev, WireTokenInfo } from "../protocol/shapes/token.ts";
import { openMarket } from "../test/chains/evm/market.ts";
import { startTestChain } from "../test/chains/evm/node.ts";
import { TestLedger } from "../test/chains/solana/ledger.ts";
import { TestMarket } from "../test/chains/solana/market.ts";
import { TestNode } from "../test/chains/solana/node.ts";
import { createStrictProxy } from "../test/chains/strict-proxy.ts";
import { eventually } from "../test/support/eventually.ts";
import { launchAfter } from "./books/launches.ts";
import type { LaunchAnswer } from "./chain.ts";
import { TOKEN_SELECTORS } from "./evm/contract-calls.ts";
import { TOPICS } from "./evm/topics.ts";
import type { Tracker } from "./open.ts";
import { authorityOf, curveOf, padTransaction, putCurve, tell } from "./solana/test-pump.ts";
import {
  evmSettings,
  FINALITY_BLOCKS,
  hasBegun,
  servePrices,
  solanaSettings,
  testBooks,
} from "./test-tracker.ts";

const ETHER = 10n ** 18n;
const SOL = 10n ** 9n;
const OFTEN_MS = 50;
const TEST_MS_MAX = 900_000;

let prices: ReturnType<typeof servePrices>;
const priced: string[] = ["So11111111111111111111111111111111111111112"];
beforeAll(() => {
  prices = servePrices(priced);
});
afterAll(() => prices.stop());

const infoOf = async (tracker: Tracker, token: string) =>
  (await tracker.api.token?.(token)) as WireTokenInfo | undefined;
const devsOf = async (tracker: Tracker, token: string) =>
  ((await tracker.api.tokenDevs?.(token)) as { devs: WireDev[] } | undefined)?.devs ?? [];

test(
  "a token's first pool is its launch, found once and kept",
  async () => {
    const chain = await startTestChain(8453);
    const market = await openMarket(chain);
    priced.push(market.weth.address.toLowerCase());
    const asked = { launches: 0, supplies: 0 };
    const proxy = createStrictProxy(chain.url, {
      refuse(_method, params) {
        const said = JSON.stringify(params);
        if (said.includes(TOPICS.pairCreated)) asked.launches += 1;
        if (said.includes(TOKEN_SELECTORS.totalSupply.slice(2))) asked.supplies += 1;
        return null;
      },
    });
    const books = testBooks();
    const [alice = ""] = market.traders;
    await books.import([{ handle: "alice", displayName: "Alice", solana: [], evm: [alice.toLowerCase()] }]);
    const { weth, factories } = market;
    const settings = evmSettings({ chainId: 8453, url: proxy.url, wrapped: weth.address, factories });
    const open = () => books.open([settings], prices.url, 0, OFTEN_MS);
    let tracker = await open();
    await hasBegun(tracker);
    await market.buyV2(alice, ETHER);
    await chain.mine(FINALITY_BLOCKS + 1);
    const token = market.token.address.toLowerCase();
    const launched = async () => ((await infoOf(tracker, token))?.launchedAt ?? null) !== null;
    await eventually(launched, "its launch is known");
    const before = await infoOf(tracker, token);
    expect(before).toMatchObject({ deployer: null, graduatedAt: null });
    expect(await devsOf(tracker, token)).toEqual([]);
    expect(await tracker.api.board?.("graduated")).toBe(UNSUPPORTED);
    await tracker.close();

    // It survives a restart, and no factory is queried again while supplies are.
    expect(asked.launches).toBeGreaterThan(0);
    Object.assign(asked, { launches: 0, supplies: 0 });
    tracker = await open();
    expect((await infoOf(tracker, token))?.launchedAt).toBe(before?.launchedAt as number);
    await eventually(() => asked.supplies > 2, "rounds went by");
    expect(asked.launches).toBe(0);
    await tracker.close();
    await proxy.stop();
    await chain.stop();
    books.remove();
  },
  TEST_MS_MAX,
);

test(
  "a token that left its launch pad is on the board, with the tracked trader who made it",
  async () => {
    const ledger = new TestLedger(systemClock().now);
    const market = await TestMarket.open(ledger);
    const [alice, bob] = [await market.addTrader(), await market.addTrader()];
    const pool = await market.addPool(10n ** 15n, 30n * SOL);
    const plain = await market.addPool(10n ** 15n, 30n * SOL);
    const { mint } = pool;
    await putCurve(ledger, mint, true, alice.address);
    ledger.produce();
    ledger.finalize();
    const node = new TestNode(ledger);
    const [launchedAt, graduatedAt] = [1_750_000_000_000, 1_750_000_060_000];
    const some = alice.address;
    const made = padTransaction("made", 10, "create_v2", {
      signer: bob.address,
      accounts: [mint, some, await curveOf(mint), some, some, bob.address],
      timeMs: launchedAt,
    });
    const left = padTransaction("left", 20, "migrate", {
      signer: some,
      accounts: [some, some, mint, await curveOf(mint), some, some],
      timeMs: graduatedAt,
    });
    tell(
      node,
      new Map([
        [await curveOf(mint), [made]],
        [await authorityOf(mint), [left]],
      ]),
    );
    const books = testBooks();
    await books.import([
      { handle: "alice", displayName: "Alice", solana: [alice.address], evm: [] },
      { handle: "bob", displayName: "Bob", solana: [bob.address], evm: [] },
    ]);
    const settings = solanaSettings(node, [pool.address, plain.address]);
    const tracker = await books.open([settings], prices.url, 0, OFTEN_MS);
    await hasBegun(tracker);
    expect(await tracker.api.board?.("graduated")).toBe(UNSUPPORTED);
    for (const trader of [alice, bob]) await market.buy(trader, pool, SOL);
    await market.buy(alice, plain, SOL);
    ledger.produce();
    ledger.finalize();

    const boardOf = async () => (await tracker.api.board?.("graduated")) as WireBoard;
    const isFilled = async () => (await tracker.api.board?.("graduated")) !== UNSUPPORTED;
    await eventually(isFilled, "it is on the board");
    expect((await boardOf()).rows).toMatchObject([{ rank: 1, token: { address: mint }, holders: 2 }]);
    expect(await infoOf(tracker, mint)).toMatchObject({ launchedAt, graduatedAt, deployer: bob.address });
    const unknown = { launchedAt: null, graduatedAt: null, deployer: null };
    expect(await infoOf(tracker, plain.mint)).toMatchObject(unknown);
    expect(await devsOf(tracker, plain.mint)).toEqual([]);

    const devs = await devsOf(tracker, mint);
    expect(devs).toMatchObject([{ handle: "bob", wallet: bob.address, isDev: true, costBasisUsd: 2_000 }]);
    const [dev] = devs;
    const info = await infoOf(tracker, mint);
    expect(dev?.valueUsd).toBeCloseTo((dev?.amount ?? 0) * (info?.priceUsd ?? 0), 6);
    const tradeOf = async (handle: string) => {
      const user = await tracker.api.userByHandle?.(handle);
      const page =
        typeof user === "object" ? await tracker.api.trades?.(user.userId, { sort: "recent" }) : null;
      const open = page && typeof page === "object" ? page.open : [];
      return open.find(({ token }) => token.address === mint);
    };
    expect(await tradeOf("bob")).toMatchObject({ isDev: true, tradeId: String(dev?.tradeId) });
    expect(await tradeOf("alice")).toMatchObject({ isDev: false });
    expect(await tracker.api.trade?.(String(dev?.tradeId))).toMatchObject({ isDev: true });
    await tracker.close();
    await node.stop();
    books.remove();
  },
  TEST_MS_MAX,
);

test("known facts stay known, and unknown ones are retried with backoff", () => {
  const nothing = { launchedAt: null, deployer: null, graduatedAt: null };
  const answer = (again: LaunchAnswer["again"]): LaunchAnswer => ({ ...nothing, again });
  let kept = launchAfter({ ...nothing, tries: 0, askAt: 0 }, { ...answer("pad"), launchedAt: 5 }, 0);
  expect(kept).toEqual({ ...nothing, launchedAt: 5, tries: 0, askAt: 10 * MINUTE_MS });
  kept = launchAfter(kept, answer("later"), 0);
  expect(kept).toMatchObject({ launchedAt: 5, tries: 1, askAt: 2 * MINUTE_MS });
  for (let count = 0; count < 30; count++) kept = launchAfter(kept, answer("later"), 0);
  expect(kept.askAt).toBe(7 * 24 * 60 * MINUTE_MS);
  expect(launchAfter(kept, answer("never"), 9)).toMatchObject({ launchedAt: 5, tries: 0, askAt: null });
});
