// On the real virtual machine: a balance that no transaction explains is booked after a second look, and shown. A node that
// answers 0 once takes nothing away.
import { expect, test } from "bun:test";
import { address } from "@solana/kit";
import { systemClock } from "../../kit/clock.ts";
import type { WireTradeDetail } from "../../protocol/shapes/position.ts";
import type { WireBalances, WireUser } from "../../protocol/shapes/trader.ts";
import { tokenAccountOf } from "../../test/chains/solana/instructions.ts";
import { TestLedger } from "../../test/chains/solana/ledger.ts";
import { TestMarket } from "../../test/chains/solana/market.ts";
import { TestNode } from "../../test/chains/solana/node.ts";
import { eventually } from "../../test/support/eventually.ts";
import { hasBegun, servePrices, solanaSettings, testBooks } from "../test-tracker.ts";

const SOL = 10n ** 9n;
const OFTEN_MS = 50;
/** As many slots as a quiet reader lets pass before it finalizes them. */
const QUIET_SLOTS = 150;
/** Where a token account stores its amount. */
const AMOUNT_AT = 64;

test("a Solana balance that no transaction explains is booked and shown, and one odd answer is not", async () => {
  const ledger = new TestLedger(systemClock().now);
  const market = await TestMarket.open(ledger);
  const bob = await market.addTrader();
  const pool = await market.addPool(10n ** 15n, 30n * SOL);
  const advance = () => {
    ledger.produce();
    ledger.finalize();
  };
  advance();
  const node = new TestNode(ledger);
  const prices = servePrices(["So11111111111111111111111111111111111111112"]);
  const books = testBooks();
  await books.import([{ handle: "bob", displayName: "Bob", solana: [bob.address], evm: [] }]);
  const tracker = await books.open([solanaSettings(node, [pool.address])], prices.url, 0, OFTEN_MS);
  await hasBegun(tracker);
  await market.buy(bob, pool, SOL);
  advance();

  const user = (await tracker.api.userByHandle?.("bob")) as WireUser;
  const held = async () => {
    const balances = (await tracker.api.balances?.(user.userId)) as WireBalances;
    return balances.holdings[0]?.amount ?? 0;
  };
  const own = address(await tokenAccountOf(bob.address, address(pool.mint)));
  const account = () => {
    const found = ledger.accountIn(ledger.blocks, own);
    if (!found.exists) throw new Error("the wallet holds nothing");
    return found;
  };
  /** As if the token's program had done it by itself, without a transaction. */
  const rebase = (amount: bigint) => {
    const data = Buffer.from(account().data);
    data.writeBigUInt64LE(amount, AMOUNT_AT);
    Object.assign(account(), { data: Uint8Array.from(data) });
  };
  /** Enough slots for the reader to advance although nothing happened, plus a wake-up. */
  const follow = () => {
    ledger.skip(QUIET_SLOTS);
    advance();
    tracker.wake([bob.address]);
  };
  const shown = (amount: bigint) => Number(amount) / 1e6;
  const bought = Buffer.from(account().data).readBigUInt64LE(AMOUNT_AT);
  await eventually(async () => (await held()) === shown(bought), "the purchase is booked");

  // For a moment the node reports an empty wallet.
  const looks = () => node.calls.filter((method) => method === "getTokenAccountsByOwner").length;
  let isOdd = true;
  node.instead = (method) => {
    if (method !== "getTokenAccountsByOwner" || !isOdd) return undefined;
    isOdd = false;
    return { result: { context: { slot: ledger.blocks.at(-1)?.slot }, value: [] } };
  };
  await eventually(() => !isOdd, "the odd answer was given");
  const before = looks();
  await eventually(async () => {
    follow();
    // A token that is not held is not checked again.
    return looks() > before + 3 || (await held()) === 0;
  }, "it was looked again");
  expect(await held()).toBe(shown(bought));

  const booked = async (amount: bigint, what: string) => {
    rebase(amount);
    await eventually(async () => {
      follow();
      return (await held()) === shown(amount);
    }, what);
  };
  await booked((bought * 11n) / 10n, "the gain is booked");
  await booked(bought / 2n, "the loss is booked");
  const page = await tracker.api.trades?.(user.userId, { sort: "recent" });
  const tradeId = String(typeof page === "object" ? page.open[0]?.tradeId : "");
  const detail = (await tracker.api.trade?.(tradeId)) as WireTradeDetail;
  expect(detail.transfers.map(({ direction }) => direction)).toEqual(["in", "out"]);
  for (const { txHash } of detail.transfers) expect(txHash).toMatch(/^balance:\d+$/);
  const feed = await tracker.api.appFeed?.(0, 100);
  const alerts = typeof feed === "object" ? feed.items : [];
  expect(alerts.map(({ item }) => item.kind)).toEqual(["buy"]);

  await tracker.close();
  await node.stop();
  await prices.stop();
  books.remove();
}, 900_000);
