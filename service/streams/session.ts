// One socket's position in its stream. It is exact at every moment: live it is the lane's, otherwise its own;
// entering a lane, changing the filter and moving to another lane each happen within one turn of the event loop, so
// nothing is missed or sent twice.
import type { ServerWebSocket } from "bun";
import type { StreamName } from "../../contract/frames.ts";
import {
  CLOSE_CODES,
  type CloseCodeNumber,
  HEARTBEAT_SECONDS,
  type ServerFrame,
  type StreamFilter,
} from "../../contract/frames.ts";
import type { PlanName } from "../../contract/plans.ts";
import { EVERYTHING, type FeedFilter, filterKey } from "../feed/filter.ts";
import type { Lane } from "./lane.ts";

/** Determined at the upgrade; valid for as long as the socket is open. */
export interface SocketTerms {
  stream: StreamName;
  keyId: string | null;
  accountId: string | null;
  plan: PlanName | "keyless";
  delayMs: number;
  /** When a realtime that is only for a time ends, and the delay after it. */
  realtimeEnd: { at: number; delayMs: number } | null;
  filter: FeedFilter;
  /** The filter as its client wrote it, and notes about it. */
  described: StreamFilter;
  note: string | null;
  resume: { epoch: string; seq: number } | null;
  /** After which position of its account's paper log it wants everything; null for nothing. */
  paper: number | "latest" | null;
  /** Asked for a notice before the server shuts down. */
  notices: boolean;
  /** Releases the caller's socket slot. */
  release(): void;
}

export type Socket = ServerWebSocket<Session>;

export interface Session {
  terms: SocketTerms;
  socket: Socket | null;
  lane: Lane;
  state: "joining" | "live" | "closed";
  /** Everything up to here was sent or filtered out; while live, use `positionOf`. */
  position: number;
  /** null after an unsubscribe. */
  filter: FeedFilter | null;
  /** The filter as its client wrote it last. */
  described: StreamFilter;
  key: string;
  topic: string | null;
  /** Which second of the heartbeat's period is this socket's. */
  slot: number;
  /** On its way to its lane's position. */
  settling: boolean;
  /** Sent at the moment of going live, when there was a replay. */
  resumed: { from: number; count: number; complete: boolean } | null;
  cancelEntry: (() => void) | null;
  /** Wakes a replay that waits for the client to read. */
  drained: (() => void) | null;
  /** What is left of the client's allowance of frames, as of a time. */
  allowance: number;
  allowanceAt: number;
  /** The last of the client's frames that waits for a name to be looked up; later ones wait behind it. */
  answering: Promise<void> | null;
}

export function createSession(terms: SocketTerms, lane: Lane, slot: number): Session {
  return {
    terms,
    lane,
    slot,
    socket: null,
    state: "joining",
    position: 0,
    topic: null,
    filter: terms.filter,
    described: terms.described,
    key: filterKey(terms.filter),
    settling: false,
    resumed: null,
    cancelEntry: null,
    drained: null,
    allowance: 0,
    allowanceAt: 0,
    answering: null,
  };
}

export function send(session: Session, frame: ServerFrame): void {
  session.socket?.send(JSON.stringify(frame));
}

/** A close frame's reason has room for 123 bytes. */
const REASON_BYTES_MAX = 123;

export function close(
  session: Session,
  code: CloseCodeNumber,
  reason: string = CLOSE_CODES[code].meaning,
): void {
  const bytes = Buffer.from(reason);
  const fitting = bytes.length <= REASON_BYTES_MAX ? reason : cut(bytes);
  session.socket?.close(code, fitting);
}

/** Without the half of a character that a cut may leave. */
const cut = (bytes: Buffer) =>
  bytes
    .subarray(0, REASON_BYTES_MAX)
    .toString()
    .replace(/\uFFFD+$/, "");

function positionOf(session: Session): number {
  return session.state === "live" ? session.lane.delivered() : session.position;
}

export const heartbeatTopic = (lane: Lane, stream: StreamName, slot: number) =>
  `beat ${stream} ${lane.delayMs} ${slot}`;

export function heartbeat(lane: Lane, stream: StreamName, seq: number, now: number): ServerFrame {
  const lastEventAt = lane.lastEventAt(stream);
  const quietSeconds = lastEventAt === null ? null : Math.max(0, now - lastEventAt) / 1000;
  return { type: "heartbeat", ts: now, seq, lastEventAt, quietSeconds, lagMs: lane.lagMs() };
}

/** Goes live as soon as the lane stands at the session's position. The lane must not be past it. */
export function enter(session: Session): void {
  session.cancelEntry = session.lane.enterAt(session.position, () => {
    session.cancelEntry = null;
    if (session.state === "closed") return;
    if (session.resumed) send(session, { type: "resumed", ...session.resumed, to: session.position });
    session.resumed = null;
    session.state = "live";
    takeTopic(session);
    session.socket?.subscribe(heartbeatTopic(session.lane, session.terms.stream, session.slot));
  });
}

function takeTopic(session: Session): void {
  if (!session.filter) return;
  session.topic = session.lane.topics.join(session.terms.stream, session.key, session.filter);
  session.socket?.subscribe(session.topic);
}

function dropTopic(session: Session): void {
  if (session.topic === null) return;
  session.socket?.unsubscribe(session.topic);
  session.lane.topics.leave(session.terms.stream, session.key);
  session.topic = null;
}

/** From the next event on; what the old filter asked for up to here was sent. */
export function changeFilter(session: Session, filter: FeedFilter | null): void {
  if (session.state === "live") dropTopic(session);
  // What the socket was opened for stays, whatever it subscribes to.
  const finality = session.terms.filter.finality ?? false;
  session.filter = filter && { ...filter, finality };
  session.key = filterKey(session.filter ?? EVERYTHING);
  if (session.state === "live") takeTopic(session);
}

/** Off its lane, with its position known; `settle` takes it on from there. */
export function leave(session: Session): void {
  session.position = positionOf(session);
  session.cancelEntry?.();
  session.cancelEntry = null;
  if (session.state !== "live") return;
  dropTopic(session);
  session.socket?.unsubscribe(heartbeatTopic(session.lane, session.terms.stream, session.slot));
  session.state = "joining";
}

export function end(session: Session): void {
  if (session.state === "closed") return;
  // The socket is gone, and its subscriptions with it; what is shared has to be given back.
  session.socket = null;
  leave(session);
  session.state = "closed";
  session.drained?.();
  session.terms.release();
}

export const HEARTBEAT_SLOTS = HEARTBEAT_SECONDS;
