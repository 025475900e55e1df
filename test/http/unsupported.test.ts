// A platform without some capability: the affected routes answer 200, empty, with available:false and a note, for free; and
// never a 503 that would invite a retry.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROUTES, type RouteId } from "../../contract/routes.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { servePlatform } from "../../protocol/server/serve.ts";
import { fixedPlatform } from "../../protocol/test-platform.ts";
import { TOKEN_ADDRESS, TRADE_ID } from "../../protocol/test-samples.ts";
import { readConfig } from "../../service/config.ts";
import { createService } from "../../service/service.ts";
import { eventually } from "../support/eventually.ts";

const log = createLog("silent", () => 0);
const clock = systemClock();
const folder = mkdtempSync(join(tmpdir(), "crowdtape-unsupported-"));
const close: (() => Promise<unknown>)[] = [];
let url: string;
let secret: string;

beforeAll(async () => {
  const platform = fixedPlatform();
  platform.declare({ source: "fixed", questions: ["users", "userById", "userByHandle", "tokens", "token"] });
  const server = await servePlatform({ platform, host: "127.0.0.1", port: 0, log, clock });
  close.push(() => server.stop());
  const config = readConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "silent", UPSTREAM: server.url });
  const kit = { clock, log, metrics: createMetrics(), random: seededRandom("unsupported") };
  const service = await createService(config, kit);
  close.push(() => service.stop());
  url = service.url;
  const account = await service.access.grants.openAccount("test@example.com");
  ({ secret } = await service.access.keys.create({ accountId: account.id, name: null }));
  await eventually(
    async () => (await service.store.traders.byHandle("frogqueen")) !== null,
    "the directory is captured",
  );
}, 900_000);

afterAll(async () => {
  for (const each of close.reverse()) await each();
  rmSync(folder, { recursive: true, force: true });
});

const ASKED: [RouteId, string][] = [
  ["listTrades", "/v2/users/frogqueen/trades"],
  ["listTrades", "/v2/users/frogqueen/trades?deep=12"],
  ["listSwaps", "/v2/users/frogqueen/swaps"],
  ["getBalances", "/v2/users/frogqueen/balances"],
  ["listFollowing", "/v2/users/frogqueen/following"],
  ["listFollowers", "/v2/users/frogqueen/followers"],
  ["getSpotlight", "/v2/users/frogqueen/spotlight"],
  ["listComments", `/v2/trades/${TRADE_ID}/comments`],
  ["getLeaderboard", "/v2/leaderboard/24h"],
  ["listTraders", "/v2/traders?sort=volume"],
  ["getTrendingTokens", "/v2/leaderboard/tokens/trending"],
  ["getGraduatedTokens", "/v2/leaderboard/tokens/graduated"],
  ["listTheses", "/v2/thesis"],
  ["listTokenTheses", `/v2/thesis/token/${TOKEN_ADDRESS}`],
  ["listDevs", `/v2/token/${TOKEN_ADDRESS}/devs`],
  ["listTraderTheses", "/v2/thesis/user/frogqueen"],
];

test.each(ASKED)("%s is empty, says why, and is free: %s", async (id, path) => {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${secret}` } });
  const body = (await response.json()) as Record<string, unknown>;
  expect({ path, status: response.status, available: body.available }).toEqual({
    path,
    status: 200,
    available: false,
  });
  expect(String(body.note)).toContain("does not know this");
  expect(response.headers.get("x-credits-cost")).toBe("0");
  expect(ROUTES[id].answer.safeParse(body).error).toBeUndefined();
  for (const value of Object.values(body)) if (Array.isArray(value)) expect(value).toEqual([]);
});

test("a single subject without platform support is not found, and free", async () => {
  const response = await fetch(`${url}/v2/token/${TOKEN_ADDRESS}/stats?networkId=8453`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(response.status).toBe(404);
  expect(response.headers.get("x-credits-cost")).toBe("0");
});
