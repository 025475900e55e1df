// For tests: a tracker in a process of its own, until it is killed.
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { createMetrics } from "../kit/metrics.ts";
import { seededRandom } from "../kit/random.ts";
import { openTracker } from "./open.ts";

const { location, chains, pricesUrl } = JSON.parse(process.argv[2] ?? "");
const clock = systemClock();
await openTracker({
  ...{ location, chains, pricesUrl, historyDays: 0, clock },
  ...{ log: createLog("silent", clock.now), metrics: createMetrics(), random: seededRandom("child") },
});
