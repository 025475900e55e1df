import { startLiveService } from "../support/live-service.ts";
import { needing } from "../support/needing.ts";
import { sharedPostgres } from "../support/postgres.ts";
import { throwAwayRedis } from "../support/redis.ts";
import { conformance } from "./conformance-suite.ts";

const { afterAll, describe } = needing("postgres", "redis");

const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function begin() {
  const [postgres, redis] = await Promise.all([sharedPostgres(), throwAwayRedis()]);
  closing.push(redis.stop);
  const databaseUrl = await postgres.createDatabase();
  return startLiveService({
    traders: 200,
    historyDays: 2,
    keepsHistory: true,
    databaseUrl,
    redisUrl: redis.url,
  });
}

/** Parameters are parsed by the same code as on SQLite, which gets more requests. */
const RUNS = 6;
describe("deployed as in production", () => conformance("PostgreSQL and Redis", begin, RUNS));
