// The client against a whole service: every operation's answer matches its type, every walk ends, streams and REST number
// events alike, and the client's count of credits is what the service charged.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { filledExample } from "../../contract/examples.ts";
import { ALL_ROUTES } from "../../contract/routes.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import { eventually } from "../../test/support/eventually.ts";
import { closeEveryDay } from "../../test/support/history.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../../test/support/live-service.ts";
import { ApiError, type Crowdtape, createClient, PlanRequired, receiptOf } from "./index.ts";

/** Speed is not tested here: a busy machine takes its time. */
const RUN_MS_MAX = 900_000;

let live: LiveService;
let client: Crowdtape;
let values: Record<string, string>;
/** Earlier events that arrive late are history: in the log, and no news on a socket. */
let startedAt: number;

beforeAll(async () => {
  live = await startLiveService({
    seed: "client",
    traders: 40,
    historyDays: 2,
    eventsPerSecond: 10,
    keepsHistory: true,
  });
  await live.captured();
  startedAt = live.clock.now();
  client = createClient({ server: live.url, key: live.keys.scale.secret });
  const { traders } = await client.getLeaderboard({ window: "7d", limit: 20 });
  const { tokens } = await client.getTrendingTokens({ limit: 1 });
  // A trader whose wallets are not resolved yet costs nothing.
  const trader = traders.find(({ wallets }) => (wallets.solana ?? wallets.evm) !== null);
  const trades = await client.listTrades({ handle: String(trader?.handle), cursor: "start" });
  const { keys } = await client.listKeys();
  const payment = await client.createPayment({ plan: "credits", amount: 5 });
  values = {
    handle: String(trader?.handle),
    userId: String(trader?.userId),
    tradeId: String(trades.trades.find(({ tradeId }) => tradeId)?.tradeId),
    tokenAddress: String(tokens[0]?.token.address),
    symbol: String(tokens[0]?.token.symbol),
    keyId: String(keys[0]?.id),
    paymentId: payment.paymentId,
    webhookId: (await client.createWebhook({ url: "https://hooks.example/a" })).id,
    replayId: (await client.createReplay({ trader: String(trader?.handle), window: "24h" })).id,
    historyDate: await closeEveryDay(live),
    followId: (await client.createFollow({ trader: String(trader?.handle) })).id,
  };
}, RUN_MS_MAX);
afterEach(() => live.clock.release());
afterAll(() => live.stop(), START_MS_MAX);

const exampleOf = (route: (typeof ALL_ROUTES)[number]) => {
  const { params, query, body } = filledExample(route, values);
  return { ...params, ...query, ...body } as never;
};

test(
  "each read of the contract's examples has an answer that fits its schema, and a receipt",
  async () => {
    const before = await live.remaining();
    const other = createClient({ server: live.url, key: live.keys.scale.secret });
    for (const route of ALL_ROUTES) {
      if (route.method !== "GET") continue;
      const answer = await other[route.id as "getTrader"](exampleOf(route));
      const read = route.answer.safeParse(answer);
      expect([route.id, read.error?.issues]).toEqual([route.id, undefined]);
      expect(receiptOf(answer)?.requestId).toStartWith("req_");
    }
    expect(other.credits.spent).toBe(before - (await live.remaining()));
    expect(other.credits.spent).toBeGreaterThan(10_000);
  },
  RUN_MS_MAX,
);

test("a batch answers like its calls, and costs the same", async () => {
  const other = createClient({ server: live.url, key: live.keys.scale.secret, maxCredits: 10_000 });
  // Past the board's caching time, so that both read the current one, however late the second is.
  live.clock.push(3 * MINUTE_MS);
  const pushedTo = live.clock.now();
  await eventually(async () => {
    const { asOf } = await client.getLeaderboard({ window: "24h", limit: 1 });
    return Date.parse(String(asOf)) > pushedTo - MINUTE_MS;
  }, "the platform has come to the present");
  live.clock.hold();
  const before = await live.remaining();
  const { responses } = await other.batch({
    requests: [
      { id: "board", path: "/v2/leaderboard/7d?limit=5" },
      { path: `/v2/users/${encodeURIComponent(String(values.handle))}` },
      { path: "/v2/users/nobody_of_that_name/balances" },
    ],
  });
  expect(responses.map(({ id, status }) => [id, status])).toEqual([
    ["board", 200],
    [null, 200],
    [null, 404],
  ]);
  expect([other.credits.spent, before - (await live.remaining())]).toEqual([3_000, 3_000]);
  expect(responses[0]?.body).toEqual((await client.getLeaderboard({ window: "7d", limit: 5 })) as never);
});

test("usage comes as CSV on request", async () => {
  const text: string = await client.getUsage({ format: "csv", groupBy: "route" });
  expect(text.split("\n")[0]).toContain(",");
});

test(
  "every walk of the contract ends, and repeats no row",
  async () => {
    const walks = Object.keys(client.rows) as (keyof Crowdtape["rows"])[];
    expect(walks).toContain("listSwaps");
    // A ranking moves while it is walked, so the clock is held.
    live.clock.hold();
    for (const id of walks) {
      const route = ALL_ROUTES.find((each) => each.id === id);
      if (!route) throw new Error(id);
      const { cursor: _, ...input } = exampleOf(route) as Record<string, string>;
      // Small pages if the size can be chosen.
      const limit = "limit" in route.query.shape ? { limit: "20" } : {};
      const seen = new Set<string>();
      let count = 0;
      for await (const row of client.rows[id]({ ...input, ...limit } as never) as AsyncIterable<object>) {
        // Figures may change between two pages; the fields that identify a row do not.
        const {
          id: own,
          swapId,
          tradeId,
          messageId,
          attempt,
          at,
          t,
          seq,
          index,
          token,
          userId,
        } = row as Record<string, unknown>;
        const delivery = messageId && [messageId, attempt, at].join();
        seen.add(
          JSON.stringify([own ?? delivery ?? swapId ?? tradeId ?? seq ?? index ?? t ?? token ?? userId]),
        );
        count += 1;
        if (count >= 400) break;
      }
      // Its cursor is a place in a ranking, which late fills still change.
      if (id !== "listTokenActivity") expect([id, count - seen.size]).toEqual([id, 0]);
    }
  },
  RUN_MS_MAX,
);

test("alerts since a time and then live are one sequence of events, each once, as REST has them", async () => {
  const since = new Date(startedAt).toISOString();
  const seqs: number[] = [];
  let liveOnes = 0;
  for await (const item of client.alerts({ since, fillMax: 100_000 })) {
    if (item.type !== "alert") throw new Error("a gap");
    if (item.ts >= startedAt) seqs.push(item.seq);
    if (!item.replay) liveOnes += 1;
    if (liveOnes >= 10) break;
  }
  const rest: number[] = [];
  for await (const { seq, ts } of client.rows.listAlerts({ since, limit: 100 })) {
    if (ts >= startedAt && seq <= Number(seqs.at(-1)) && seq >= Number(seqs[0])) rest.unshift(seq);
  }
  expect(seqs).toEqual(rest);
});

test("a stream continues where one in another process left off", async () => {
  let position: Parameters<Crowdtape["alerts"]>[0] = {};
  const seqs: number[] = [];
  for (let round = 0; round < 3; round++) {
    const stream = client.alerts({ ...position, type: ["buy", "sell"] });
    let count = 0;
    for await (const item of stream) {
      if (item.type === "alert" && item.ts >= startedAt) seqs.push(item.seq);
      count += 1;
      if (count < 5) continue;
      await stream.done();
      break;
    }
    if (stream.position) position = { resume: stream.position };
  }
  const first = Number(seqs[0]);
  const rest: number[] = [];
  for await (const row of client.rows.listAlerts({ limit: 100 })) {
    if (row.seq < first) break;
    const isTrade = row.type === "buy" || row.type === "sell";
    if (isTrade && row.ts >= startedAt && row.seq <= Number(seqs.at(-1))) rest.unshift(row.seq);
  }
  expect(seqs).toEqual(rest);
});

test("on-chain trades come with a plan that includes them, and are refused with a reason otherwise", async () => {
  for await (const item of client.trades({ side: "buy" })) {
    // A re-org may undo an earlier trade.
    if (item.type === "retract") continue;
    expect(item).toMatchObject({ type: "trade", side: "buy", source: "onchain" });
    break;
  }
  const free = createClient({ server: live.url, key: live.keys.free.secret });
  const stream = await Array.fromAsync(free.trades()).catch((each) => each);
  expect(stream.message).toContain("does not include the on-chain stream");
  const candles = await free.listCandles({ address: String(values.tokenAddress) }).catch((each) => each);
  expect(candles).toBeInstanceOf(PlanRequired);
  expect(candles).toBeInstanceOf(ApiError);
});
