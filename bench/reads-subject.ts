// The server under test for reads: the whole service over a small world, and beside it the same edge with metering off
// over the same store. Says where both are, with keys that may call without end; ends with its input.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnswerOf } from "../contract/route.ts";
import { ROUTES } from "../contract/routes.ts";
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { createMetrics } from "../kit/metrics.ts";
import { seededRandom } from "../kit/random.ts";
import { createAccess } from "../service/access/access.ts";
import { createClientAddress } from "../service/access/identity/address.ts";
import { createMemoryRate } from "../service/access/limits/rate-memory.ts";
import { createRunner } from "../service/api/runner.ts";
import { startServer } from "../service/api/server.ts";
import { readConfig } from "../service/config.ts";
import { createService } from "../service/service.ts";
import { eventually } from "../test/support/eventually.ts";
import { makeCrowd, writeKeys } from "./kit/crowd.ts";

export interface ReadsReady {
  url: string;
  /** The same edge with metering off. */
  freeUrl: string;
  /** The runtime alone: the same bytes and headers from a handler that does nothing else. */
  bareUrl: string;
  /** Files with the keys of so many accounts, a line each. */
  keys: Record<number, string>;
  /** Of the leaderboard whose answer has about the wanted size. */
  path: string;
  bytes: number;
}

const WORLD = { seed: "bench", traders: 300, historyDays: 8, eventsPerSecond: 3 };
/** Accounts that call in turn: as real traffic has, one alone, and more than any cache of pages holds. */
export const CROWDS = [150, 1, 10_000] as const;
const WANTED_BYTES = 2_048;

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-"));
  const clock = systemClock();
  const log = createLog("error", clock.now);
  const kit = { clock, log, metrics: createMetrics(), random: seededRandom("bench") };
  const config = { ...readConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "error" }), simulator: WORLD };
  const service = await createService(config, kit);
  const { store } = service;
  await eventually(async () => {
    const [coverage, traders] = await Promise.all([store.captures.coverage(), store.traders.count()]);
    return traders >= WORLD.traders && coverage.traders >= traders;
  }, "every trader was captured");
  await eventually(
    async () =>
      (await store.log.historyLeft()).length === 0 &&
      (await store.progress.derivedSeq()) >= (await store.log.head()).seq,
    "everything was derived",
  );

  const keys: Record<number, string> = {};
  let secret = "";
  for (const count of CROWDS) {
    const secrets = await makeCrowd(store.database, count, clock.now());
    keys[count] = writeKeys(join(folder, `keys-${count}`), secrets);
    secret = secrets[0] ?? "";
  }
  const read = async (path: string) => {
    const response = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${secret}` } });
    if (!response.ok) throw new Error(await response.text());
    return response.text();
  };
  let path = "";
  let text = "";
  for (let limit = 1; text.length < WANTED_BYTES; limit++) {
    path = `/v2/leaderboard/7d?limit=${limit}`;
    text = await read(path);
  }
  const body: AnswerOf<typeof ROUTES.getLeaderboard> = JSON.parse(text);

  const free = createAccess({
    testKeys: () => true,
    ...{ db: store.database, clock, log, metering: false },
    rate: createMemoryRate(clock),
    links: { upgradeUrl: "/pricing", topUp: "/pay/create" },
  });
  const runnerOf = createRunner({ ...kit, metrics: createMetrics(), access: free, deadlineMs: 4_000 });
  const route = ROUTES.getLeaderboard;
  const server = startServer({
    ...{ host: "127.0.0.1", port: 0, sharePort: false, pages: {}, access: free, log },
    routes: [{ route, run: runnerOf(route, async () => ({ body })) }],
    sockets: { upgrades: {}, handler: { message() {} } },
    clientAddress: createClientAddress([]),
  });
  const sample = await fetch(service.url + path, { headers: { authorization: `Bearer ${secret}` } });
  const headers = new Headers(sample.headers);
  for (const name of ["date", "content-length", "content-encoding"]) headers.delete(name);
  const bytes = Buffer.from(text);
  const bare = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    routes: { [route.path.replace(/\{(\w+)\}/g, ":$1")]: () => new Response(bytes, { headers }) },
  });
  const ready: ReadsReady = {
    url: service.url,
    freeUrl: server.url.href.replace(/\/$/, ""),
    bareUrl: bare.url.href.replace(/\/$/, ""),
    keys,
    path,
    bytes: Buffer.byteLength(text),
  };
  console.log(JSON.stringify(ready));
  process.stdin.on("end", async () => {
    await server.stop(true);
    await bare.stop(true);
    await free.close();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
  process.stdin.resume();
}
