// Whom the service follows, by its settings: the simulator or the tracker in this process, or a platform server.
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import type { Metrics } from "../kit/metrics.ts";
import type { Random } from "../kit/random.ts";
import { openSimulator } from "../simulator/open.ts";
import type { Tracker } from "../tracker/open.ts";
import type { Page } from "./api/pages.ts";
import { CHAIN, type Config, SIMULATOR } from "./config.ts";
import { simulatorFolder } from "./simulator-folder.ts";
import { trackerLocation } from "./tracker-location.ts";
import { inProcessUpstream } from "./upstream/in-process.ts";
import type { Upstream } from "./upstream/port.ts";
import { remoteUpstream } from "./upstream/remote.ts";

interface Kit {
  clock: Clock;
  log: Log;
  metrics: Metrics;
  random: Random;
}

/** Whom to follow; the tracker itself where it runs in this process, because providers may wake it. */
export async function openUpstream(
  config: Config,
  kit: Kit,
  onClose: (close: () => Promise<void>) => void,
): Promise<{ upstream: Upstream; tracker: Tracker | null }> {
  const { clock, log, metrics, random } = kit;
  if (config.upstream === CHAIN) {
    // Loaded only when it is followed: every other start is the quicker for it.
    const { openTracker } = await import("../tracker/open.ts");
    const tracker = await openTracker({
      ...config.tracker,
      location: trackerLocation(config),
      clock,
      log,
      metrics,
      random,
    });
    onClose(() => tracker.close());
    return { upstream: inProcessUpstream(tracker, { log, clock }), tracker };
  }
  if (config.upstream !== SIMULATOR)
    return {
      upstream: remoteUpstream({ baseUrl: config.upstream, clock, log, random, metrics }),
      tracker: null,
    };
  const dataFolder = simulatorFolder(config.dataFolder);
  const simulator = await openSimulator({ ...config.simulator, dataFolder, clock, log });
  onClose(() => simulator.close());
  return { upstream: inProcessUpstream(simulator, { log, clock }), tracker: null };
}

/** Providers that watch addresses say here where to look. */
export function wakePages(tracker: Tracker, secret: string | null): Record<string, Page> {
  return {
    "/tracker/wake/{provider}": {
      POST: async (request) => {
        const { answerWake } = await import("../tracker/wake.ts");
        return answerWake(request, request.params?.provider ?? "", {
          secret,
          isWatched: (wallet) => tracker.directory.byWallet(wallet) !== undefined,
          wake: tracker.wake,
        });
      },
    },
  };
}
