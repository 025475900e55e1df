// An account's paper orders, for those of its sockets that asked: the account's own log, read after a position, so
// that nothing is missed or sent twice. No other account's socket can reach it. Sockets that are up to date need no read of
// their own: one query returns the heads of many accounts' logs.
import { UNREAD_BYTES_MAX } from "../../contract/frames.ts";
import type { Database } from "../../database/database.ts";
import { chunksOf } from "../../kit/chunks.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop } from "../../kit/loop.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { Bus } from "../bus/port.ts";
import { paperAfter, paperHeads } from "../store/money/follows.ts";
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
/** Accounts per query, one index step each: a millisecond or two of the thread. */
const ACCOUNTS_MAX = 1_024;
/** Rows of one read: some hundred kilobytes. */
const PAGE_ROWS = 100;

/** Each socket's sent position; null until its start is known. */
type Readers = Map<Session, number | null>;

export function createPaperFeed({ database, bus, clock, log }: PaperFeedParts): PaperFeed {
  const accounts = new Map<string, Readers>();
  /** Accounts whose log may have moved. */
  const asked = new Set<string>();
  /** Sockets that are not up to date, with a head that their log has reached. */
  const behind = new Map<Session, number>();
  let allDueAt = Number.NEGATIVE_INFINITY;

  /** Reads the heads of these accounts' logs and notes which sockets are behind. */
  const look = async (accountIds: readonly string[]) => {
    const heads = await paperHeads(database.read, accountIds);
    for (const accountId of accountIds) {
      const head = heads.get(accountId) ?? 0;
      // Sockets that closed meanwhile are no longer in it.
      const readers: Readers = accounts.get(accountId) ?? new Map();
      for (const [session, position] of readers) {
        if (position === null) readers.set(session, head);
        else if (position < head) behind.set(session, head);
      }
    }
  };

  /** Sends the next page; true when there may be more. */
  const serve = async (session: Session, head: number): Promise<boolean> => {
    const accountId = session.terms.accountId as string;
    const from = accounts.get(accountId)?.get(session) ?? null;
    if (from === null) return false;
    // One that does not read waits; it is closed at its bound like any other.
    if ((session.socket?.getBufferedAmount() ?? 0) > UNREAD_BYTES_MAX / 2) return false;
    const rows = await paperAfter(database.read, accountId, from, PAGE_ROWS);
    const readers = accounts.get(accountId);
    if (!readers?.has(session)) return false;
    for (const { seq, followId, handle, userId, body } of rows) {
      const order = JSON.parse(body) as Record<string, unknown>;
      session.socket?.send(JSON.stringify({ type: "paper", paperSeq: seq, followId, handle, userId, order }));
      readers.set(session, seq);
    }
    if (rows.length === PAGE_ROWS) return true;
    // Orders missing up to the head were deleted with their follow; they are not looked for again.
    readers.set(session, Math.max(rows.at(-1)?.seq ?? from, head));
    return false;
  };

  const serving = createLoop({
    failure: "sockets were not sent what paper follows booked",
    everyMs: POLL_MS,
    clock,
    log,
    async round() {
      const isForAll = clock.now() >= allDueAt;
      if (isForAll) for (const accountId of accounts.keys()) asked.add(accountId);
      // Those that become due meanwhile, or still are, are for the next round.
      const now = [...asked];
      asked.clear();
      for (const part of chunksOf(now, ACCOUNTS_MAX)) {
        await look(part);
        // SQLite is synchronous: all of them would be one turn.
        await nextTurn();
      }
      for (const [session, head] of [...behind]) {
        behind.delete(session);
        if (await serve(session, head)) behind.set(session, head);
        await nextTurn();
      }
      if (isForAll) allDueAt = clock.now() + POLL_MS;
      if (accounts.size === 0) return Number.POSITIVE_INFINITY;
      return asked.size + behind.size > 0 ? 0 : Math.max(0, allDueAt - clock.now());
    },
  });
  const hear = (accountId: string) => {
    if (!accounts.has(accountId)) return;
    asked.add(accountId);
    serving.wake();
  };
  const stopHearing = bus.listen((message) => {
    if (message.kind === "paper") hear(message.accountId);
  });

  return {
    join(session) {
      const { paper, accountId } = session.terms;
      if (paper === null || accountId === null) return;
      const readers: Readers = accounts.get(accountId) ?? new Map();
      accounts.set(accountId, readers.set(session, paper === "latest" ? null : paper));
      hear(accountId);
    },
    leave(session) {
      const { accountId } = session.terms;
      if (accountId === null) return;
      const readers = accounts.get(accountId);
      readers?.delete(session);
      if (readers?.size === 0) accounts.delete(accountId);
      behind.delete(session);
    },
    start: serving.start,
    async stop() {
      stopHearing();
      await serving.stop();
    },
  };
}
