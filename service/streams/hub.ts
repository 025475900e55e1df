// All sockets of this node, and their timed work: heartbeats spread over their period, closing slow readers
// before they cost others anything, and a move to the delayed feed when a key's realtime days are over.
import { CLOSE_CODES, type CloseCodeNumber, UNREAD_BYTES_MAX } from "../../contract/frames.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop } from "../../kit/loop.ts";
import type { Lane } from "./lane.ts";
import { close, HEARTBEAT_SLOTS, heartbeat, heartbeatTopic, leave, type Session } from "./session.ts";

/** Each second is one slot of the heartbeat's period, even when a tick is late: the next ones catch up. */
const TICK_MS = 1_000;
/** Bytes published to one topic between two checks for slow readers: an eighth of what a socket may leave unread. */
const BYTES_BETWEEN_LOOKS = UNREAD_BYTES_MAX / 8;
/** A drain closes sockets in this many steps a second, so that clients reconnect gradually. */
const DRAIN_STEP_MS = 50;

export interface Hub {
  sessions: ReadonlySet<Session>;
  add(session: Session): void;
  remove(session: Session): void;
  /** So much was published to one topic. */
  published(bytes: number): void;
  /** A socket that may not see an event of this time in realtime any more leaves the realtime lane. */
  endRealtime(capturedAt: number): void;
  nextSlot(): number;
  start(): void;
  stop(): Promise<void>;
  /** Closes all sockets, spread evenly over the given time. */
  closeAll(code: CloseCodeNumber, overMs: number, reason?: string): Promise<void>;
}

export interface HubParts extends Pick<Kit, "clock" | "log"> {
  lanes: readonly Lane[];
  laneOf(delayMs: number): Lane;
  publish(topic: string, text: string): void;
  /** The session has left its lane for a later one and is to continue there. */
  onMoved(session: Session): void;
}

export function createHub({ lanes, laneOf, clock, log, publish, onMoved }: HubParts): Hub {
  const sessions = new Set<Session>();
  /** Those whose realtime expires, and the earliest expiry. */
  const ending = new Set<Session>();
  let nextEndAt = Number.POSITIVE_INFINITY;
  let slots = 0;
  let slot = 0;
  let nextBeatAt = clock.now() + TICK_MS;
  let unlooked = 0;
  let looking = false;

  const look = () => {
    unlooked = 0;
    looking = false;
    for (const session of sessions) {
      const unread = session.socket?.getBufferedAmount() ?? 0;
      if (unread > UNREAD_BYTES_MAX) close(session, 4008);
    }
  };

  const endRealtime = (capturedAt: number) => {
    if (capturedAt < nextEndAt) return;
    nextEndAt = Number.POSITIVE_INFINITY;
    for (const session of ending) {
      const end = session.terms.realtimeEnd;
      if (!end || capturedAt < end.at) {
        nextEndAt = Math.min(nextEndAt, end?.at ?? nextEndAt);
        continue;
      }
      ending.delete(session);
      leave(session);
      session.lane = laneOf(end.delayMs);
      session.terms.realtimeEnd = null;
      onMoved(session);
    }
  };

  const beat = (now: number) => {
    slot = (slot + 1) % HEARTBEAT_SLOTS;
    for (const lane of lanes) {
      for (const stream of ["alerts", "trades"] as const) {
        publish(
          heartbeatTopic(lane, stream, slot),
          JSON.stringify(heartbeat(lane, stream, lane.delivered(), now)),
        );
      }
    }
    // A socket that is still catching up must not get a position that it has not reached.
    for (const session of sessions) {
      if (session.state !== "joining" || session.slot !== slot) continue;
      const frame = heartbeat(session.lane, session.terms.stream, session.position, now);
      session.socket?.send(JSON.stringify(frame));
    }
  };

  /** Returns the time until the next slot. Resting one second each time would accumulate the lateness of every tick. */
  const tick = (): number => {
    const now = clock.now();
    endRealtime(now);
    const due = Math.max(0, Math.floor((now - nextBeatAt) / TICK_MS) + 1);
    for (let beats = Math.min(due, HEARTBEAT_SLOTS); beats > 0; beats--) beat(now);
    nextBeatAt += due * TICK_MS;
    look();
    return nextBeatAt - now;
  };

  const ticking = createLoop({
    failure: "the sockets' tick failed",
    everyMs: TICK_MS,
    first: "later",
    clock,
    log,
    round: tick,
  });

  return {
    sessions,
    add(session) {
      sessions.add(session);
      const { realtimeEnd } = session.terms;
      if (!realtimeEnd) return;
      ending.add(session);
      nextEndAt = Math.min(nextEndAt, realtimeEnd.at);
    },
    remove(session) {
      sessions.delete(session);
      ending.delete(session);
    },
    published(bytes) {
      unlooked += bytes;
      if (unlooked < BYTES_BETWEEN_LOOKS || looking) return;
      looking = true;
      // Published frames reach the sockets' buffers when this turn ends.
      setImmediate(look);
    },
    endRealtime,
    nextSlot: () => (slots = (slots + 1) % HEARTBEAT_SLOTS),
    start() {
      nextBeatAt = clock.now() + TICK_MS;
      ticking.start();
    },
    stop: () => ticking.stop(),
    async closeAll(code, overMs, reason = CLOSE_CODES[code].meaning) {
      const leaving = [...sessions];
      if (leaving.length === 0) return;
      const steps = Math.max(1, Math.floor(overMs / DRAIN_STEP_MS));
      for (let step = 1; step <= steps; step++) {
        if (overMs > 0) await clock.sleep(overMs / steps);
        const upTo = Math.ceil((leaving.length * step) / steps);
        for (const session of leaving.slice(Math.ceil((leaving.length * (step - 1)) / steps), upTo)) {
          close(session, code, reason);
        }
      }
    },
  };
}
