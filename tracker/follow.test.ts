// The tracker on a chain that forks, through restarts and roster changes: a losing fork is retracted once, the winner is
// reported, and a tracker that only ever saw the final chain agrees to the raw integer.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { WireAppItem, WireChainItem } from "../protocol/shapes/event.ts";
import type { WireTick, WireTicksPage } from "../protocol/shapes/tape.ts";
import type { Market } from "../test/chains/evm/market.ts";
import type { TestChain } from "../test/chains/evm/node.ts";
import { eventually } from "../test/support/eventually.ts";
import type { Tracker } from "./open.ts";
import { entryOf, FINALITY_BLOCKS, hasBegun, startEvmWorld, testBooks } from "./test-tracker.ts";

const ETHER = 10n ** 18n;
let world: Awaited<ReturnType<typeof startEvmWorld>>;
let chain: TestChain;
let market: Market;
let prices: typeof world.prices;

beforeAll(async () => {
  world = await startEvmWorld();
  ({ chain, market, prices } = world);
}, 900_000);
afterAll(() => world.stop());

const settings = () => world.settings();
const trader = (index: number) => String(market.traders[index]);

async function feedOf<Item>(tracker: Tracker, feed: "appFeed" | "chainFeed"): Promise<Item[]> {
  const page = await tracker.api[feed]?.(0, 1_000);
  if (typeof page !== "object") throw new Error("no feed");
  return page.items.map(({ item }) => item as Item);
}
const readUpTo = async (tracker: Tracker, height: number) =>
  eventually(() => {
    const status = tracker.status()[0]?.status;
    return (status?.cursor ?? 0) >= height && (status?.final ?? 0) >= height - FINALITY_BLOCKS;
  }, `the tracker has read up to ${height}`);

test("a losing fork is retracted, and a clean tracker agrees", async () => {
  const books = testBooks();
  await books.import([entryOf("alice", trader(0), trader(1))]);
  const early = { ...settings(), alertsAt: "confirmed" } as const;
  let tracker = await books.open([early], prices.url);
  await hasBegun(tracker);
  await market.buyV2(trader(0), ETHER);
  const revert = await chain.mark();
  await market.buyV3(trader(0), 2n * ETHER);
  await eventually(
    async () => (await feedOf<WireChainItem>(tracker, "chainFeed")).length === 2,
    "both trades are on the feed",
  );
  await revert();
  await market.buyV2(trader(1), 3n * ETHER);
  await chain.mine(1);
  await eventually(
    async () => (await feedOf<WireChainItem>(tracker, "chainFeed")).some(({ kind }) => kind === "retract"),
    "the lost trade is taken back",
  );
  // Stopped and restarted in the middle.
  await tracker.close();
  await market.transfer(trader(1), trader(0), ETHER / 10n);
  tracker = await books.open([early], prices.url);
  await market.sellV2(trader(0), ETHER / 5n);
  await chain.mine(6);
  await readUpTo(tracker, await chain.height());
  const items = await feedOf<WireChainItem>(tracker, "chainFeed");
  expect(items.filter(({ kind }) => kind === "retract")).toHaveLength(1);
  const alerts = await feedOf<WireAppItem | WireChainItem>(tracker, "appFeed");
  // The lost trade was already an alert. A move between her own wallets is neither a transfer nor volume.
  expect(alerts.map(({ kind }) => kind)).toEqual(["buy", "buy", "retract", "buy", "sell"]);
  expect(alerts[2]).toMatchObject({ retractedEventId: alerts[1]?.eventId, reason: "reorg" });
  expect(new Set(alerts.map(({ eventId }) => eventId)).size).toBe(5);
  const user = await tracker.api.userByHandle?.("alice");
  if (typeof user !== "object") throw new Error("no alice");
  const page = await tracker.api.trades?.(user.userId, { sort: "recent" });
  if (typeof page !== "object") throw new Error("no trades");
  const held =
    (await market.balanceOf(market.token, trader(0))) + (await market.balanceOf(market.token, trader(1)));
  expect(page.open[0]?.amount).toBeCloseTo(Number(held) / 1e18, 9);
  await tracker.close();
  books.remove();
}, 900_000);

test("an added trader is read from then on and back-filled, a removed one is not", async () => {
  const books = testBooks();
  await books.import([entryOf("bob", trader(2))]);
  await market.buyV2(trader(3), ETHER);
  const tracker = await books.open([settings()], prices.url, 1);
  await hasBegun(tracker);
  await chain.mine(5);
  await books.import([entryOf("carol", trader(3))]);
  await eventually(() => tracker.directory.byHandle("carol") !== undefined, "carol is noticed");
  await eventually(async () => {
    const alerts = await feedOf<WireAppItem>(tracker, "appFeed");
    return alerts.some(({ handle }) => handle === "carol");
  }, "her past is read");
  await market.buyV2(trader(3), ETHER);
  await chain.mine(6);
  await eventually(async () => {
    const alerts = await feedOf<WireAppItem>(tracker, "appFeed");
    return alerts.filter(({ handle }) => handle === "carol").length === 2;
  }, "and so is what she does now");
  await books.removeTrader("carol");
  await eventually(() => tracker.directory.byHandle("carol") === undefined, "carol is gone");
  await market.buyV2(trader(3), ETHER);
  await chain.mine(6);
  await readUpTo(tracker, await chain.height());
  const alerts = await feedOf<WireAppItem>(tracker, "appFeed");
  expect(alerts.filter(({ handle }) => handle === "carol")).toHaveLength(2);
  await tracker.close();
  books.remove();
}, 900_000);

const ticksOf = async (tracker: Tracker): Promise<WireTicksPage | null> => {
  const query = { networkId: 8453, from: 0, to: 2 ** 42 };
  const page = await tracker.api.ticks?.(market.token.address, query);
  return typeof page === "object" ? page : null;
};

test("pools that the roster bought in are on the tape with all swaps, even earlier ones", async () => {
  const books = testBooks();
  await books.import([entryOf("erin", trader(4))]);
  // Before anyone is tracked there, by an untracked wallet.
  await market.buyV2(trader(5), ETHER / 10n);
  const tracker = await books.open([settings()], prices.url);
  await hasBegun(tracker);
  await market.buyV2(trader(4), ETHER);
  await market.buyV3(trader(4), ETHER);
  await market.buyV4(trader(4), ETHER);
  const from = (await chain.height()) - 3;
  await market.sellV2(trader(5), ETHER / 100n);
  await market.buyV4(trader(5), ETHER / 10n);
  await chain.mine(FINALITY_BLOCKS + 1);
  let rows: WireTick[] = [];
  await eventually(async () => {
    const page = await ticksOf(tracker);
    rows = page?.rows ?? [];
    if (rows.filter(({ block }) => Number(block) >= from).length < 6) return false;
    const [first, last] = [rows[0], rows.at(-1)];
    return (
      page?.covered.some((span) => span.from <= Number(first?.at) && span.to >= Number(last?.at)) === true
    );
  }, "the tape is read up to the last swap");
  const own = rows.filter(({ block }) => Number(block) >= from);
  expect(own.map(({ side }) => side)).toEqual(["buy", "buy", "buy", "buy", "sell", "buy"]);
  expect(own.map(({ feeBps }) => feeBps)).toEqual(own.map(() => 30));
  // Each swap changes the v2 pool's holdings by exactly what it paid in or took out.
  const [before, bought, , first4, sold, last4] = own as [
    WireTick,
    WireTick,
    WireTick,
    WireTick,
    WireTick,
    WireTick,
  ];
  const held = ({ depthUsd }: WireTick) => Number(depthUsd);
  expect(held(bought) - held(before)).toBeCloseTo(bought.usd, 6);
  expect(held(bought) - held(sold)).toBeCloseTo(sold.usd, 6);
  expect(bought.priceUsd > before.priceUsd && sold.priceUsd < bought.priceUsd).toBe(true);
  // A singleton's pool: the virtual reserve at its price, which excludes the fee.
  expect(held(last4) - held(first4)).toBeCloseTo(last4.usd * 0.997, 6);
  expect(last4.pool).toBe(first4.pool);
  await tracker.close();
  books.remove();
}, 900_000);
