// An account's paper orders, for those of its sockets that asked: the account's own log, read after a position, so
// that nothing is missed or sent twice. No other account's socket can reach it.
import { UNREAD_BYTES_MAX } from "../../contract/frames.ts";
import type { Database } from "../../database/database.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop } from "../../kit/loop.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { Bus } from "../bus/port.ts";
import { paperAfter, paperHead } from "../store/money/follows.ts";
import type { Session } from "./session.ts";

export interface PaperFeed {
  /** Once the socket is open, if it asked. */
  join(session: Session): void;
  leave(session: Session): void;
  start(): void;
  stop(): Promise<void>;
}

export interface PaperFeedParts extends Pick<Kit, "clock" | "log"> {
  database: Pick<Database, "read">;
  bus: Pick<Bus, "listen">;
}

/** A lost hint costs this much freshness and nothing else. */
const POLL_MS = 1_000;
/** Rows of one read: some hundred kilobytes. */
const PAGE_ROWS = 100;

export function createPaperFeed({ database, bus, clock, log }: PaperFeedParts): PaperFeed {
  /** Each account's sent position; null until its start is known. */
  const readers = new Map<Session, number | null>();
  /** Accounts that may have something to send. */
  const due = new Set<Session>();
  let allDueAt = Number.NEGATIVE_INFINITY;

  /** Sends the next page; true when there may be more. */
  const serve = async (session: Session): Promise<boolean> => {
    const from = readers.get(session);
    if (from === undefined) return false;
    const accountId = session.terms.accountId as string;
    if (from === null) {
      const head = await paperHead(database.read, accountId);
      // Accounts that disconnected meanwhile are no longer read for.
      if (readers.has(session)) readers.set(session, head);
      return false;
    }
    // One that does not read waits; it is closed at its bound like any other.
    if ((session.socket?.getBufferedAmount() ?? 0) > UNREAD_BYTES_MAX / 2) return false;
    const rows = await paperAfter(database.read, accountId, from, PAGE_ROWS);
    if (!readers.has(session)) return false;
    for (const { seq, followId, handle, userId, body } of rows) {
      const order = JSON.parse(body) as Record<string, unknown>;
      session.socket?.send(JSON.stringify({ type: "paper", paperSeq: seq, followId, handle, userId, order }));
      readers.set(session, seq);
    }
    return rows.length === PAGE_ROWS;
  };

  const serving = createLoop({
    failure: "sockets were not sent what paper follows booked",
    everyMs: POLL_MS,
    clock,
    log,
    async round() {
      const isForAll = clock.now() >= allDueAt;
      if (isForAll) for (const session of readers.keys()) due.add(session);
      // Those that become due meanwhile, or still are, are for the next round.
      for (const session of [...due]) {
        due.delete(session);
        if (await serve(session)) due.add(session);
        // SQLite is synchronous: all of them would be one turn.
        await nextTurn();
      }
      if (isForAll) allDueAt = clock.now() + POLL_MS;
      if (readers.size === 0) return Number.POSITIVE_INFINITY;
      return due.size > 0 ? 0 : Math.max(0, allDueAt - clock.now());
    },
  });
  const hear = (session: Session) => {
    due.add(session);
    serving.wake();
  };
  const stopHearing = bus.listen((message) => {
    if (message.kind !== "paper") return;
    for (const session of readers.keys()) if (session.terms.accountId === message.accountId) hear(session);
  });

  return {
    join(session) {
      const { paper, accountId } = session.terms;
      if (paper === null || accountId === null) return;
      readers.set(session, paper === "latest" ? null : paper);
      hear(session);
    },
    leave(session) {
      readers.delete(session);
      due.delete(session);
    },
    start: serving.start,
    async stop() {
      stopHearing();
      await serving.stop();
    },
  };
}
