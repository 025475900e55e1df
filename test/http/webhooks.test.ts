// Webhooks over the served interface: a live world's alerts arrive at an endpoint as in /v2/alerts, charged like reads of it.
import { afterAll, beforeAll, expect, setSystemTime, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { WEBHOOK_CHARGE } from "../../contract/webhooks.ts";
import { eventually } from "../support/eventually.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../support/live-service.ts";

let live: LiveService;
let endpoint: Bun.Server<undefined>;
const received: { headers: Record<string, string>; body: string }[] = [];

beforeAll(async () => {
  live = await startLiveService({
    seed: "hooks",
    traders: 60,
    historyDays: 1,
    eventsPerSecond: 20,
    webhookTargets: "any",
  });
  endpoint = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      received.push({ headers: Object.fromEntries(request.headers), body: await request.text() });
      return new Response(null, { status: 204 });
    },
  });
}, START_MS_MAX);
afterAll(async () => {
  await endpoint?.stop(true);
  await live?.stop();
}, START_MS_MAX);

const post = (path: string, body: unknown = {}, headers: Record<string, string> = {}) => ({
  path,
  asked: { method: "POST", body, headers },
});

test("a live world's alerts arrive in order, verified, as in the feed, and appear in the account's usage", async () => {
  const url = `http://127.0.0.1:${endpoint.port}/in`;
  const { path, asked } = post("/v2/webhooks", { url, type: "buy,sell" }, { "idempotency-key": "once" });
  const made = await live.get("createWebhook", path, asked);
  expect(made.body.filters).toEqual({ type: "buy,sell" });
  // A repeated call is the same webhook with the same secret, not a second one.
  expect((await live.get("createWebhook", path, asked)).body).toEqual(made.body);
  await eventually(() => received.length >= 30, "alerts arrive");
  const library = new Webhook(made.body.secret);
  const seqs = received.map(({ headers, body }) => {
    // It refuses messages that are too old by the process's own clock.
    setSystemTime(live.clock.now());
    library.verify(body, headers);
    setSystemTime();
    return Number(JSON.parse(body).data.alerts[0].seq);
  });
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  // Events from before the start of the log are not news.
  const beganAt = await live.service.store.log.beganAt();
  const news: unknown[] = [];
  for (let cursor: string | null = made.body.position; cursor !== null && news.length < 30; ) {
    const path: string = `/v2/alerts?type=buy,sell&order=asc&limit=100&cursor=${cursor}`;
    const { body: page } = await live.get("listAlerts", path);
    news.push(...page.alerts.filter(({ ts }) => ts >= beganAt));
    cursor = page.hasMore ? page.nextCursor : null;
  }
  const arrived = received.map(({ body }) => JSON.parse(body).data.alerts[0]);
  expect(arrived.slice(0, 30)).toEqual(news.slice(0, 30));
  await eventually(async () => {
    const usage = await live.get("getUsage", "/v2/usage?groupBy=route");
    const row = usage.body.rows.find(({ group }) => group === WEBHOOK_CHARGE);
    return row !== undefined && row.credits === row.calls * 125;
  }, "usage has the deliveries");
  const one = `/v2/webhooks/${made.body.id}`;
  const shown = await live.get("getWebhook", one);
  expect(JSON.stringify(shown.body)).not.toContain("whsec_");
  await live.get("deleteWebhook", one, { method: "DELETE" });
  expect((await live.refused(one)).status).toBe(404);
  const { log } = live.service.store;
  await eventually(async () => {
    const before = received.length;
    const { seq } = await log.head();
    await eventually(async () => (await log.head()).seq > seq + 20, "more happens");
    return received.length === before;
  }, "what happens is no longer delivered");
}, 900_000);

test("an unknown trader is 404 unknown_filter, a private address 400 outside tests, and neither is kept", async () => {
  const url = `http://127.0.0.1:${endpoint.port}/in`;
  const unknown = post("/v2/webhooks", { url, trader: "unknown_handle" });
  const refused = await live.refused(unknown.path, unknown.asked);
  expect([refused.status, refused.body.error, refused.body.param]).toEqual([404, "unknown_filter", "trader"]);
  const secret = post("/v2/webhooks", { url: "http://user:whsec_secret@127.0.0.1/" });
  const reported = await live.refused(secret.path, secret.asked);
  expect(reported.status).toBe(400);
  expect(JSON.stringify(reported.body)).not.toContain("whsec_secret");
  expect((await live.get("listWebhooks", "/v2/webhooks")).body.count).toBe(0);
});
