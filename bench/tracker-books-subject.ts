// The tracker of bench/tracker-books.ts in its own process: opens the books in a file, reports how long that took, and answers
// queries with their cost. Arguments: its folder, the provider's URL, the moment when it began.
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { createMetrics } from "../kit/metrics.ts";
import { seededRandom } from "../kit/random.ts";
import { momentOf } from "../service/api/profit/moment.ts";
import { trackerLocation } from "../service/foundation.ts";
import { openTracker } from "../tracker/open.ts";
import type { SubjectReport, SubjectTask } from "./tracker-books.ts";
import { CHAIN_ID, DOLLAR } from "./tracker-books-world.ts";

const [dataFolder = "", url = "", beganAt = "0"] = process.argv.slice(2);
const location = trackerLocation({ databaseUrl: null, dataFolder });
const clock = systemClock();

const tracker = await openTracker({
  location,
  chains: [
    {
      chainId: CHAIN_ID,
      name: "base",
      slug: "base",
      urls: [url],
      webSocketUrl: null,
      grpc: null,
      wrapped: `0x${"e".repeat(40)}`,
      stables: [DOLLAR],
      feeds: [],
      coinPools: [],
      factories: [],
      finality: 8,
      alertsAt: "confirmed",
      safeBlocks: 3,
      pollMs: 2_000,
      gapMs: 250,
      reviewMs: 60_000,
      callsPerSecondMax: 1_000,
    },
  ],
  pricesUrl: null,
  historyDays: 0,
  depthMinUsd: 500,
  poolsMax: 0,
  clock,
  log: createLog("warn", clock.now),
  metrics: createMetrics(),
  random: seededRandom("tracker"),
});

/** As in the service's calls. */
const moment = () => momentOf(clock.now());
const RANKING = { from: 200, limit: 100 };
let tokenPage = 0;

const QUESTIONS: Record<SubjectTask["question"], () => Promise<unknown>> = {
  leaderboard24h: async () => tracker.api.leaderboard?.("24h", moment()),
  leaderboard7d: async () => tracker.api.leaderboard?.("7d", moment()),
  leaderboard30d: async () => tracker.api.leaderboard?.("30d", moment()),
  leaderboardAll: async () => tracker.api.leaderboard?.("all", moment()),
  ranking: async () =>
    tracker.api.ranking?.("7d", { ...RANKING, at: moment(), sort: "volume", order: "desc", who: "all" }),
  trending: async () => tracker.api.board?.("trending"),
  widelyHeld: async () => tracker.api.board?.("most-held"),
  tokens: async () => tracker.api.tokens?.(`tokens.${500 * tokenPage++}`),
  users: async () => tracker.api.users?.(),
  user: async () => tracker.api.userByHandle?.("trader7"),
};

const say = (report: SubjectReport) => console.log(JSON.stringify(report));
const rowsOf = (answer: unknown) => (answer as { rows?: unknown[] } | undefined)?.rows?.length ?? 0;

const openMs = clock.now() - Number(beganAt);
const first = await QUESTIONS.leaderboard24h();
say({
  openMs,
  startMs: clock.now() - Number(beganAt),
  cpuMs: process.cpuUsage().user / 1_000,
  rows: rowsOf(first),
});
for await (const line of console) {
  if (line === "") continue;
  const { question } = JSON.parse(line) as SubjectTask;
  const before = process.cpuUsage();
  const answer = await QUESTIONS[question]();
  const { user, system } = process.cpuUsage(before);
  say({ openMs: 0, startMs: 0, cpuMs: (user + system) / 1_000, rows: rowsOf(answer) });
}
await tracker.close();
