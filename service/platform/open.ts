// The platform that the service follows, by its settings: the simulator in this process, the tracker in a child process,
// or a platform server.
import { openDatabase } from "../../database/open.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Kit } from "../../kit/kit.ts";
import { openSimulator } from "../../simulator/open.ts";
import { chainIdOf } from "../../tracker/settings.ts";
import type { SitePage } from "../api/page.ts";
import type { ReadChain } from "../api/services.ts";
import { PROGRAM_COMMAND } from "../commands/program.ts";
import { CHAIN, type Config, SIMULATOR } from "../config.ts";
import { trackerLocation } from "../foundation.ts";
import type { TrackWallet } from "../site/track-pages.ts";
import { inProcessUpstream } from "../upstream/in-process.ts";
import type { Upstream } from "../upstream/port.ts";
import { remoteUpstream } from "../upstream/remote.ts";
import { chainsOf } from "./tracker-messages.ts";

/** The service's interface to a tracker that it runs, in whichever process. */
export interface FollowedTracker {
  chains(): ReadChain[];
  /** A provider's webhook. */
  wake(request: Request, provider: string): Promise<Response>;
}

/** The upstream to follow; also the tracker itself if this service runs it, because providers may wake it. */
export async function openUpstream(
  config: Config,
  kit: Kit,
  onClose: (close: () => Promise<void>) => void,
): Promise<{ upstream: Upstream; tracker: FollowedTracker | null }> {
  const { clock, log, metrics, random } = kit;
  if (config.upstream === CHAIN && config.tracker.process === "shared")
    return followShared(config, kit, onClose);
  if (config.upstream === CHAIN) {
    const { startTrackerProcess } = await import("./tracker-process.ts");
    const tracker = await startTrackerProcess(config, kit, PROGRAM_COMMAND);
    onClose(tracker.stop);
    return { upstream: remoteUpstream({ baseUrl: tracker.url, clock, log, random, metrics }), tracker };
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

/** The tracker in this process: for tests that control its clock. */
async function followShared(config: Config, kit: Kit, onClose: (close: () => Promise<void>) => void) {
  // Loaded only when needed, so that every other start is faster.
  const { openTracker } = await import("../../tracker/open.ts");
  const { readPriceHistory } = await import("../../tracker/prices/history.ts");
  const { answerWake } = await import("../../tracker/wake.ts");
  const tracker = await openTracker({
    ...config.tracker,
    ...kit,
    location: trackerLocation(config),
    history: readPriceHistory(config.tracker.pricesHistory, chainIdOf),
  });
  onClose(() => tracker.close());
  const followed: FollowedTracker = {
    chains: () => chainsOf(tracker),
    wake: (request, provider) =>
      answerWake(request, provider, {
        secret: config.tracker.wakeSecret,
        isWatched: (wallet) => tracker.directory.byWallet(wallet) !== undefined,
        wake: tracker.wake,
      }),
  };
  return { upstream: inProcessUpstream(tracker, kit), tracker: followed };
}

/** Adds a wallet to the tracker's roster for a visitor; null if that is not allowed. */
export async function openTrackWallet(
  config: Config,
  clock: Clock,
  onClose: (close: () => Promise<void>) => void,
): Promise<TrackWallet | null> {
  const walletsMax = config.tracker.visitorWallets;
  if (config.upstream !== CHAIN || walletsMax === 0) return null;
  const { addWallet } = await import("../../tracker/roster/roster.ts");
  const books = await openDatabase(trackerLocation(config));
  onClose(() => books.close());
  return (wallet) => addWallet(books, wallet, { now: clock.now(), walletsMax });
}

/** How far each chain is read; null if another process reads them. */
export const readChainsOf = (tracker: FollowedTracker | null): (() => ReadChain[]) | null =>
  tracker?.chains ?? null;

/** Providers that watch addresses report here where to look. */
export function wakePages(tracker: FollowedTracker): Record<string, SitePage> {
  return {
    "/tracker/wake/{provider}": {
      POST: (request) => tracker.wake(request, request.params?.provider ?? ""),
    },
  };
}
