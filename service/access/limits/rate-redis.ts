// Rate windows, in-flight requests and socket counts shared by all nodes, on Redis's own clock. Windows are taken in slices
// (slices.ts), sockets one by one. While Redis is down each node counts on its own and reports that it is degraded.
import { freshUuid } from "../../../kit/ids.ts";
import type { RateLimiter } from "./rate.ts";
import { createMemoryRate } from "./rate-memory.ts";
import { OPEN_SOCKET, SET_COUNT } from "./rate-scripts.ts";
import { createSharedScripts, type SharedScripts, type SharedScriptsParts } from "./shared-scripts.ts";
import { createSlices } from "./slices.ts";

/** A dead node's sockets stay counted for this long; live nodes renew theirs three times as often. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = LEASE_MS / 3;

export interface RedisRateParts extends SharedScriptsParts {
  /** Tests move time by hand; otherwise Redis's clock counts, because nodes' clocks differ. */
  now?: () => number;
}

export function createRedisRate({ now, ...parts }: RedisRateParts): RateLimiter {
  const { clock, log } = parts;
  const scripts = createSharedScripts(parts);
  const own = createMemoryRate(clock);
  const nodeId = freshUuid();
  const time = () => (now ? String(now()) : "");
  const slices = createSlices({ scripts, clock, log, nodeId, time });
  const sockets = createSharedSockets({ scripts, nodeId, time });
  return {
    take(subject, limit, cost = 1, flight) {
      if (cost === 1 && !scripts.isAway()) {
        const verdict = slices.spend(subject, limit, flight);
        if (verdict) return verdict;
      }
      return slices
        .take(subject, limit, cost, flight)
        .then((verdict) => verdict ?? own.take(subject, limit, cost));
    },
    openSocket: sockets.open,
    closeSocket: sockets.close,
    degraded: scripts.isAway,
    async close() {
      await slices.close();
      await sockets.closeAll();
      scripts.close();
    },
  };
}

function createSharedSockets(parts: { scripts: SharedScripts; nodeId: string; time(): string }) {
  const { scripts, nodeId, time } = parts;
  /** This node's sockets by subject, open or pending: what it renews, and restores after Redis lost its data. */
  const sockets = new Map<string, number>();
  const keyOf = (subject: string) => `crowdtape:sockets:${subject}`;
  const keep = (subject: string, count: number) => {
    if (count > 0) sockets.set(subject, count);
    else sockets.delete(subject);
    return scripts.ask(SET_COUNT, [keyOf(subject)], [nodeId, count, LEASE_MS, time()]);
  };
  const renewal = setInterval(() => {
    for (const [subject, count] of sockets) void keep(subject, count);
  }, RENEW_EVERY_MS);
  renewal.unref();
  const close = (subject: string): void => {
    const open = sockets.get(subject) ?? 0;
    if (open > 0) void keep(subject, open - 1);
  };
  return {
    async open(subject: string, max: number): Promise<boolean> {
      // Counted before Redis is asked: a close or a renewal in the meantime puts down this count, and must not lose the socket.
      const count = (sockets.get(subject) ?? 0) + 1;
      sockets.set(subject, count);
      const answer = await scripts.ask(OPEN_SOCKET, [keyOf(subject)], [nodeId, max, LEASE_MS, time()]);
      const isOpen = answer ? answer[0] === 1 : count <= max;
      if (!isOpen) close(subject);
      return isOpen;
    },
    close,
    async closeAll(): Promise<void> {
      clearInterval(renewal);
      await Promise.all([...sockets.keys()].map((subject) => keep(subject, 0)));
    },
  };
}
