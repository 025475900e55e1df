// The tracker as a separate program: a platform on the wire, for nodes that follow it from outside.
import type { Server } from "bun";
import { SECOND_MS } from "../../kit/units.ts";
import { servePlatform } from "../../protocol/server/serve.ts";
import { answerVerdicts, VERDICTS_PATH } from "../judged.ts";
import { openTracker, type Tracker, type TrackerOptions } from "../open.ts";
import { answerWake, WAKE_PATH } from "../wake.ts";

export interface RunTrackerOptions extends TrackerOptions {
  host: string;
  port: number;
  wakeSecret: string | null;
  /** The secret of the services that follow it. */
  secret: string | null;
  /** Aborting it stops the program. */
  signal: AbortSignal;
  onListening?: (url: string, tracker: Tracker) => void;
}

export async function runTracker(options: RunTrackerOptions): Promise<void> {
  const { host, port, clock, log, signal, wakeSecret } = options;
  const tracker = await openTracker(options);
  try {
    const server = await servePlatform({
      platform: tracker,
      host,
      port,
      clock,
      log,
      routes: {
        "/health": () => Response.json(healthOf(tracker), { headers: { "cache-control": "no-store" } }),
        [VERDICTS_PATH]: (request: Request) =>
          answerVerdicts(request, {
            secret: options.secret,
            judge: tracker.judge,
            source: async () => (await tracker.api.status()).capabilities?.source ?? "",
          }),
        [WAKE_PATH]: (request: Request, _server: Server<undefined>) =>
          answerWake(request, new URL(request.url).pathname.split("/").at(-1) ?? "", {
            secret: wakeSecret,
            isWatched: (wallet) => tracker.directory.byWallet(wallet) !== undefined,
            wake: tracker.wake,
          }),
      },
    });
    log.info("the tracker is listening", { url: server.url });
    options.onListening?.(server.url, tracker);
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    await server.stop();
  } finally {
    await tracker.close();
  }
}

/** Each chain's lag and its reason, and whether all are healthy, in the format of the service's own `/health` for a tracker it runs. */
function healthOf(tracker: Tracker) {
  const chains = tracker.status().map(({ chain, status: { lagMs, reason } }) => ({
    chain,
    behindSeconds: lagMs === null ? null : Math.round(lagMs / SECOND_MS),
    reason,
  }));
  const ok = chains.every(({ reason }) => reason === null);
  return { ok, traders: tracker.directory.traders().length, chains };
}
