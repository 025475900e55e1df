// One server under test for reads, in its own process like every server: the whole service over a small world, the same edge
// with metering off, or the runtime alone. Sharing compiled code, a heap and a collector would slow each of them down. Prints
// its URL, with keys for unlimited calls; exits when its stdin ends. Run: bun bench/reads-subject.ts metered 150 1 | free 150
// | bare ANSWER.json HEADERS.json
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnswerOf } from "../contract/route.ts";
import { ROUTES } from "../contract/routes.ts";
import { systemClock } from "../kit/clock.ts";
import type { Kit } from "../kit/kit.ts";
import { createLog } from "../kit/log.ts";
import { createMetrics } from "../kit/metrics.ts";
import { seededRandom } from "../kit/random.ts";
import { createAccess } from "../service/access/access.ts";
import { createClientAddress } from "../service/access/identity/address.ts";
import { createMemoryRate } from "../service/access/limits/rate-memory.ts";
import { createRunner } from "../service/api/runner.ts";
import { startServer } from "../service/api/server.ts";
import { readConfig } from "../service/config.ts";
import { createService, type Service } from "../service/service.ts";
import { eventually } from "../test/support/eventually.ts";
import { makeCrowd, writeKeys } from "./kit/crowd.ts";

export interface ReadsReady {
  /** Of the leaderboard whose answer has roughly the wanted size. */
  url: string;
  /** Files with the keys of this many accounts, one per line. */
  keys: Record<number, string>;
}

const WORLD = { seed: "bench", traders: 300, historyDays: 8, eventsPerSecond: 3 };
const WANTED_BYTES = 2_048;

interface Serving {
  ready: ReadsReady;
  stop(): Promise<void>;
}

async function serveWorld(folder: string, crowds: readonly number[], isMetered: boolean): Promise<Serving> {
  const clock = systemClock();
  const log = createLog("error", clock.now);
  const kit = { clock, log, metrics: createMetrics(), random: seededRandom("bench") };
  const config = {
    ...readConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "error", COPY_BOARD_TRADERS: "0" }),
    simulator: WORLD,
  };
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
  for (const count of crowds) {
    const secrets = await makeCrowd(store.database, count, clock.now());
    keys[count] = writeKeys(join(folder, `keys-${count}`), secrets);
    secret = secrets[0] ?? "";
  }
  const { path, text } = await leaderboardOf(service.url, secret);
  if (isMetered) return { ready: { url: service.url + path, keys }, stop: () => service.stop() };
  const server = serveFree({ store, kit, body: JSON.parse(text) });
  return {
    ready: { url: server.url.href.replace(/\/$/, "") + path, keys },
    async stop() {
      await server.stop();
      await service.stop();
    },
  };
}

/** The smallest one that has the wanted size. */
async function leaderboardOf(url: string, secret: string): Promise<{ path: string; text: string }> {
  for (let limit = 1; ; limit++) {
    const path = `/v2/leaderboard/7d?limit=${limit}`;
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${secret}` } });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    if (text.length >= WANTED_BYTES) return { path, text };
  }
}

interface FreeParts {
  store: Service["store"];
  kit: Kit;
  body: AnswerOf<typeof ROUTES.getLeaderboard>;
}

/** The same edge with metering off, over the same store. */
function serveFree({ store, kit, body }: FreeParts): { url: URL; stop(): Promise<void> } {
  const { clock, log } = kit;
  const access = createAccess({
    testKeys: () => true,
    database: store.database,
    clock,
    log,
    metering: false,
    rate: createMemoryRate(clock),
    links: { upgradeUrl: "/pricing", topUp: "/pay/create" },
  });
  const runnerOf = createRunner({ ...kit, metrics: createMetrics(), access, deadlineMs: 4_000 });
  const route = ROUTES.getLeaderboard;
  const server = startServer({
    host: "127.0.0.1",
    port: 0,
    sharePort: false,
    pages: {},
    access,
    log,
    routes: [{ route, run: runnerOf(route, async () => ({ body })) }],
    sockets: { upgrades: {}, handler: { message() {} } },
    clientAddress: createClientAddress([]),
  });
  return {
    url: server.url,
    async stop() {
      await server.stop(true);
      await access.close();
    },
  };
}

/** The runtime alone: the same bytes and headers from a handler that does nothing else. */
function serveBare(answerFile: string, headersFile: string): Serving {
  const bytes = readFileSync(answerFile);
  const headers = new Headers(JSON.parse(readFileSync(headersFile, "utf8")));
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    routes: {
      [ROUTES.getLeaderboard.path.replace(/\{(\w+)\}/g, ":$1")]: () => new Response(bytes, { headers }),
    },
  });
  return { ready: { url: server.url.href.replace(/\/$/, ""), keys: {} }, stop: () => server.stop(true) };
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-"));
  const [kind, ...rest] = Bun.argv.slice(2);
  const [answerFile = "", headersFile = ""] = rest;
  const { ready, stop } =
    kind === "bare"
      ? serveBare(answerFile, headersFile)
      : await serveWorld(folder, rest.map(Number), kind === "metered");
  console.log(JSON.stringify(ready));
  process.stdin.on("end", async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
  process.stdin.resume();
}
