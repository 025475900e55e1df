// The whole product on real chains: a roster is imported by the command, people trade on an EVM chain and on Solana, and every
// route, the alerts and the streams agree.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROUTES, type RouteId } from "../../contract/routes.ts";
import { createLog } from "../../kit/log.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import { readConfig } from "../../service/config.ts";
import { createService, type Service } from "../../service/service.ts";
import { COIN_USD, servePrices } from "../../tracker/test-tracker.ts";
import { contractAt, view } from "../chains/evm/contracts.ts";
import { type Market, openMarket } from "../chains/evm/market.ts";
import { startTestChain, type TestChain } from "../chains/evm/node.ts";
import { TestLedger } from "../chains/solana/ledger.ts";
import { TestMarket } from "../chains/solana/market.ts";
import { TestNode } from "../chains/solana/node.ts";
import { keepBook } from "../strict-client/book.ts";
import { type Body, createStrictClient, type StrictClient, type Tape } from "../strict-client/client.ts";
import { readEverything } from "../strict-client/everything.ts";
import { alert as alertForm } from "../strict-client/frame-shapes.ts";
import { eventually } from "../support/eventually.ts";
import { followByHand, type HandOrder, type PoolHolds } from "../support/follow-by-hand.ts";
import { steeredClock } from "../support/steered-clock.ts";

const BASE = 8453;
const SOLANA = 1399811149;
const ETHER = 10n ** 18n;
const SOL = 10n ** 9n;
const root = join(import.meta.dir, "../..");
const folder = mkdtempSync(join(tmpdir(), "crowdtape-chain-"));
const close: (() => unknown)[] = [];
let chain: TestChain;
let market: Market;
let service: Service;
let clock: ReturnType<typeof steeredClock>;
let secret: string;
let alice: string;
let solana: {
  ledger: TestLedger;
  market: TestMarket;
  bob: Awaited<ReturnType<TestMarket["addTrader"]>>;
  mint: string;
  buy(): Promise<void>;
};
/** All frames from both streams, in the order of arrival. */
const frames: Body[] = [];
let client: StrictClient;
let alerts: Tape;
let trades: Tape;
/** When both streams were open. */
let openedAt: number;

const settle = async () => {
  solana.ledger.produce();
  solana.ledger.finalize();
  await chain.mine(10);
};

beforeAll(async () => {
  chain = await startTestChain(BASE);
  close.push(() => chain.stop());
  market = await openMarket(chain);
  alice = String(market.traders[0]).toLowerCase();
  clock = steeredClock(Date.now());
  // A block from before the start of the log would be history, which no stream sends.
  const ledger = new TestLedger(clock.now);
  const solanaMarket = await TestMarket.open(ledger);
  const bob = await solanaMarket.addTrader();
  const pool = await solanaMarket.addPool(10n ** 15n, 30n * SOL);
  ledger.produce();
  ledger.finalize();
  const node = new TestNode(ledger);
  close.push(() => node.stop());
  const buy = async () => void (await solanaMarket.buy(bob, pool, SOL));
  solana = { ledger, market: solanaMarket, bob, mint: pool.mint, buy };
  const wrapped = market.weth.address.toLowerCase();
  const prices = servePrices([wrapped, "So11111111111111111111111111111111111111112"]);
  close.push(() => prices.stop());
  const settings = {
    DATA_DIR: folder,
    PORT: "0",
    LOG_LEVEL: "silent",
    // A busy machine takes its time, and nothing here is about speed.
    UPSTREAM_DEADLINE_MS: "60000",
    UPSTREAM: "chain",
    PRICES: prices.url,
    RPC_BASE: chain.url,
    RPC_SOLANA: `${node.url},${node.wsUrl}`,
    TRACKER_WRAPPED: `${BASE}:${wrapped}`,
    TRACKER_FACTORIES: [
      ...market.factories.map((factory) => `${BASE}:${factory}`),
      `${SOLANA}:${pool.address}`,
    ].join(),
    TRACKER_HISTORY_DAYS: "0",
    // Steers the clock; also checks the order of trade and alert.
    ALERTS_AT: "final",
    TRACKER_PROCESS: "shared",
    TRACKER_CALLS_PER_SECOND: "10000",
    TRACKER_WAKE_SECRET: "a-secret-of-some-length",
  };
  const roster = join(folder, "traders.csv");
  await Bun.write(
    roster,
    `handle,displayName,solana,evm\nalice,Alice,,${alice}\nbob,"Bob, the",${bob.address},\n`,
  );
  const imported = Bun.spawnSync(
    [process.execPath, join(root, "service/cli.ts"), "roster", "import", roster],
    {
      env: { ...process.env, ...settings },
    },
  );
  expect(imported.stdout.toString()).toBe("2 added, 0 changed, 0 unchanged.\n");
  service = await createService(readConfig(settings), {
    clock,
    log: createLog("silent", clock.now),
    metrics: createMetrics(),
    random: seededRandom("chain"),
  });
  close.push(() => service.stop());
  const account = await service.access.grants.openAccount("test@example.com");
  await service.access.grants.payForPlan({ accountId: account.id, plan: "scale", reference: "test" });
  ({ secret } = await service.access.keys.create({ accountId: account.id, name: null }));
  client = createStrictClient(service.url, secret);
  [alerts, trades] = await Promise.all([client.listen("alerts"), client.listen("trades")]);
  openedAt = clock.now();
  for (const { frames: own, close: end } of [alerts, trades]) {
    const push = own.push.bind(own);
    own.push = (...added) => {
      frames.push(...added);
      return push(...added);
    };
    close.push(end);
  }
  await eventually(() => node.subscribers > 0, "Solana is listened to");
}, 900_000);

afterAll(async () => {
  for (const each of close.reverse()) await each();
  rmSync(folder, { recursive: true, force: true });
}, 900_000);

async function get<Id extends RouteId>(id: Id, path: string, posted?: unknown) {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const sent = posted === undefined ? {} : { method: "POST", body: JSON.stringify(posted) };
  const response = await fetch(`${service.url}${path}`, { headers, ...sent });
  const body = await response.json();
  expect({ path, status: response.status, body: response.status === 200 ? null : body }).toEqual({
    path,
    status: 200,
    body: null,
  });
  expect(ROUTES[id].answer.safeParse(body).error).toBeUndefined();
  // biome-ignore lint/suspicious/noExplicitAny: the shape has just been checked
  return body as any;
}

const seen = (type: string, trader: string) =>
  frames.find((frame) => {
    const who = frame.trader as { handle?: string } | string | undefined;
    return frame.type === type && (typeof who === "object" ? who?.handle : who) === trader;
  });

/** A trade is on /ws/trades when its block is seen, and an alert once it is final, with the same ids. */
async function tradeThenAlert(trader: string, buy: () => Promise<unknown>): Promise<void> {
  await buy();
  await eventually(() => seen("trade", trader) !== undefined, `${trader}'s trade is on the stream`);
  expect(seen("alert", trader)).toBeUndefined();
  await settle();
  await eventually(() => seen("alert", trader) !== undefined, `${trader}'s alert comes`);
  const [trade, alert] = [seen("trade", trader), seen("alert", trader)];
  expect({ tradeId: alert?.tradeId, txHash: alert?.txHash }).toEqual({
    tradeId: trade?.tradeId,
    txHash: trade?.txHash,
  });
  expect(frames.indexOf(trade as never)).toBeLessThan(frames.indexOf(alert as never));
  expect(alert?.fillUsd).toBeCloseTo(COIN_USD, 2);
}

/** Every route's answer about it. */
async function answersAgree(): Promise<void> {
  const half = (await market.balanceOf(market.token, String(market.traders[0]))) / 2n;
  await swapOfAlice(0.5, () => market.sellV2(String(market.traders[0]), half));
  await settle();
  await eventually(async () => {
    const { alerts } = await get("listAlerts", "/v2/alerts?trader=alice&type=sell");
    return alerts.length === 1;
  }, "the sale is an alert");
  // A ranking is of a moment up to a minute ago, and the chain's clock runs ahead by a second per block.
  clock.push(5 * MINUTE_MS);
  await eventually(
    async () => {
      const { traders } = await get("getLeaderboard", "/v2/leaderboard/24h");
      return (
        traders.length === 2 &&
        traders.some((row: { handle: string; trades: number }) => row.handle === "alice" && row.trades === 2)
      );
    },
    "both traders are ranked",
    { pollMs: 500 },
  );
  const { traders } = await get("getLeaderboard", "/v2/leaderboard/24h");
  const row = traders.find(({ handle }: { handle: string }) => handle === "alice");
  const trader = await get("getTrader", "/v2/users/alice");
  expect(trader.pnl["24h"]).toBeCloseTo(row.pnlUsd, 0);
  expect(trader.wallets.evm).toBe(alice);
  const { trades } = await get("listTrades", "/v2/users/alice/trades");
  const [position] = trades;
  expect(trades).toHaveLength(1);
  const held = await market.balanceOf(market.token, alice);
  expect(position.amount).toBeCloseTo(Number(held) / 1e18, 9);
  const { holdings } = await get("getBalances", "/v2/users/alice/balances");
  expect(holdings[0].amount).toBe(position.amount);
  const swaps = await get("listSwaps", "/v2/users/alice/swaps");
  expect(swaps.count).toBe(2);
  const token = market.token.address.toLowerCase();
  await eventually(async () => {
    const { holders } = await get("listHolders", `/token/${token}/holders`);
    return holders.length === 1 && Math.abs(holders[0].amount - position.amount) < 1e-9;
  }, "she is among the holders");
  const candles = await get("listCandles", `/v2/token/${token}/candles?networkId=${BASE}&interval=1h`);
  expect(candles.candles.reduce((sum: number, candle: { trades: number }) => sum + candle.trades, 0)).toBe(2);
  const trending = await get("getTrendingTokens", "/v2/leaderboard/tokens/trending");
  expect(trending.tokens.map(({ token: { address } }: { token: { address: string } }) => address)).toContain(
    token,
  );
}

/** A careful client finds every route in the promised forms, and the streams' events in REST. */
async function clientAgrees(): Promise<void> {
  const second = await solana.market.addTrader();
  await market.transfer(String(market.traders[0]), String(market.traders[5]), ETHER / 1_000n);
  await solana.market.transfer(solana.bob, second.address, solana.mint, 5n);
  await settle();
  const kinds = (tape: Tape, type: string) => tape.frames.filter(({ alertType }) => alertType === type);
  await eventually(() => kinds(alerts, "transfer").length === 2, "both transfers are alerts");
  const rows = await client.walk("/v2/alerts?limit=100", {
    rows: "alerts",
    key: ({ seq }: Body) => String(seq),
    check: alertForm,
    by: { parameter: "before", from: "oldestCursor" },
  });
  const sent = alerts.frames.map(({ type: _frame, ...each }) => ({ ...each, type: each.alertType }));
  expect<unknown[]>(rows.toReversed()).toEqual(sent);

  const fills = [...kinds(alerts, "buy"), ...kinds(alerts, "sell")];
  const figures = ({ tradeId, swapId, txHash, chainId, userId, ...rest }: Body) => ({
    tradeId,
    swapId,
    txHash,
    chainId,
    userId,
    amount: rest.amount ?? rest.amountToken,
    usd: rest.fillUsd ?? rest.usdValue,
  });
  const byTrade = (a: Body, b: Body) => String(a.swapId).localeCompare(String(b.swapId));
  expect(fills.map(figures).sort(byTrade)).toEqual(
    trades.frames
      .filter(({ type }) => type === "trade")
      .map(figures)
      .sort(byTrade),
  );

  const book = keepBook(alerts.frames);
  expect(book.tradeIds()).toHaveLength(2);
  for (const tradeId of book.tradeIds()) {
    const detail = await client.get(`/v2/trades/${tradeId}`);
    const now = clock.now();
    expect(book.compare(tradeId, detail, { since: openedAt, until: now })).toEqual([]);
    expect(book.untold(tradeId, detail, openedAt)).toEqual([]);
  }
  await readEverything(client);
  expect(client.complaints).toEqual([]);
}

/** Alice's trades in the pool, and a follower's: right after her, and five seconds after her. */
const copied: { hash: string; atOnce: PoolHolds; later: PoolHolds; share: number | null }[] = [];

async function poolNow(): Promise<PoolHolds> {
  const factory = await contractAt(String(market.factories[0]), "v2-core/build/UniswapV2Factory.json");
  const pair = await view<string>(chain, factory, "getPair", [market.token.address, market.weth.address]);
  const held = async (token: Market["weth"]) => Number(await market.balanceOf(token, pair)) / 1e18;
  return { tokens: await held(market.token), usd: (await held(market.weth)) * COIN_USD };
}

/** A swap by alice, after which someone else trades two seconds later. */
async function swapOfAlice(
  share: number | null,
  swap: () => Promise<string>,
  other?: () => Promise<unknown>,
): Promise<void> {
  const hash = await swap();
  const atOnce = await poolNow();
  if (other) {
    const { timestamp } = await chain.rpc<{ timestamp: string }>("eth_getBlockByNumber", ["latest", false]);
    await chain.rpc("evm_setNextBlockTimestamp", [Number(timestamp) + 2]);
    await other();
  }
  copied.push({ hash, atOnce, later: await poolNow(), share });
}

async function networkFeeUsd(hash: string): Promise<number> {
  const receipt = await chain.rpc<Record<string, string>>("eth_getTransactionReceipt", [hash]);
  return (Number(receipt.gasUsed) * Number(receipt.effectiveGasPrice) * COIN_USD) / 1e18;
}

/**
 * A follower of alice ends up with the result computed by hand from the pool's own reserves, priced by the tape that the
 * tracker read.
 */
async function followerAgrees(): Promise<void> {
  const [own, other] = [String(market.traders[0]), String(market.traders[3])];
  await swapOfAlice(
    null,
    () => market.buyV2(own, ETHER),
    () => market.buyV2(other, 20n * ETHER),
  );
  await settle();
  const all = await market.balanceOf(market.token, own);
  await swapOfAlice(
    1,
    () => market.sellV2(own, all),
    () => market.buyV2(other, 10n * ETHER),
  );
  await settle();
  const copy = () => get("getCopy", "/v2/users/alice/copy?window=24h");
  await eventually(
    async () => {
      // An answer is of a moment up to a minute ago, and is cached for some minutes.
      clock.push(5 * MINUTE_MS);
      const { follower, tape } = await copy();
      return follower.orders === 4 && tape.ticks === 6;
    },
    "her trades are known, and the tape has everybody's",
    { pollMs: 250 },
  );
  const orders = (spendUsd: number, when: "atOnce" | "later"): HandOrder[] =>
    copied.map(({ share, [when]: pool }) => (share === null ? { pool, spendUsd } : { pool, share }));
  const fees = (await Promise.all(copied.map(({ hash }) => networkFeeUsd(hash)))).sort((a, b) => a - b);
  const median = ((fees[1] ?? 0) + (fees[2] ?? 0)) / 2;
  const found = await copy();
  expect(found).toMatchObject({
    coverage: { tape: 1, candle: 0, leader: 0 },
    leaderMovedTokens: 1,
    follower: { orders: 4, roundTrips: 1 },
    verdict: "too_few",
    skipped: [],
  });
  expect(found.bridge.netUsd).toBeCloseTo(followByHand(orders(100, "later"), 0.013, median), 2);

  // As fast as a block: other trades in that block are not visible yet.
  const terms = {
    trader: "alice",
    window: "24h",
    size: { value: 50 },
    delaySeconds: 0,
    costs: { networkFeeUsd: 0.25, botFeeBps: 0 },
  };
  const { id, answer, status, creditsCharged } = await get("createReplay", "/v2/replays", terms);
  expect([status, creditsCharged]).toEqual(["done", ROUTES.createReplay.price.miss]);
  expect(answer.coverage).toEqual({ tape: 1, candle: 0, leader: 0 });
  const net = followByHand(orders(50, "atOnce"), 0.003, 0.25);
  expect(answer.bridge.netUsd).toBeCloseTo(net, 2);
  const listed = await get("listReplayOrders", `/v2/replays/${id}/orders`);
  const sum = listed.orders.reduce((total: number, order: { side: string; usd: number; feeUsd: number }) => {
    return total + (order.side === "sell" ? order.usd : -order.usd) - order.feeUsd;
  }, 0);
  expect(sum).toBeCloseTo(net, 2);
  const hashes = listed.orders.map(({ txHash }: { txHash: string }) => txHash);
  expect(hashes).toEqual(copied.map(({ hash }) => hash));
}

// One story, because its end checks everything that was done in it.
test("trades on both chains become frames and alerts, and leaderboard, trader, trades, balances, holders and candles agree about them, also to a careful client; a replay of one agrees with the pool", async () => {
  await tradeThenAlert("alice", () =>
    swapOfAlice(null, () => market.buyV2(String(market.traders[0]), ETHER)),
  );
  await tradeThenAlert("bob", async () => {
    await solana.buy();
    solana.ledger.produce();
    solana.ledger.confirm();
  });
  expect(seen("alert", "bob")).toMatchObject({ tokenAddress: solana.mint, chain: "solana" });
  await answersAgree();
  await clientAgrees();
  await followerAgrees();
}, 900_000);

test("data that a chain doesn't have is reported as unavailable, for free", async () => {
  const followers = await get("listFollowers", "/v2/users/alice/followers");
  expect(followers).toMatchObject({ available: false, count: 0 });
  expect(await get("getTrader", "/v2/users/alice")).toMatchObject({ followers: null, following: null });
  const graduated = await get("getGraduatedTokens", "/v2/leaderboard/tokens/graduated");
  expect(graduated).toMatchObject({ available: false, count: 0, tokens: [] });
  // Nothing large was traded yet, and that would be known.
  const pushes = await get("listNotifications", "/v2/notifications");
  expect(pushes).toMatchObject({ count: 0, notifications: [] });
  expect(pushes).not.toHaveProperty("available");
});

test("a provider's webhook wakes the wallets it names, and only with the secret", async () => {
  const wake = (header: string, body: unknown) =>
    fetch(`${service.url}/tracker/wake/alchemy`, {
      method: "POST",
      headers: { "x-wake-secret": header, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const activity = {
    event: { activity: [{ fromAddress: alice.toUpperCase().replace("0X", "0x"), toAddress: "0x00" }] },
  };
  expect((await wake("wrong", activity)).status).toBe(401);
  const woken = await wake("a-secret-of-some-length", activity);
  expect(await woken.json()).toEqual({ woken: 1 });
  expect(await (await wake("a-secret-of-some-length", { unknown: true })).json()).toEqual({ woken: 0 });
});
