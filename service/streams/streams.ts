// Both streams of this node: the upgrade, the sockets and the feeds behind them. Sockets come and go through the
// HTTP server; events come from the log.
import type { Server, WebSocketHandler } from "bun";
import type { Chains } from "../../contract/chains.ts";
import { fault } from "../../contract/errors.ts";
import type { StreamName } from "../../contract/frames.ts";
import {
  CLOSE_CODES,
  FRAME_BYTES_MAX,
  HEARTBEAT_SECONDS,
  STREAMS,
  UNREAD_BYTES_MAX,
} from "../../contract/frames.ts";
import { KEYLESS, PLANS } from "../../contract/plans.ts";
import type { Kit } from "../../kit/kit.ts";
import type { Access } from "../access/access.ts";
import type { NameDirectory } from "../feed/resolve-filter.ts";
import type { Tail } from "../feed/tail.ts";
import { answer, mayTalk } from "./client-frames.ts";
import { createHub } from "./hub.ts";
import { createLane } from "./lane.ts";
import { createPaperFeed, type PaperFeedParts } from "./paper.ts";
import { replay, settle } from "./replay.ts";
import { close, createSession, end, enter, type Session, type Socket, send } from "./session.ts";
import { admit } from "./upgrade.ts";
import { createWatch } from "./watch.ts";

/** A socket that neither takes nor gives anything for this long is dead; heartbeats come three times as often. */
const IDLE_SECONDS = 60;
/** The hard stop behind the bound for slow readers, for a burst that one turn of the event loop can bring. */
const BACKPRESSURE_BYTES = 4 * UNREAD_BYTES_MAX;

export interface StreamsParts extends Pick<Kit, "clock" | "log" | "metrics"> {
  /** Started before the streams are, and stopped after them. */
  tail: Tail;
  database: PaperFeedParts["database"];
  bus: PaperFeedParts["bus"];
  access: Pick<
    Access,
    | "identify"
    | "identifyKey"
    | "identifyTicket"
    | "redeemTicket"
    | "pace"
    | "openSocket"
    | "delayMsOf"
    | "keys"
    | "onChange"
  >;
  chains: Chains;
  directory: NameDirectory;
  allowedOrigins: readonly string[];
  /** Where a caller finds a plan that includes what theirs does not. */
  upgradeUrl: string;
}

type SocketUpgrade = (
  request: Request,
  server: Server<Session>,
  address: string,
) => Promise<Response | undefined>;

export interface Streams {
  /** By path. A refusal is thrown as a fault. */
  upgrades: Record<string, SocketUpgrade>;
  handler: WebSocketHandler<Session>;
  /** Before the server takes connections, so that the first socket finds everything ready. */
  start(): Promise<void>;
  /** Sockets that asked get a notice; then all are closed, spread over the given time. New ones are refused. */
  drain(graceMs: number): Promise<void>;
  stop(): Promise<void>;
  /** `seq`: the position up to which realtime sockets have everything. */
  counts(): { sockets: number; topics: number; seq: number };
}

export function createStreams(parts: StreamsParts): Streams {
  const { tail, access, clock, log, metrics } = parts;
  const closes = metrics.counter("crowdtape_stream_closes_total", "Sockets closed, by code.");
  const frames = metrics.counter("crowdtape_stream_frames_total", "Event frames made for topics, by delay.");
  const replays = metrics.counter("crowdtape_stream_resumes_total", "Resumes asked for.");

  let server: Server<Session> | null = null;
  let accepting = false;
  const publish = (topic: string, text: string) => {
    server?.publish(topic, text);
    hub.published(text.length);
  };

  const lanes = DELAYS_MS.map((delayMs) => {
    const framesOf = frames.of({ delay: String(delayMs / 1000) });
    return createLane({
      delayMs,
      tail,
      clock,
      log,
      publish: (topic, text) => {
        framesOf.add();
        publish(topic, text);
      },
      beforeEvent: (capturedAt) => delayMs === 0 && hub.endRealtime(capturedAt),
    });
  });
  const laneOf = (delayMs: number) => {
    const lane = lanes.find((one) => one.delayMs === delayMs);
    if (!lane) throw new RangeError(`no feed is ${delayMs} ms late`);
    return lane;
  };
  const hub = createHub({
    lanes,
    laneOf,
    clock,
    log,
    publish,
    onMoved(session) {
      welcome(session);
      // One that is catching up finds the new lane by itself.
      if (!session.settling) untilLive(session, settle(session, { tail, clock }));
    },
  });
  const paper = createPaperFeed({ ...parts });
  const watch = createWatch({ access, sessions: hub.sessions, clock, log });
  tail.listen({
    onEntries() {
      for (const lane of lanes) lane.wake();
    },
    async onRebuilt() {
      await hub.closeAll(1001, 0, "The log was rebuilt; connect again.");
      for (const lane of lanes) await lane.start();
    },
  });

  const counts = () => ({
    sockets: hub.sessions.size,
    topics: lanes.reduce((sum, lane) => sum + lane.topics.count(), 0),
    seq: laneOf(0).delivered(),
  });
  metrics.probe("crowdtape_stream_sockets", "Open sockets.", () => counts().sockets);
  metrics.probe("crowdtape_stream_topics", "Distinct filters among them.", () => counts().topics);
  metrics.probe("crowdtape_stream_lag_ms", "How late the realtime feed is.", () => laneOf(0).lagMs());

  const welcome = (session: Session) => {
    const { stream, plan, realtimeEnd } = session.terms;
    const delaySeconds = session.lane.delayMs / 1000;
    send(session, {
      type: "welcome",
      stream,
      realtime: delaySeconds === 0,
      delaySeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      plan,
      filter: session.described,
      seq: session.lane.delivered(),
      epoch: tail.epoch(),
      oldestSeq: tail.oldestKnown(),
      note: joined(noteOf(plan, delaySeconds, realtimeEnd), session.terms.note),
    });
  };

  const untilLive = (session: Session, catchingUp: Promise<void>) => {
    catchingUp.catch((error) => {
      log.warn("A replay ended early.", { error });
      close(session, 1001, "The log could not be read; connect again and resume.");
    });
  };

  const upgradeTo =
    (stream: StreamName): SocketUpgrade =>
    async (request, from, address) => {
      const refuseWhenClosing = () => {
        if (!accepting) throw fault("unavailable", "This server is shutting down.", { retryAfterSeconds: 1 });
      };
      refuseWhenClosing();
      server = from;
      const terms = await admit(request, stream, address, parts);
      const session = createSession(terms, laneOf(terms.delayMs), hub.nextSlot());
      // The drain may have begun while the caller was looked up.
      if (accepting && from.upgrade(request, { data: session })) return undefined;
      terms.release();
      refuseWhenClosing();
      throw fault("invalid_parameter", "The WebSocket handshake is not complete.");
    };

  return {
    upgrades: { [STREAMS.alerts.path]: upgradeTo("alerts"), [STREAMS.trades.path]: upgradeTo("trades") },
    handler: {
      maxPayloadLength: FRAME_BYTES_MAX,
      backpressureLimit: BACKPRESSURE_BYTES,
      closeOnBackpressureLimit: true,
      idleTimeout: IDLE_SECONDS,
      sendPings: true,
      perMessageDeflate: false,
      open(socket: Socket) {
        const session = socket.data;
        session.socket = socket;
        hub.add(session);
        welcome(session);
        session.position = session.lane.delivered();
        paper.join(session);
        if (!session.terms.resume) return enter(session);
        replays.add();
        untilLive(session, replay(session, { tail, clock }));
      },
      message: (socket, message) => answer(socket.data, message, parts),
      ping: (socket) => void mayTalk(socket.data, clock.now()),
      drain: (socket) => socket.data.drained?.(),
      close(socket, code) {
        const session = socket.data;
        closes.of({ code: code in CLOSE_NAMES ? String(code) : "other" }).add();
        end(session);
        paper.leave(session);
        hub.remove(session);
      },
    },
    async start() {
      for (const lane of lanes) await lane.start();
      hub.start();
      watch.start();
      paper.start();
      accepting = true;
    },
    async drain(graceMs) {
      accepting = false;
      for (const session of hub.sessions) {
        if (session.terms.notices) send(session, { type: "reconnect", graceMs });
      }
      await hub.closeAll(1001, graceMs);
    },
    async stop() {
      accepting = false;
      await hub.closeAll(1001, 0);
      await Promise.all([watch.stop(), hub.stop(), paper.stop(), ...lanes.map((lane) => lane.stop())]);
    },
    counts,
  };
}

/** One feed for each delay that a caller can have. */
const DELAYS_MS = [
  ...new Set([
    0,
    ...Object.values(PLANS).map((plan) => plan.delaySeconds * 1000),
    KEYLESS.delaySeconds * 1000,
  ]),
];

const CLOSE_NAMES: Record<number, unknown> = { 1000: "normal", 1006: "lost", ...CLOSE_CODES };

const joined = (...notes: (string | null)[]) => notes.filter((note) => note !== null).join(" ") || null;

function noteOf(plan: string, delaySeconds: number, realtimeEnd: { at: number; delayMs: number } | null) {
  if (realtimeEnd) {
    const until = new Date(realtimeEnd.at).toISOString();
    return `Realtime until ${until}, then ${realtimeEnd.delayMs / 1000} seconds late. Paid plans stay realtime.`;
  }
  if (plan === "keyless") return `Without a key this feed is ${delaySeconds} seconds late.`;
  return delaySeconds === 0
    ? null
    : `This plan's feed is ${delaySeconds} seconds late. Paid plans are realtime.`;
}
