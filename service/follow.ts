// The platform that the service follows, by its settings: the simulator or the tracker in this process, or a platform server.
import type { Kit } from "../kit/kit.ts";
import { openSimulator } from "../simulator/open.ts";
import type { Tracker } from "../tracker/open.ts";
import { chainIdOf } from "../tracker/settings.ts";
import type { SitePage } from "./api/page.ts";
import type { ReadChain } from "./api/services.ts";
import { CHAIN, type Config, SIMULATOR } from "./config.ts";
import { trackerLocation } from "./foundation.ts";
import { inProcessUpstream } from "./upstream/in-process.ts";
import type { Upstream } from "./upstream/port.ts";
import { remoteUpstream } from "./upstream/remote.ts";

/** The upstream to follow; the tracker itself too where it runs in this process, because providers may wake it. */
export async function openUpstream(
  config: Config,
  kit: Kit,
  onClose: (close: () => Promise<void>) => void,
): Promise<{ upstream: Upstream; tracker: Tracker | null }> {
  const { clock, log, metrics, random } = kit;
  if (config.upstream === CHAIN) {
    // Loaded only when it is followed: every other start is the quicker for it.
    const { openTracker } = await import("../tracker/open.ts");
    const { readPriceHistory } = await import("../tracker/prices/history.ts");
    const tracker = await openTracker({
      ...config.tracker,
      location: trackerLocation(config),
      history: readPriceHistory(config.tracker.pricesHistory, chainIdOf),
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
  const simulator = await openSimulator({
    ...config.simulator,
    dataFolder: config.simulatorFolder,
    clock,
    log,
  });
  onClose(() => simulator.close());
  return { upstream: inProcessUpstream(simulator, { log, clock }), tracker: null };
}

/** How far each chain is read; null where somebody else reads them. */
export function readChainsOf(tracker: Tracker | null): (() => ReadChain[]) | null {
  if (!tracker) return null;
  return () => tracker.status().map(({ chain, status: { lagMs, reason } }) => ({ chain, lagMs, reason }));
}

/** Providers that watch addresses say here where to look. */
export function wakePages(tracker: Tracker, secret: string | null): Record<string, SitePage> {
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
