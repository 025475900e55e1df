// Which traders were worth following: replays every trader of the last 30 days under the standard terms, in the background.
// It uses a small share of the time and never blocks the thread. Results are in the store: each node serves the
// same rows, a restart continues where it stopped, and two nodes at work at once would write the same.
import type { Kit } from "../../../kit/kit.ts";
import { createLoop, type Loop } from "../../../kit/loop.ts";
import { seededRandom } from "../../../kit/random.ts";
import { inBackground } from "../../../kit/slices.ts";
import { nextTurn } from "../../../kit/turn.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/units.ts";
import { RANKING_ROWS_MAX } from "../../../protocol/shapes/trader.ts";
import { type Appraisal, appraise } from "../../../replay/appraise.ts";
import type { CopyBoardFigures } from "../../store/captured/copy-board.ts";
import type { Store } from "../../store/store.ts";
import type { Upstream } from "../../upstream/port.ts";
import { type BooksReader, createBooksReader, type ReadBooks } from "../profit/books-reader.ts";
import { momentOf } from "../profit/moment.ts";
import { throwingUnsupported } from "../supported.ts";
import { orUnsupported } from "../unsupported.ts";
import { copiedBooks, leaderPositions, tapeWishes } from "./leader.ts";
import { createTapeReader, type TapeReader } from "./tape.ts";
import { type CopyWindow, standardTerms, WINDOW_MS } from "./terms.ts";

export interface CopyBoardParts extends Pick<Kit, "clock" | "log"> {
  upstream: Upstream;
  store: Store;
  tapeBytesMax: number;
  /** How many traders it covers. */
  tradersMax: number;
  /** Whether this node should do the work. */
  isWriting(): boolean;
}

/** The longest window: its tape includes that of the others. */
const LONGEST = "30d";
const WINDOWS = Object.keys(WINDOW_MS) as CopyWindow[];

/** A starting process has other things to do. */
const FIRST_AFTER_MS = 30 * SECOND_MS;
const IDLE_MS = 10 * SECOND_MS;
/** How often the list of active traders is refreshed, and how often a trader is replayed. */
const ENTER_EVERY_MS = HOUR_MS;
const AGAIN_AFTER_MS = 6 * HOUR_MS;
const RETRY_AFTER_MS = 10 * MINUTE_MS;
/** It rests this many times as long as it worked, */
const REST_TIMES = 9;
/** but at least this long, so that it doesn't send requests in bursts. */
const REST_MS_MIN = 20;
const DEADLINE_MS = 10 * SECOND_MS;
/** As many as the copy route accepts: a trader with more is left out. */
const FILLS_MAX = 20_000;
const DROPPED_A_WRITE = 100;

export function createCopyBoard(parts: CopyBoardParts): Loop {
  const { store, clock, log } = parts;
  const work = createBoardWork(parts);

  const round = async (signal: AbortSignal): Promise<number> => {
    if (!parts.isWriting()) return IDLE_MS;
    const { enteredAt } = await store.copyBoard.standing();
    if (enteredAt === null || enteredAt <= clock.now() - ENTER_EVERY_MS) await work.enter(signal);
    const userId = await store.copyBoard.nextDue(clock.now());
    if (userId === null) return IDLE_MS;
    const beganAt = performance.now();
    await work.replay(userId, signal);
    return Math.max(REST_MS_MIN, REST_TIMES * (performance.now() - beganAt));
  };

  return createLoop({
    failure: "the board of who was worth following did not continue",
    everyMs: FIRST_AFTER_MS,
    first: "later",
    clock,
    log,
    round,
  });
}

/** The work itself, without the rests in between. */
export function createBoardWork({ store, clock, log, tradersMax, tapeBytesMax, ...given }: CopyBoardParts) {
  const upstream = throwingUnsupported(given.upstream);
  // Each trader is read once in several hours: a cache would never hit.
  const books = createBooksReader({ upstream, store, movesKeptMax: 0 });
  const tape = createTapeReader({ upstream, store, log, bytesMax: tapeBytesMax, turn: nextTurn });

  return {
    /** Looks up who traded; drops those who did not. */
    async enter(signal: AbortSignal): Promise<void> {
      const at = clock.now();
      const userIds = await busiest(upstream, store, tradersMax, { at: momentOf(at), signal });
      // An empty list means that the platform is unhealthy, or not ready yet.
      if (userIds.length === 0) return;
      await store.copyBoard.enter(userIds, at);
      while ((await store.copyBoard.drop(at, DROPPED_A_WRITE)) > 0) await nextTurn();
    },

    async replay(userId: string, signal: AbortSignal): Promise<void> {
      try {
        const { asOf, windows } = await appraiseAll({ books, tape }, userId, momentOf(clock.now()), signal);
        await store.copyBoard.save({ userId, asOf, dueAt: clock.now() + AGAIN_AFTER_MS }, windows);
      } catch (error) {
        if (signal.aborted) return;
        log.debug("a trader could not be replayed for the board", { userId, error: String(error) });
        await store.copyBoard.postpone(userId, clock.now() + RETRY_AFTER_MS);
      }
    },
  };
}

/** The traders with the most fills in 30 days; if the platform lacks that order, those it ranks by profit. */
async function busiest(
  upstream: Upstream,
  store: Store,
  tradersMax: number,
  { at, signal }: { at: number; signal: AbortSignal },
): Promise<string[]> {
  const call = { deadlineMs: DEADLINE_MS, signal };
  const userIds: string[] = [];
  const order = { sort: "trades", order: "desc", who: "active" } as const;
  while (userIds.length < tradersMax) {
    const limit = Math.min(RANKING_ROWS_MAX, tradersMax - userIds.length);
    const query = { ...order, at, from: userIds.length, limit };
    const outcome = await orUnsupported(upstream.ranking(LONGEST, query, call));
    if (outcome?.kind !== "found") break;
    userIds.push(...outcome.value.rows.map(({ userId }) => userId));
    if (outcome.value.rows.length < limit) return userIds;
    await nextTurn();
  }
  if (userIds.length > 0) return userIds;
  const ranked = await store.leaderboards.find(LONGEST);
  return ranked?.value.rows.slice(0, tradersMax).map(({ userId }) => userId) ?? [];
}

async function appraiseAll(
  { books, tape }: { books: BooksReader; tape: TapeReader },
  userId: string,
  moment: number,
  signal: AbortSignal,
): Promise<{ asOf: number; windows: Record<CopyWindow, CopyBoardFigures | null> }> {
  const call = { asOf: moment, deadlineMs: DEADLINE_MS, signal };
  const own = await books.read({ userId, handle: userId }, moment, call);
  await nextTurn();
  const longest = standardTerms(LONGEST, own.asOf);
  const copied = copiedBooks(own.rows, longest);
  const windows: Record<CopyWindow, CopyBoardFigures | null> = { "24h": null, "7d": null, "30d": null };
  const found = { asOf: own.asOf, windows };
  if (copied.fills === 0 || copied.fills > FILLS_MAX) return found;
  // No ladder and no curve: nothing is priced later, and holdings are valued only at the end.
  const reach = { delayMs: longest.delayMs, ends: [longest.to] };
  const { tapes } = await tape.read(tapeWishes(copied, longest, reach), call);
  for (const window of WINDOWS) {
    await nextTurn();
    windows[window] = figuresOf(await appraiseOne(own, tapes, userId, window));
  }
  return found;
}

async function appraiseOne(
  own: ReadBooks,
  tapes: Parameters<typeof leaderPositions>[1],
  userId: string,
  window: CopyWindow,
): Promise<Appraisal> {
  const terms = standardTerms(window, own.asOf);
  const positions = leaderPositions(copiedBooks(own.rows, terms), tapes);
  const random = seededRandom(userId, JSON.stringify(terms));
  return inBackground(appraise({ positions, terms, random }));
}

/** Null when nothing was copied. */
function figuresOf({ low90Usd, high90Usd, covered, ...rest }: Appraisal): CopyBoardFigures | null {
  if (low90Usd === null || high90Usd === null || covered === null) return null;
  return { ...rest, low90Usd, high90Usd, covered };
}
