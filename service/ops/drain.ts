// How a process stops without losing a response: readiness goes off, sockets are moved one after the other while requests
// are still accepted, then nothing new is accepted and running work may finish. It ends within its bound, whatever hangs.
import type { Kit } from "../../kit/kit.ts";
import { within } from "../../kit/timeout.ts";

export interface Leaving extends Pick<Kit, "clock" | "log"> {
  drainMs: number;
  /** A load balancer is in front of this process and needs time to see that it is not ready. */
  balanced: boolean;
  /** Turns readiness off. */
  announce(): void;
  /** Notifies and closes sockets, spread over this time; returns at once without any. */
  moveSockets(overMs: number): Promise<void>;
  /** Accepts nothing new; resolves when running work has finished. */
  finish(): Promise<void>;
  /** Aborts what has not finished. */
  cut(): Promise<void>;
}

/** The share of the bound in which sockets move and the balancer notices; the rest is for requests to finish. */
const MOVING_SHARE = 0.5;

export async function leave(leaving: Leaving): Promise<void> {
  const { clock, log, drainMs } = leaving;
  const startedAt = clock.now();
  const movingMs = drainMs * MOVING_SHARE;
  log.info("this process is shutting down", { drainMs });
  leaving.announce();
  const notice = leaving.balanced ? clock.sleep(movingMs) : null;
  await Promise.all([leaving.moveSockets(movingMs), notice]);
  const restMs = startedAt + drainMs - clock.now();
  const finished = await within(
    clock,
    restMs,
    leaving.finish().then(() => true),
    () => false,
  );
  if (!finished) log.warn("requests were cut off at the end of the drain", { drainMs });
  await leaving.cut();
}
