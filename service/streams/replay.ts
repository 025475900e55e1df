// A resume: everything that matches after the client's position, oldest first, at the speed the client reads, and
// then live, with the hand-over at one exact position. What the log no longer has is announced before anything else.
import type { Clock } from "../../kit/clock.ts";
import type { Entry } from "../feed/entry.ts";
import { admitsChain, type Filter, matches } from "../feed/filter.ts";
import { PAGE_EVENTS, type Tail } from "../feed/tail.ts";
import { close, enter, type Session, send } from "./session.ts";

/** Unread bytes above which a replay waits: enough to keep a fast reader busy, far below the bound for slow ones. */
const UNREAD_BYTES_BEFORE_WAIT = 131_072;
/** How often a waiting replay looks, in case the drain was too small to be told of. */
const LOOK_AGAIN_MS = 250;
/** A client that reads nothing for this long has gone. */
const STALL_MS = 30_000;

const RECOVER = {
  alerts: "Read /v2/alerts with since set to the ts of your last alert; what it no longer has is gone.",
  trades: "Read /v2/users/{handle}/swaps of the traders you follow; live trades go on from here.",
} as const;

export interface ReplayParts {
  tail: Tail;
  clock: Clock;
}

export async function replay(session: Session, parts: ReplayParts): Promise<void> {
  const resume = session.terms.resume;
  if (!resume) return;
  session.settling = true;
  session.position = resume.seq;
  session.resumed = { from: resume.seq, count: 0, complete: true };
  if (!(await parts.tail.issued(resume))) {
    // Not a position of this log, so there is no telling what is missing.
    gap(session, null, null);
    session.position = session.lane.delivered();
  }
  await settle(session, parts);
}

/** Sends what lies between the session's position and its lane's, then goes live there. */
export async function settle(session: Session, parts: ReplayParts): Promise<void> {
  session.settling = true;
  while (session.state !== "closed") {
    // From this look at the lane to the entry there is no pause in which it could move.
    if (session.position >= session.lane.delivered()) {
      session.settling = false;
      enter(session);
      return;
    }
    await sendPage(session, parts);
  }
}

async function sendPage(session: Session, { tail, clock }: ReplayParts): Promise<void> {
  const upTo = session.lane.delivered();
  const recent = tail.recent(session.position, PAGE_EVENTS);
  const page = recent ?? (await tail.older(session.position, upTo, session.terms.stream));
  const oldest = recent ? 0 : await tail.oldestKept();
  if (oldest > session.position + 1) {
    // Asked after reading: if anything was pruned before, this shows it.
    gap(session, session.position + 1, oldest - 1);
    session.position = oldest - 1;
  }
  // At every look, because the session may have been moved to a later lane meanwhile.
  const limit = () => Math.min(upTo, session.lane.delivered());
  let unchecked = UNREAD_BYTES_BEFORE_WAIT;
  for (const entry of page) {
    if (unchecked >= UNREAD_BYTES_BEFORE_WAIT) {
      if (!(await writable(session, clock))) return;
      unchecked = 0;
    }
    if (entry.seq > limit()) break;
    if (entry.seq <= session.position) continue;
    session.position = entry.seq;
    if (!wants(session, entry)) continue;
    const text = entry.text(session.resumed !== null);
    session.socket?.send(text);
    unchecked += text.length;
    if (session.resumed) session.resumed.count++;
  }
  // A page of one stream skips the other's positions; when it was the last one, everything is behind us.
  if (page.length < PAGE_EVENTS) session.position = Math.max(session.position, limit());
}

function gap(session: Session, fromSeq: number | null, toSeq: number | null): void {
  if (session.resumed) session.resumed.complete = false;
  send(session, { type: "gap", fromSeq, toSeq, recover: RECOVER[session.terms.stream] });
}

function wants(session: Session, entry: Entry): boolean {
  const filter: Filter | null = session.filter;
  if (!filter || entry.stream !== session.terms.stream) return false;
  if (entry.isUpgrade) return false;
  return entry.facts ? matches(filter, entry.facts) : admitsChain(filter, entry.chainId);
}

/** Waits until the client has read most of what it was sent. False when the socket is closed, or was just now. */
async function writable(session: Session, clock: Clock): Promise<boolean> {
  let unread = session.socket?.getBufferedAmount() ?? 0;
  let movedAt = clock.now();
  while (session.state !== "closed" && unread > UNREAD_BYTES_BEFORE_WAIT) {
    const rest = new AbortController();
    session.drained = () => rest.abort();
    await clock.sleep(LOOK_AGAIN_MS, rest.signal);
    session.drained = null;
    const now = session.socket?.getBufferedAmount() ?? 0;
    if (now < unread) movedAt = clock.now();
    unread = now;
    if (clock.now() - movedAt < STALL_MS) continue;
    close(session, 4008);
    return false;
  }
  return session.state !== "closed";
}
