// On a real node: a balance that changes without a transfer is found, booked and shown, once its block is final.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { encodeAbiParameters, keccak256 } from "viem";
import type { WireTradeDetail } from "../protocol/shapes/position.ts";
import type { WireTokenInfo } from "../protocol/shapes/token.ts";
import type { WireBalances, WireUser } from "../protocol/shapes/trader.ts";
import { send } from "../test/chains/evm/contracts.ts";
import type { Market } from "../test/chains/evm/market.ts";
import type { TestChain } from "../test/chains/evm/node.ts";
import { eventually } from "../test/support/eventually.ts";
import type { Tracker } from "./open.ts";
import { COIN_USD, entryOf, FINALITY_BLOCKS, hasBegun, startEvmWorld, testBooks } from "./test-tracker.ts";

const ETHER = 10n ** 18n;
const OFTEN_MS = 50;
let world: Awaited<ReturnType<typeof startEvmWorld>>;
let chain: TestChain;
let market: Market;

beforeAll(async () => {
  world = await startEvmWorld();
  ({ chain, market } = world);
}, 900_000);
afterAll(() => world.stop());

/** Where the token keeps its balances, and a way to change one of them without a transfer. */
async function rebase(owner: string, amount: bigint): Promise<void> {
  const { address } = market.token;
  const value = encodeAbiParameters([{ type: "uint256" }], [amount]);
  for (let place = 0n; place < 10n; place++) {
    const types = [{ type: "address" }, { type: "uint256" }] as const;
    const slot = keccak256(encodeAbiParameters(types, [owner as `0x${string}`, place]));
    const before = await chain.rpc<string>("eth_getStorageAt", [address, slot, "latest"]);
    if (BigInt(before) !== (await market.balanceOf(market.token, owner)) || BigInt(before) === 0n) continue;
    await chain.rpc("hardhat_setStorageAt", [address, slot, value]);
    return;
  }
  throw new Error("the token keeps its balances elsewhere");
}

async function follow(wallets: string[]) {
  const books = testBooks();
  await books.import([entryOf("alice", ...wallets)]);
  const tracker = await books.open([world.settings()], world.prices.url, 0, OFTEN_MS);
  await hasBegun(tracker);
  const close = async () => {
    await tracker.close();
    books.remove();
  };
  return { tracker, close };
}

async function userOf(tracker: Tracker): Promise<WireUser> {
  return (await tracker.api.userByHandle?.("alice")) as WireUser;
}

async function balancesOf(tracker: Tracker): Promise<WireBalances> {
  return (await tracker.api.balances?.((await userOf(tracker)).userId)) as WireBalances;
}

const heldOf = async (tracker: Tracker) => (await balancesOf(tracker)).holdings[0]?.amount ?? 0;
const ether = (amount: bigint) => Number(amount) / 1e18;

/** Blocks become final as others follow. */
const holds = (tracker: Tracker, amount: number, what: string) =>
  eventually(async () => {
    await chain.mine(1);
    return Math.abs((await heldOf(tracker)) - amount) < 1e-9;
  }, what);

test("a balance change without a transfer is booked and shown, without an alert", async () => {
  const [first, second] = [String(market.traders[0]), String(market.traders[1])];
  const { tracker, close } = await follow([first, second]);
  await market.buyV2(first, ETHER);
  await market.buyV2(second, ETHER);
  await chain.mine(FINALITY_BLOCKS + 1);
  await eventually(async () => (await heldOf(tracker)) > 0, "the buys are booked");
  const user = await userOf(tracker);
  expect(user.wallets.all?.evm).toEqual([first.toLowerCase(), second.toLowerCase()]);
  const before = await market.balanceOf(market.token, first);
  const other = await market.balanceOf(market.token, second);

  await rebase(first, (before * 11n) / 10n);
  const grown = ether((before * 11n) / 10n + other);
  await holds(tracker, grown, "the gain is booked");
  await rebase(first, before / 2n);
  const shrunk = ether(before / 2n + other);
  await holds(tracker, shrunk, "the loss is booked");

  const page = await tracker.api.trades?.(user.userId, { sort: "recent" });
  const tradeId = String(typeof page === "object" ? page.open[0]?.tradeId : "");
  const detail = (await tracker.api.trade?.(tradeId)) as WireTradeDetail;
  expect(detail.transfers.map(({ direction }) => direction)).toEqual(["in", "out"]);
  for (const { txHash } of detail.transfers) expect(txHash).toMatch(/^balance:\d+$/);
  // Alerts come in chain order, so one about a balance would come before the next buy's.
  await market.buyV2(second, ETHER);
  const alerts = async () => {
    const feed = await tracker.api.appFeed?.(0, 100);
    return typeof feed === "object" ? feed.items.map(({ item }) => item.kind) : [];
  };
  await eventually(async () => {
    await chain.mine(1);
    return (await alerts()).length > 2;
  }, "the last buy is an alert");
  expect(await alerts()).toEqual(["buy", "buy", "buy"]);

  const coins = [await chain.rpc<string>("eth_getBalance", [first, "latest"])];
  coins.push(await chain.rpc<string>("eth_getBalance", [second, "latest"]));
  const amount = ether(coins.reduce((sum, coin) => sum + BigInt(coin), 0n));
  const coinHeld = async () => (await balancesOf(tracker)).coins?.[0];
  await eventually(async () => {
    await chain.mine(1);
    return Math.abs(((await coinHeld())?.amount ?? 0) - amount) < 1e-6;
  }, "both wallets' coins are read");
  const coin = await coinHeld();
  expect(coin).toMatchObject({ networkId: 8453, symbol: "ETH", priceUsd: COIN_USD });
  expect(coin?.valueUsd).toBeCloseTo((coin?.amount ?? 0) * COIN_USD, 2);
  await close();
}, 900_000);

test("a supply that changes is refreshed, and with it the market cap", async () => {
  const wallet = String(market.traders[2]);
  const { tracker, close } = await follow([wallet]);
  await market.buyV2(wallet, ETHER);
  await chain.mine(FINALITY_BLOCKS + 1);
  await eventually(async () => (await heldOf(tracker)) > 0, "the buy is booked");
  const info = async () =>
    (await tracker.api.token?.(market.token.address.toLowerCase(), 8453)) as WireTokenInfo;
  const before = await info();
  const [owner] = await chain.rpc<string[]>("eth_accounts");
  const minted = 5_000_000n * ETHER;
  await send(chain, String(owner), market.token, "mint", [owner, minted]);
  const supply = (before.supply ?? 0) + ether(minted);
  await eventually(async () => (await info()).supply === supply, "the supply is read again");
  const { marketCapUsd, priceUsd } = await info();
  expect(marketCapUsd).toBeCloseTo(supply * (priceUsd ?? 0), 2);
  const board = await tracker.api.board?.("most-held");
  expect(board).toMatchObject({ rows: [{ marketCapUsd }] });
  await close();
}, 900_000);
