// A resume: everything that matches after the client's position, oldest first, at the speed the client reads, and
// then live, with the handover at one exact position. It yields between pages, so that no other socket waits for it, and
// scans a bounded part of the log: anything beyond, or pruned from the log, is announced as a gap.

import type { StreamName } from "../../contract/frames.ts";
import type { Clock } from "../../kit/clock.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { FeedEntry } from "../feed/entry.ts";
import { admitsChain, EVERYTHING, type FeedFilter, filterKey, matches } from "../feed/filter.ts";
import { REPLAY_EVENTS } from "../feed/replay-reads.ts";
import type { Tail } from "../feed/tail.ts";
import { close, enter, type Session, send } from "./session.ts";

/** Unread bytes above which a replay waits: enough to keep a fast reader busy, far below the bound for slow ones. */
const UNREAD_BYTES_BEFORE_WAIT = 131_072;
/** How often a waiting replay polls, in case the drain was too small to be reported. */
const LOOK_AGAIN_MS = 250;
/** A client that reads nothing for this long is considered gone. */
const STALL_MS = 30_000;

/** How far back a resume reaches if it has to scan every event: a day of a busy log. Further back is a gap. */
const REPLAYED_POSITIONS_MAX = 200_000;
/** Work of one resume: some seconds on the thread, shared with everything else. */
const WORK_MAX = 4_000;
/** A page of a few events, a unit of that work; and one for which an index was searched and little found. */
const PAGE_WORK = 1;
const SEARCH_WORK = 4;

/** Pages of one turn of the event loop. With one page a turn, a busy thread has fewer turns than the log has pages, for good. */
const TURN_MS = 4;

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
    // Not a position of this log, so what is missing is unknown.
    gap(session, null, parts.tail.epoch());
    session.position = session.lane.delivered();
  }
  await settle(session, parts);
}

/** Sends what lies between the session's position and its lane's, then goes live there. */
export async function settle(session: Session, parts: ReplayParts): Promise<void> {
  session.settling = true;
  // Only the first page is sent at once: many sockets may open in the same turn.
  let turnBeganAt = Number.NEGATIVE_INFINITY;
  for (let work = 0; session.state !== "closed"; ) {
    if (work > 0 && performance.now() - turnBeganAt >= TURN_MS) {
      await nextTurn();
      turnBeganAt = performance.now();
    }
    if (work >= WORK_MAX) skipTo(session, session.lane.delivered(), parts.tail);
    // There is no await between reading the lane and joining it, so it can't move.
    if (session.position >= session.lane.delivered()) {
      session.settling = false;
      enter(session);
      return;
    }
    work += await sendPage(session, parts);
  }
}

/** Returns what it cost. */
async function sendPage(session: Session, { tail, clock }: ReplayParts): Promise<number> {
  const upTo = session.lane.delivered();
  const { stream } = session.terms;
  const recent = tail.recent(session.position, REPLAY_EVENTS);
  // Every trade has to be looked at; alerts only where the filter leaves no index to lead.
  const isWalk = recent !== undefined || stream === "trades" || session.key === EVERYTHING_KEY;
  if (!recent) {
    skipTo(session, (await tail.oldestKept()) - 1, tail);
    if (isWalk) skipTo(session, upTo - REPLAYED_POSITIONS_MAX, tail);
  }
  // A new filter may match rows that the old one's page left out; then the page is re-read.
  const { key } = session;
  const page = recent
    ? { entries: recent, reached: recent.length < REPLAY_EVENTS ? upTo : 0 }
    : await tail.matching(session.position, upTo, stream, session.filter ?? EVERYTHING, () =>
        isOver(session),
      );
  // Checked again after reading: this shows if anything was pruned meanwhile.
  if (!recent) skipTo(session, (await tail.oldestKept()) - 1, tail);
  // On every check, because the session may have been moved to a later lane meanwhile.
  const cost = isWalk || page.entries.length >= REPLAY_EVENTS ? PAGE_WORK : SEARCH_WORK;
  const limit = () => Math.min(upTo, session.lane.delivered());
  let unchecked = UNREAD_BYTES_BEFORE_WAIT;
  for (const entry of page.entries) {
    if (unchecked >= UNREAD_BYTES_BEFORE_WAIT) {
      if (!(await writable(session, clock))) return cost;
      unchecked = 0;
    }
    if (entry.seq > limit() || session.key !== key) return cost;
    if (entry.seq <= session.position) continue;
    session.position = entry.seq;
    if (!wants(session, entry)) continue;
    const text = entry.text(session.resumed !== null);
    session.socket?.send(text);
    unchecked += text.length;
    if (session.resumed) session.resumed.count++;
  }
  if (session.key !== key) return cost;
  // Positions in between are the other stream's, or do not match.
  session.position = Math.max(session.position, Math.min(page.reached, limit()));
  return cost;
}

const isOver = (session: Session) => session.state === "closed";

const EVERYTHING_KEY = filterKey(EVERYTHING);

/** Skips everything up to a position, and announces it. */
function skipTo(session: Session, position: number, tail: Tail): void {
  if (position <= session.position) return;
  gap(session, { from: session.position + 1, to: position }, tail.epoch());
  session.position = position;
}

function gap(session: Session, missing: { from: number; to: number } | null, epoch: string): void {
  if (session.resumed) session.resumed.complete = false;
  const range = { fromSeq: missing?.from ?? null, toSeq: missing?.to ?? null };
  send(session, { type: "gap", ...range, recover: recoverBy(session.terms.stream, missing, epoch) });
}

function recoverBy(stream: StreamName, missing: { from: number; to: number } | null, epoch: string): string {
  if (stream === "trades")
    return "Read /v2/users/{handle}/swaps of the traders you follow; live trades continue from here.";
  const bounds = missing
    ? `order=asc&cursor=${epoch}.${missing.from - 1}&before=${epoch}.${missing.to + 1}`
    : "since={the ts of your last alert}";
  return `Read /v2/alerts?${bounds} with your filter, page by page; what it no longer has is gone.`;
}

function wants(session: Session, entry: FeedEntry): boolean {
  const filter: FeedFilter | null = session.filter;
  if (!filter || !entry.isNews || entry.stream !== session.terms.stream) return false;
  if (entry.isUpgrade && !filter.finality) return false;
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
