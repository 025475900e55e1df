// The tracker in a separate process, so that its work never blocks the serving thread. It is followed like any platform
// server; if it exits it is restarted after a growing pause, and health reports it until it is back.
import { BadSettings } from "../../kit/bad-settings.ts";
import type { Kit } from "../../kit/kit.ts";
import { SECOND_MS } from "../../kit/units.ts";
import type { ReadChain } from "../api/services.ts";
import type { PROGRAM_COMMAND } from "../commands/program.ts";
import { type Config, environmentWith } from "../config.ts";
import { trackerLocation } from "../foundation.ts";
import { startWorkers } from "../ops/workers.ts";
import { STOP_TRACKER, type TrackerReport, type TrackerTask } from "./tracker-messages.ts";

/** Readers stop between steps, each of a few seconds at most. */
const STOP_MS_MAX = 8 * SECOND_MS;
/** The headers of a provider's webhook that are forwarded to the tracker. */
const WAKE_HEADERS = ["authorization", "x-wake-secret", "content-type"];
const WAKE_MS_MAX = 5 * SECOND_MS;

const AWAY = "the tracker ended and is started again";

export interface TrackerProcess {
  /** Its current address; changes after a restart. */
  url(): string;
  chains(): ReadChain[];
  wake(request: Request, provider: string): Promise<Response>;
  pids(): number[];
  stop(): Promise<void>;
}

/** Resolves when the tracker answers; throws when its first start fails, after it has printed the reason. */
export async function startTrackerProcess(
  config: Config,
  { clock, log, metrics }: Pick<Kit, "clock" | "log" | "metrics">,
  program: typeof PROGRAM_COMMAND,
): Promise<TrackerProcess> {
  const task: TrackerTask = {
    tracker: config.tracker,
    location: trackerLocation(config),
    logLevel: config.logLevel,
  };
  let url: string | null = null;
  let isUp = false;
  let rendered = "";
  let chains: ReadChain[] = config.tracker.chains.map(({ name }) => ({
    chain: name,
    lagMs: null,
    reason: null,
  }));
  metrics.include(() => rendered);
  const starts = metrics.counter(
    "crowdtape_tracker_starts_total",
    "Times the tracker's process was started and answered.",
  );
  const begun = Promise.withResolvers<void>();
  const workers = startWorkers({
    count: 1,
    name: "tracker",
    command: [...program, "tracker", "serve"],
    environmentOf: () => environmentWith({ TRACKER_PROCESS: "child", UPSTREAM: "simulator" }),
    hello: task,
    hear(message) {
      const report = message as TrackerReport;
      if (report.kind === "listening") {
        url = report.url;
        isUp = true;
        starts.add();
        begun.resolve();
      } else {
        chains = report.chains;
        rendered = report.metrics;
      }
    },
    lost() {
      isUp = false;
      if (url !== null) return;
      begun.reject(new BadSettings(["The tracker did not start; what it said is above."]));
      workers.end(STOP_TRACKER);
    },
    clock,
    log: log.with({ part: "tracker" }),
  });
  const stop = async () => {
    workers.end(STOP_TRACKER);
    const waiting = new AbortController();
    const kill = clock.sleep(STOP_MS_MAX, waiting.signal).then(() => {
      if (!waiting.signal.aborted) workers.signal("SIGKILL");
    });
    await workers.ended;
    waiting.abort();
    await kill;
  };
  await begun.promise;
  return {
    url: () => url ?? "",
    chains: () => (isUp ? chains : chains.map(({ chain }) => ({ chain, lagMs: null, reason: AWAY }))),
    async wake(request, provider) {
      const headers = WAKE_HEADERS.flatMap((name): [string, string][] => {
        const value = request.headers.get(name);
        return value === null ? [] : [[name, value]];
      });
      try {
        return await fetch(`${url}/tracker/wake/${encodeURIComponent(provider)}`, {
          method: request.method,
          headers,
          body: request.body,
          signal: AbortSignal.timeout(WAKE_MS_MAX),
        });
      } catch {
        return Response.json({ error: "unavailable" }, { status: 503 });
      }
    },
    pids: workers.pids,
    stop,
  };
}
