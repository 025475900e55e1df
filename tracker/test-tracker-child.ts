// For tests: a tracker in its own process, until it is killed: after this many statements that write, or from outside.
import { openDatabase } from "../database/open.ts";
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { createMetrics } from "../kit/metrics.ts";
import { seededRandom } from "../kit/random.ts";
import { mortal } from "./books/test-mortal.ts";
import { openTracker } from "./open.ts";

const { location, chains, pricesUrl, statements } = JSON.parse(process.argv[2] ?? "");
const clock = systemClock();
await openTracker({
  location,
  chains,
  pricesUrl,
  historyDays: 0,
  depthMinUsd: 500,
  poolsMax: 0,
  clock,
  log: createLog("silent", clock.now),
  metrics: createMetrics(),
  random: seededRandom("child"),
  open: async (books) => mortal(await openDatabase(books), statements, "writes"),
});
