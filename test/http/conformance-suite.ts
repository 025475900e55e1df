// The contract, route by route, against a live service: whatever is requested, the answer is one that the contract declares.
// `SEED=… bun test test/http/conformance.test.ts` replays a run; RUNS=… makes it longer.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { examplePath, filledExample } from "../../contract/examples.ts";
import { type AnyRoute, pathNames } from "../../contract/route.ts";
import { ALL_ROUTES } from "../../contract/routes.ts";
import { seededRandom } from "../../kit/random.ts";
import { fillCopyBoard } from "../support/copy-board.ts";
import { closeEveryDay } from "../support/history.ts";
import { type LiveService, type MadeKey, START_MS_MAX } from "../support/live-service.ts";
import { contractRefusal, expectConforming } from "./conform.ts";
import { type Known, type MadeRequest, pathOf, requestsOf } from "./generate.ts";

const seed = Number(Bun.env.SEED ?? crypto.getRandomValues(new Uint32Array(1))[0]) | 0;
/** Per route. */
const RUNS = 15;
/** A run may be long; its duration is not what is being tested. */
const RUN_MS_MAX = 900_000;

export function conformance(store: string, begin: () => Promise<LiveService>, runs = RUNS): void {
  let live: LiveService;
  let known: Known;
  let placeholders: Record<string, string>;

  beforeAll(async () => {
    live = await begin();
    await live.captured();
    known = await learn();
    await fillCopyBoard(live, known.handles.slice(0, 2));
    placeholders = {
      handle: String(known.handles[0]),
      userId: String(known.userIds[0]),
      tradeId: String(known.tradeIds[0]),
      tokenAddress: String(known.addresses[0]),
      symbol: String(known.symbols[0]),
      keyId: "key_unknown",
      paymentId: "pay_unknown",
      webhookId: "whk_unknown",
      replayId: "rpl_unknown",
      historyDate: await closeEveryDay(live),
      followId: "flw_unknown",
    };
  }, START_MS_MAX);
  afterAll(() => live.stop(), START_MS_MAX);

  /** Explores the world as any client would. */
  async function learn(): Promise<Known> {
    const board = await live.get("getLeaderboard", "/v2/leaderboard/7d?limit=20");
    const trending = await live.get("getTrendingTokens", "/v2/leaderboard/tokens/trending?limit=20");
    const alerts = await live.get("listAlerts", "/v2/alerts?limit=50");
    const theses = await live.get("listTheses", "/v2/thesis?limit=2");
    const first = board.body.traders[0];
    const walks = [
      await live.get("listTrades", `/v2/users/${first?.handle}/trades?limit=2&cursor=start`),
      await live.get("listSwaps", `/v2/users/${first?.handle}/swaps?limit=2`),
      theses,
      await live.get("listPositions", `/v2/users/${first?.handle}/positions?limit=1&sort=pnl`),
      await live.get("listTokenActivity", "/v2/tokens/activity?window=24h&limit=1"),
      alerts,
    ];
    const texts = (values: (string | null)[]) => [...new Set(values.filter((text) => text !== null))];
    return {
      // Traders with theses come first: the examples request both.
      handles: [...theses.body.theses, ...board.body.traders].map((row) => row.handle),
      userIds: [...theses.body.theses, ...board.body.traders].map((row) => row.userId),
      tradeIds: texts(alerts.body.alerts.map((alert) => alert.tradeId)),
      addresses: [...theses.body.theses, ...trending.body.tokens].map((row) => row.token.address),
      symbols: trending.body.tokens.map((row) => row.token.symbol),
      keyIds: [],
      paymentIds: [],
      webhookIds: [],
      replayIds: [],
      followIds: [],
      cursors: texts(walks.map((walk) => walk.body.nextCursor)),
      now: live.clock.now(),
    };
  }

  /** A separate key for a route, with another key next to it that the route may change. */
  async function ownKey(): Promise<{ key: MadeKey; spareId: string }> {
    const key = await live.makeKey({ plan: "scale", requestsPerMinute: null });
    const spare = await live.service.access.keys.create({ accountId: key.accountId, name: "spare" });
    return { key, spareId: spare.key.id };
  }

  describe(`any request is answered as the contract declares, on ${store} (SEED=${seed})`, () => {
    for (const route of ALL_ROUTES) {
      test(
        `${route.id}: ${route.method} ${route.path}`,
        async () => {
          const { key, spareId } = await ownKey();
          const random = seededRandom(seed, route.id);
          let remaining = await live.remaining(key);
          const tally = { hits: 0, refusals: 0 };
          const check = async (made: MadeRequest) => {
            const spelled = [route.path, ...route.aliases];
            const path = pathOf(random.pick(spelled), made);
            if (path === null) return;
            const answered = await live.ask(path, {
              key,
              method: route.method,
              headers: { "accept-encoding": random.pick(["gzip", "identity"]) },
              ...(route.body ? { body: JSON.stringify(made.body ?? null) } : {}),
            });
            expectConforming(route, answered, true);
            const refusal = contractRefusal(route, { ...made, body: made.body ?? null });
            if (refusal) expect(answered.status).toBe(refusal.status);
            if (refusal) expect((answered.body as { error: string }).error).toBe(refusal.code);
            const left = Number(answered.headers.get("x-credits-remaining"));
            expect(remaining - left).toBe(answered.cost);
            remaining = left;
            if (answered.status < 400) tally.hits++;
            else tally.refusals++;
          };
          const paymentId = await paymentOf(key);
          const webhookId = await webhookOf(key);
          const replayId = await replayOf(key);
          const followId = await followOf(key);
          remaining = await live.remaining(key);
          const here = {
            ...known,
            keyIds: [spareId],
            paymentIds: [paymentId],
            webhookIds: [webhookId],
            replayIds: [replayId],
            followIds: [followId],
          };
          // The example comes first: a run that never got past validation would prove nothing.
          const { params, query, body } = filledExample(route, {
            ...placeholders,
            keyId: spareId,
            paymentId,
            webhookId,
            replayId,
            followId,
          });
          await fc.assert(fc.asyncProperty(requestsOf(route, here), check), {
            seed,
            numRuns: Number(Bun.env.RUNS ?? runs),
            examples: [[{ params, query: Object.entries(query), body }]],
          });
          expect(await live.remaining(key)).toBe(remaining);
          expect(tally.hits).toBeGreaterThan(0);
        },
        RUN_MS_MAX,
      );
    }
  });

  describe("the example of every route works on a real world", () => {
    for (const route of ALL_ROUTES) {
      test(route.id, async () => {
        const { key, spareId } = await ownKey();
        const made = {
          paymentId: await paymentOf(key),
          webhookId: await webhookOf(key),
          replayId: await replayOf(key),
          followId: await followOf(key),
        };
        const values = { ...placeholders, keyId: spareId, ...made };
        const { body } = filledExample(route, values);
        const before = await live.remaining(key);
        const answered = await live.ask(examplePath(route, values), {
          key,
          method: route.method,
          ...(route.body ? { body: body ?? {} } : {}),
        });
        expect(answered.status).toBe(route.status);
        expectConforming(route, answered, true);
        expect(before - (await live.remaining(key))).toBe(answered.cost);
        expect([0, route.price.miss]).toContain(answered.cost % Math.max(1, route.price.credits));
      });
    }
  });

  async function paymentOf(key: MadeKey): Promise<string> {
    const body = { plan: "credits", amount: 5 };
    return (await live.get("createPayment", "/pay/create", { key, method: "POST", body })).body.paymentId;
  }

  async function replayOf(key: MadeKey): Promise<string> {
    const body = { trader: known.handles[0], window: "24h" };
    return (await live.get("createReplay", "/v2/replays", { key, method: "POST", body })).body.id;
  }

  async function followOf(key: MadeKey): Promise<string> {
    const body = { trader: known.handles[0] };
    return (await live.get("createFollow", "/v2/follows", { key, method: "POST", body })).body.id;
  }

  async function webhookOf(key: MadeKey): Promise<string> {
    const body = { url: "https://hooks.example/a" };
    return (await live.get("createWebhook", "/v2/webhooks", { key, method: "POST", body })).body.id;
  }

  describe("refusals that apply to every route", () => {
    const send = (route: AnyRoute, change: string, key: MadeKey | null = live.keys.scale) =>
      live.ask(`${examplePath(route, placeholders).split("?")[0]}${change}`, {
        key,
        method: route.method,
        ...(route.body ? { body: route.example.body ?? {} } : {}),
      });

    test.each(ALL_ROUTES.map((route) => [route.id, route] as const))(
      "%s refuses a parameter it does not have, free",
      async (_id, route) => {
        const answered = await send(route, "?surprise=1");
        expect(answered.status).toBe(400);
        expect(answered.body).toMatchObject({ error: "invalid_parameter", param: "surprise" });
        expect(answered.cost).toBe(0);
      },
    );

    test("a parameter given twice is refused, whichever it is", async () => {
      for (const route of ALL_ROUTES) {
        for (const name of Object.keys(route.query.shape)) {
          const answered = await send(route, `?${name}=1&${name}=1`);
          expect([route.id, name, answered.status, answered.cost]).toEqual([route.id, name, 400, 0]);
        }
      }
    });

    test("a limit out of its range is refused, not clamped", async () => {
      for (const route of ALL_ROUTES) {
        const limit = (route.query.shape as Record<string, unknown>).limit;
        if (limit === undefined) continue;
        for (const text of ["0", "-1", "1001", "2.5", "ten", ""]) {
          const q = "q" in route.query.shape ? "q=a&" : "";
          const answered = await send(route, `?${q}limit=${text}`);
          expect([route.id, text, answered.status]).toEqual([route.id, text, 400]);
          expect(answered.body).toMatchObject({ error: "invalid_parameter", param: "limit" });
        }
      }
    });

    test("without a key only keyless routes answer; all others return a 401 in the same shape", async () => {
      for (const route of ALL_ROUTES) {
        const answered = await live.ask(examplePath(route, placeholders), {
          key: null,
          method: route.method,
        });
        const open = route.access === "open" || route.access === "keyless";
        expect([route.id, answered.status]).toEqual([route.id, open ? 200 : 401]);
        expectConforming(route, answered, false);
        expect(answered.cost).toBe(0);
      }
    });

    test("a mistyped key is refused everywhere except on the open route", async () => {
      for (const route of ALL_ROUTES.filter((each) => each.method === "GET")) {
        const answered = await live.ask(examplePath(route, placeholders), {
          key: { secret: "ct_live_wrong" },
        });
        expect([route.id, answered.status]).toEqual([route.id, route.access === "open" ? 200 : 401]);
        expectConforming(route, answered, false);
      }
    });

    test("webhooks need a plan that includes them, up to the number it includes", async () => {
      const body = { url: "https://hooks.example/a" };
      const free = await live.refused("/v2/webhooks", { key: "free", method: "POST", body });
      expect([free.status, free.body.error, free.cost]).toEqual([403, "plan_required", 0]);
      expect(free.body.upgradeUrl).toBe("/pricing");
      const key = await live.makeKey({ plan: "starter" });
      for (let made = 0; made < 2; made++) await webhookOf(key);
      const third = await live.refused("/v2/webhooks", { key, method: "POST", body });
      expect([third.status, third.body.error]).toEqual([403, "plan_required"]);
    });

    test("another account's webhook does not exist, whatever the call", async () => {
      const webhookId = await webhookOf(await live.makeKey({ plan: "scale" }));
      for (const route of ALL_ROUTES.filter(({ path }) => path.includes("{webhookId}"))) {
        const answered = await live.refused(examplePath(route, { ...placeholders, webhookId }), {
          method: route.method,
          ...(route.body ? { body: route.example.body ?? {} } : {}),
        });
        expect([route.id, answered.status, answered.body.error]).toEqual([route.id, 404, "not_found"]);
      }
    });

    test("candles need a plan that includes them", async () => {
      for (const plan of ["free", "starter"] as const) {
        const answered = await live.refused(`/v2/token/${placeholders.tokenAddress}/candles`, { key: plan });
        expect([answered.status, answered.body.error, answered.cost]).toEqual([403, "plan_required", 0]);
      }
    });
  });

  test("an alias answers exactly like its original", async () => {
    for (const route of ALL_ROUTES) {
      for (const alias of route.aliases) {
        const example = filledExample(route, placeholders);
        const made = {
          params: example.params,
          query: [["limit", "7"]] as [string, string][],
          body: undefined,
        };
        const original = await live.ask(String(pathOf(route.path, made)));
        const other = await live.ask(String(pathOf(alias, made)));
        expect(pathNames(alias).length).toBe(pathNames(route.path).length);
        expect(other.status).toBe(200);
        expect(other.body).toEqual(original.body);
        expect(other.cost).toBe(original.cost);
        expect(other.headers.get("etag")).toBe(original.headers.get("etag"));
      }
    }
  });
}
