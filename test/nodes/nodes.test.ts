// The joint guarantees of several nodes, shown on real processes that are killed, cut off and restarted.
import { expect } from "bun:test";
import { startTestTelegram } from "../../bots/telegram/test-telegram.ts";
import { countOf } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { startBots } from "../../service/commands/bots.ts";
import { readConfig } from "../../service/config.ts";
import { createKit } from "../../service/foundation.ts";
import { connect, refusal, type TestClient } from "../../service/streams/test-client.ts";
import { allCharges } from "../support/charges.ts";
import { eventually } from "../support/eventually.ts";
import { needing } from "../support/needing.ts";
import {
  CLUSTER_START_MS,
  type Cluster,
  type ClusterKey,
  compareWithRecord,
  get,
  placesOf,
  startCluster,
  type TestNode,
} from "./cluster.ts";

const { afterAll, beforeAll, test } = needing("postgres", "redis");

const PATIENCE_MS = 900_000;
const SEARCH = "/v2/search?q=a&limit=1";
const SEARCH_CREDITS = 250;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
}, CLUSTER_START_MS);
afterAll(() => cluster.stop(), PATIENCE_MS);

const webSocketOf = (node: TestNode) => node.url.replace("http:", "ws:");
const statusesOf = (answers: Response[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Leaves an account with exactly this many credits, in the books too. */
async function leaveCredits({ accountId }: ClusterKey, credits: number): Promise<void> {
  await cluster.store.database.write(async (tx) => {
    const row = await tx.one<{ n: number }>(
      sql`SELECT monthly_remaining + prepaid_remaining AS n FROM balance WHERE account_id = ${accountId} FOR UPDATE`,
    );
    await tx.run(
      sql`UPDATE balance SET monthly_remaining = ${credits}, prepaid_remaining = 0 WHERE account_id = ${accountId}`,
    );
    await tx.run(sql`INSERT INTO ledger_entry (account_id, kind, credits, resolutions, reference, at)
      VALUES (${accountId}, 'correction', ${credits - (row?.n ?? 0)}, 0, ${`test:${accountId}`}, 0)`);
  });
}

async function creditsOf({ accountId }: ClusterKey): Promise<number> {
  const row = await cluster.store.database.read.one<{ n: number }>(
    sql`SELECT monthly_remaining + prepaid_remaining AS n FROM balance WHERE account_id = ${accountId}`,
  );
  return row?.n ?? Number.NaN;
}

const chargesOf = ({ accountId }: ClusterKey) => allCharges(cluster.store.database.read, accountId);

/**
 * The log's positions for the events that the app feed sent after this one. Events from before the start of the log are stored
 * as history and sent to no one, however late they arrive.
 */
async function alertSeqs(after: number, upTo: number): Promise<number[]> {
  const events = await cluster.store.log.readAfter(after, { limit: 100_000, upTo, feeds: ["app", "push"] });
  return events.filter((event) => !event.isHistory).map((event) => event.seq);
}

/** So that an unreachable node does not cause a busy loop. */
const ASK_EVERY_MS = 25;

/** Sends requests to both nodes without pause until stopped, and records each answer. */
function load(key: ClusterKey) {
  const reported: { status: number; cost: number; requestId: string | null }[] = [];
  let going = true;
  const ask = async (node: TestNode) => {
    while (going) {
      const answer = await get(node, SEARCH, key).catch(() => null);
      if (answer) {
        const cost = Number(answer.headers.get("x-credits-cost"));
        reported.push({ status: answer.status, cost, requestId: answer.headers.get("x-request-id") });
        await answer.text();
      }
      await Bun.sleep(ASK_EVERY_MS);
    }
  };
  const asking = cluster.api.flatMap((node) => [ask(node), ask(node)]);
  return {
    reported,
    async stop() {
      going = false;
      await Promise.all(asking);
      return reported;
    },
  };
}

async function writerOf(): Promise<TestNode> {
  let found: TestNode | undefined;
  await eventually(async () => {
    const writing = await Promise.all(
      cluster.capture.map((node) => node.metric("crowdtape_capture_writing").catch(() => 0)),
    );
    found = cluster.capture.find((_, index) => writing[index] === 1);
    return found !== undefined;
  }, "a node writes the log");
  if (!found) throw new Error("no writer");
  return found;
}

test(
  "the last credits buy exactly their worth, however many requests hit two nodes at once",
  async () => {
    const key = await cluster.makeKey({ plan: "scale" });
    await leaveCredits(key, 100 * SEARCH_CREDITS);
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, n) => get(cluster.api[n % 2 === 0 ? 0 : 1], SEARCH, key)),
    );
    expect(statusesOf(answers)).toEqual({ 200: 100, 402: 400 });
    expect(await creditsOf(key)).toBe(0);
    const paid = answers
      .filter((answer) => answer.status === 200)
      .map((answer) => answer.headers.get("x-request-id"));
    expect((await chargesOf(key)).map((charge) => charge.requestId).sort()).toEqual(paid.map(String).sort());
    expect(await cluster.access.imbalances()).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  "one node's charge is immediately in the other one's balance",
  async () => {
    const key = await cluster.makeKey({ plan: "scale" });
    const [first, second] = cluster.api;
    const reported = async (node: TestNode) => {
      const answer = await get(node, "/v2/me", key);
      const { credits } = (await answer.json()) as { credits: { remaining: number } };
      expect(Number(answer.headers.get("x-credits-remaining"))).toBe(credits.remaining);
      return credits.remaining;
    };
    // Both have handled the account, so that both have something cached.
    let left = await reported(first);
    expect(await reported(second)).toBe(left);
    for (let n = 0; n < 10; n++) {
      const [charging, other] = n % 2 === 0 ? [first, second] : [second, first];
      expect((await get(charging, SEARCH, key)).status).toBe(200);
      left -= SEARCH_CREDITS;
      expect(await reported(other)).toBe(left);
    }
    expect(await creditsOf(key)).toBe(left);
  },
  PATIENCE_MS,
);

test(
  "a batch that a proxy sends to both nodes runs on one of them, and is charged once",
  async () => {
    const key = await cluster.makeKey({ plan: "scale" });
    const body = JSON.stringify({ requests: Array.from({ length: 10 }, () => ({ path: SEARCH })) });
    const send = (node: TestNode, idempotencyKey: string) =>
      fetch(`${node.url}/v2/batch`, {
        method: "POST",
        keepalive: false,
        headers: {
          authorization: `Bearer ${key.secret}`,
          "content-type": "application/json",
          "idempotency-key": idempotencyKey,
        },
        body,
      });
    for (let n = 0; n < 5; n++) {
      const before = await creditsOf(key);
      const answers = await Promise.all(cluster.api.map((node) => send(node, `batch-${n}`)));
      expect(answers.map(({ status }) => status).filter((status) => status !== 409)).toContain(200);
      const texts = await Promise.all(answers.filter(({ ok }) => ok).map((answer) => answer.text()));
      const again = await Promise.all(cluster.api.map((node) => send(node, `batch-${n}`)));
      for (const answer of again) {
        expect([answer.status, answer.headers.get("x-credits-cost")]).toEqual([200, "0"]);
        texts.push(await answer.text());
      }
      expect(new Set(texts).size).toBe(1);
      expect(before - (await creditsOf(key))).toBe(10 * SEARCH_CREDITS);
    }
    expect(await cluster.access.imbalances()).toEqual([]);
  },
  PATIENCE_MS,
);

/** The result of the work while Redis answered both nodes in time; a node that gets no answer counts locally. */
async function whileShared<T>(work: () => Promise<T>): Promise<T> {
  const key = await cluster.makeKey({ plan: "free" });
  const timesAlone = () => cluster.api.map((node) => node.output().split("are local to this node").length);
  const isShared = async (node: (typeof cluster.api)[number]) => {
    await get(node, "/v2/me", key);
    return (await node.metric("crowdtape_rate_degraded")) === 0;
  };
  for (;;) {
    for (const node of cluster.api) await eventually(() => isShared(node), "the limits are shared");
    const before = timesAlone();
    const found = await work();
    if (Bun.deepEquals(before, timesAlone())) return found;
  }
}

test(
  "a minute's requests are counted across all nodes, exactly, and so are sockets",
  async () => {
    const lanes = await whileShared(async () => {
      const key = await cluster.makeKey({ plan: "free", requestsPerMinute: 30 });
      // No more concurrent ones than a caller may have open, so that only the rate refuses.
      return Promise.all(
        Array.from({ length: 4 }, async (_, lane) => {
          const reported: Response[] = [];
          while (reported.length < 15)
            reported.push(await get(cluster.api[lane % 2 === 0 ? 0 : 1], "/v2/me", key));
          return reported;
        }),
      );
    });
    expect(statusesOf(lanes.flat())).toEqual({ 200: 30, 429: 30 });

    const refused = await whileShared(async () => {
      const query = { key: (await cluster.makeKey({ plan: "free" })).secret };
      const open = await Promise.all(
        cluster.api.map((node) => connect(webSocketOf(node), "/ws/alerts", query)),
      );
      const statuses: number[] = [];
      for (const { url } of cluster.api) statuses.push((await refusal(url, "/ws/alerts", query)).status);
      await Promise.all(open.map((socket) => socket.close()));
      return statuses;
    });
    expect(refused).toEqual([429, 429]);
  },
  PATIENCE_MS,
);

test(
  "a revoked key is refused on every node, and its sockets close",
  async () => {
    const key = await cluster.makeKey({ plan: "growth" });
    for (const node of cluster.api) expect((await get(node, "/v2/me", key)).status).toBe(200);
    const sockets = await Promise.all(
      cluster.api.map((node) => connect(webSocketOf(node), "/ws/alerts", { key: key.secret })),
    );
    expect(await cluster.crowdtape("key", "revoke", key.id)).toMatchObject({ code: 0 });
    await eventually(async () => {
      const answers = await Promise.all(cluster.api.map((node) => get(node, "/v2/me", key)));
      return answers.every((answer) => answer.status === 401);
    }, "both nodes refuse the key");
    expect((await Promise.all(sockets.map((socket) => socket.closed))).map((end) => end.code)).toEqual([
      4001, 4001,
    ]);
  },
  PATIENCE_MS,
);

test(
  "a socket whose node is killed continues at another with nothing missing or repeated",
  async () => {
    const key = await cluster.makeKey({ plan: "growth" });
    const query = { key: key.secret };
    const first = await connect(webSocketOf(cluster.api[0]), "/ws/alerts", query);
    await first.until(() => first.seqs().length >= 20, "some alerts");
    await cluster.api[0].end("SIGKILL");
    await first.closed;
    const before = first.seqs();
    const last = before.at(-1) ?? 0;
    const { epoch, seq: began } = await first.first("welcome");
    await eventually(
      async () => (await alertSeqs(last, Number.MAX_SAFE_INTEGER)).length > 10,
      "the log moved on",
    );
    const second = await connect(webSocketOf(cluster.api[1]), "/ws/alerts", {
      ...query,
      resume: `${epoch}.${last}`,
    });
    expect(await second.first("resumed")).toMatchObject({ complete: true });
    const replayed = second.seqs().length;
    await second.until(() => second.seqs().length >= replayed + 20, "live alerts after the replay");
    const heard = [...before, ...second.seqs()];
    await second.close();
    expect(heard).toEqual(await alertSeqs(began, heard.at(-1) ?? 0));
    await cluster.api[0].start();
  },
  PATIENCE_MS,
);

test(
  "the Telegram bot runs on one node, and when that stops another continues every chat where it was",
  async () => {
    const telegram = startTestTelegram(Date.now);
    const { secret } = await cluster.makeKey();
    const config = readConfig({
      DATABASE_URL: cluster.shared.DATABASE_URL,
      BOT_TELEGRAM_TOKEN: telegram.token,
      BOT_TELEGRAM_API: telegram.url,
    });
    const kit = createKit({ logLevel: "silent" });
    const run = ({ url }: TestNode) =>
      startBots({ ...kit, config, store: cluster.store, source: { server: url, key: secret } });
    const asked = (name: string) => telegram.methods.filter((method) => method === name).length;
    const said = (words: string) =>
      eventually(() => telegram.sent.some(({ text }) => text.includes(words)), `the chat reads ${words}`);
    const first = run(cluster.api[0]);
    telegram.write(1, "/follow all sells 1234567");
    await said("Following");
    const second = run(cluster.api[1]);
    telegram.write(1, "/top");
    await said("1. ");
    expect(asked("getMe")).toBe(1);
    await first.stop();
    telegram.write(1, "/list");
    await said("This chat follows");
    expect(telegram.sent.at(-1)?.text).toContain("1,234,567");
    expect(asked("getMe")).toBe(2);
    await second.stop();
    // Requesting updates confirms earlier ones, so a bot that kept running would have requested some at once.
    const polls = asked("getUpdates");
    telegram.write(1, "/list");
    expect([asked("getUpdates"), await cluster.store.leases.current("bot telegram")]).toMatchObject([
      polls,
      { expiresAt: 0 },
    ]);
    await telegram.stop();
  },
  PATIENCE_MS,
);

test(
  "when the writer is killed a standby continues, and the log matches the platform's record",
  async () => {
    await eventually(async () => (await placesOf(cluster.store)).app > 0, "capture has begun");
    const since = await placesOf(cluster.store);
    const writer = await writerOf();
    const standby = cluster.capture.find((node) => node !== writer) as TestNode;
    await writer.end("SIGKILL");
    const { seq } = await cluster.store.log.head();
    await eventually(async () => (await cluster.store.log.head()).seq > seq + 20, "the standby writes");
    const isWriting = (node: TestNode) => node.metric("crowdtape_capture_writing");
    await eventually(async () => (await isWriting(standby)) === 1, "it says so");
    await eventually(() => standby.isReady(), "the standby is ready");
    const compared = await compareWithRecord(cluster, since);
    expect(compared).toMatchObject({ missing: [], twice: [], holes: 0 });
    expect(compared.recorded).toBeGreaterThan(20);
    await writer.start();
    // It may take over again if the standby is late; there is still one writer.
    await eventually(async () => (await isWriting(writer)) + (await isWriting(standby)) === 1, "one writes");
  },
  PATIENCE_MS,
);

test(
  "Redis killed and wiped under load costs no event, no credit and no answer",
  async () => {
    const key = await cluster.makeKey({ plan: "scale" });
    const other = await cluster.makeKey({ plan: "growth" });
    const socket = await connect(webSocketOf(cluster.api[1]), "/ws/alerts", { key: other.secret });
    const { seq: began } = await socket.first("welcome");
    const loading = load(key);
    await eventually(() => loading.reported.length > 50, "load");

    await cluster.redis.kill();
    await eventually(async () => {
      const [bus, rate] = await Promise.all([
        cluster.api[1].metric("crowdtape_bus_degraded"),
        cluster.api[1].metric("crowdtape_rate_degraded"),
      ]);
      return bus === 1 && rate === 1;
    }, "the nodes say that they are degraded");
    const heard = socket.seqs().length;
    await socket.until(() => socket.seqs().length > heard + 20, "alerts without Redis");
    expect(await cluster.crowdtape("key", "revoke", other.id)).toMatchObject({ code: 0 });
    expect((await socket.closed).code).toBe(4001);

    await cluster.redis.start();
    const joined = () => cluster.api[1].metric("crowdtape_bus_degraded").then((degraded) => degraded === 0);
    await eventually(joined, "the nodes hear each other again");
    await cluster.redis.wipe();
    const third = await cluster.makeKey({ plan: "growth" });
    const again: TestClient = await connect(webSocketOf(cluster.api[0]), "/ws/alerts", { key: third.secret });
    await again.until(() => again.seqs().length >= 20, "alerts after the wipe");
    const { seq: beganAgain } = await again.first("welcome");
    await again.close();

    const reported = await loading.stop();
    expect(reported.filter((one) => one.status !== 200)).toEqual([]);
    expect((await chargesOf(key)).length).toBe(reported.length);
    expect(await cluster.access.imbalances()).toEqual([]);
    expect(socket.seqs()).toEqual(await alertSeqs(began, socket.seqs().at(-1) ?? 0));
    expect(again.seqs()).toEqual(await alertSeqs(beganAgain, again.seqs().at(-1) ?? 0));
  },
  PATIENCE_MS,
);

test("PostgreSQL restarted, then down for long under load: free 503s, and automatic recovery", async () => {
  const key = await cluster.makeKey({ plan: "scale" });
  const since = await placesOf(cluster.store);
  const socket = await connect(webSocketOf(cluster.api[0]), "/ws/alerts", { key: key.secret });
  const { seq: began } = await socket.first("welcome");
  const loading = load(key);
  await eventually(() => loading.reported.length > 50, "load");
  await cluster.postgres.restart("immediate");
  const answersAgain = async (what: string) => {
    const before = loading.reported.length;
    await eventually(
      () => loading.reported.slice(before).filter((one) => one.status === 200).length > 20,
      `answers after ${what}`,
    );
  };
  await answersAgain("a restart");
  const { read } = cluster.store.database;
  await cluster.postgres.holdConfirmations();
  await eventually(
    async () =>
      (await countOf(
        read,
        sql`FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%UPDATE balance%'`,
      )) > 0,
    "a stored charge is not confirmed",
  );
  await cluster.postgres.restart("immediate", 20_000);
  await answersAgain("a long time away");
  await eventually(
    async () => (await Promise.all(cluster.api.map((node) => node.isReady()))).every(Boolean),
    "every node is ready again",
  );
  const reported = await loading.stop();

  expect([...new Set(reported.map((one) => one.status))].sort()).toEqual([200, 503]);
  expect(reported.filter((one) => one.status === 503 && one.cost !== 0)).toEqual([]);
  const paid = reported.filter((one) => one.status === 200).map((one) => String(one.requestId));
  // A stored charge of a 503 is reversed, possibly a little later than the answer.
  await eventually(
    async () => Bun.deepEquals((await chargesOf(key)).map((row) => row.requestId).sort(), paid.toSorted()),
    "each answer has its charge and nothing else has one",
  );
  const reversals = await countOf(
    read,
    sql`FROM ledger_entry WHERE account_id = ${key.accountId} AND kind = 'reversal'`,
  );
  expect(reversals).toBeGreaterThan(0);
  expect(await cluster.access.imbalances()).toEqual([]);
  const { seq } = await cluster.store.log.head();
  await eventually(async () => (await cluster.store.log.head()).seq > seq + 20, "capture continues");
  expect(await compareWithRecord(cluster, since)).toMatchObject({ missing: [], twice: [], holes: 0 });
  // A socket that was open all the time missed nothing.
  await socket.until(() => (socket.seqs().at(-1) ?? 0) > seq, "alerts continue");
  await socket.close();
  expect(socket.seqs()).toEqual(await alertSeqs(began, socket.seqs().at(-1) ?? 0));
}, 900_000);
