// The tracker as a child of the service: it gets its settings over the channel to its parent, listens on a loopback port,
// and reports its progress. It ends when its parent says so or is gone; the parent handles signals to the process group.
import { createLoop } from "../../kit/loop.ts";
import { SECOND_MS } from "../../kit/units.ts";
import { readPriceHistory } from "../../tracker/prices/history.ts";
import { runTracker } from "../../tracker/server/run.ts";
import { chainIdOf } from "../../tracker/settings.ts";
import { createKit } from "../foundation.ts";
import {
  chainsOf,
  STOP_TRACKER,
  type TrackerReport,
  type TrackerTask,
} from "../platform/tracker-messages.ts";
import { untilParentGone } from "./workers.ts";

const LOOPBACK = "127.0.0.1";
/** The maximum age of health and metrics. */
const REPORT_MS = SECOND_MS;

export async function runTrackerChild(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  const stopping = new AbortController();
  void untilParentGone().then(() => stopping.abort());
  const task = await new Promise<TrackerTask>((resolve) => {
    process.on("message", (message: TrackerTask | typeof STOP_TRACKER) => {
      if (message === STOP_TRACKER) stopping.abort();
      else resolve(message);
    });
  });
  const kit = createKit(task);
  const { clock, log, metrics } = kit;
  const say = (report: TrackerReport) => process.send?.(report);
  let report = async () => {};
  const reports = createLoop({
    failure: "how far chains are read was not reported",
    everyMs: REPORT_MS,
    clock,
    log,
    round: () => report(),
  });
  try {
    await runTracker({
      ...task.tracker,
      ...kit,
      history: readPriceHistory(task.tracker.pricesHistory, chainIdOf),
      location: task.location,
      host: LOOPBACK,
      port: 0,
      signal: stopping.signal,
      onListening(url, tracker) {
        say({ kind: "listening", url });
        report = async () => {
          say({ kind: "state", chains: chainsOf(tracker), metrics: metrics.render() });
        };
        reports.start();
      },
    });
  } finally {
    await reports.stop();
    // The channel would keep the process alive.
    process.disconnect?.();
  }
}
