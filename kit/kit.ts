// The dependencies of almost every part: clock, log, metrics and random. Declared once, so that a part takes `Kit` or
// `Pick<Kit, "clock" | "log">` and a test passes its own.
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Random } from "./random.ts";

export interface Kit {
  clock: Clock;
  log: Log;
  metrics: Metrics;
  random: Random;
}
