// A resume next to a log that never rests: one page in each turn of the thread would stay behind it for good.
import { expect, test } from "bun:test";
import { systemClock } from "../../kit/clock.ts";
import type { FeedEntry } from "../feed/entry.ts";
import { EVERYTHING } from "../feed/filter.ts";
import { REPLAY_EVENTS } from "../feed/replay-reads.ts";
import type { Tail } from "../feed/tail.ts";
import type { Lane } from "./lane.ts";
import { settle } from "./replay.ts";
import { createSession, type Socket, type SocketTerms } from "./session.ts";

const FIRST = 50 * REPLAY_EVENTS;
const LAST = 5_000 * REPLAY_EVENTS;

test("a resume comes up to a log that grows by a page in every turn of the thread", async () => {
  let delivered = FIRST;
  let entered: number | null = null;
  const lane = {
    delivered: () => delivered,
    enterAt(seq: number) {
      entered = seq;
      return () => {};
    },
  } as unknown as Lane;
  const about = { stream: "alerts", isNews: true, isUpgrade: false, facts: null, chainId: null };
  const entryAt = (seq: number) => ({ ...about, seq, text: () => "{}" }) as unknown as FeedEntry;
  const tail = {
    recent: (after: number, limit: number) =>
      Array.from({ length: Math.min(limit, delivered - after) }, (_, place) => entryAt(after + place + 1)),
  } as unknown as Tail;
  const session = createSession({ stream: "alerts", filter: EVERYTHING } as SocketTerms, lane, 0);
  let sent = 0;
  session.socket = { send: () => ++sent, getBufferedAmount: () => 0 } as unknown as Socket;
  const grow = () => {
    if (entered !== null || delivered >= LAST) return;
    delivered += REPLAY_EVENTS;
    setImmediate(grow);
  };
  setImmediate(grow);
  await settle(session, { tail, clock: systemClock() });
  expect(sent).toBe(Number(entered));
  expect(entered).toBeWithin(FIRST, LAST);
});
