// Stores the results of live reads, on any node, so that they can be served while upstream is down. Responses
// don't wait for it. A read that lost a race with capture never overwrites newer data: the trader is marked in
// doubt in the database instead, and capture fetches it again.
import type { Clock } from "../../../kit/clock.ts";
import type { Log } from "../../../kit/log.ts";
import type { Board, BoardName } from "../../../protocol/shapes/board.ts";
import type { Position } from "../../../protocol/shapes/position.ts";
import type { Thesis } from "../../../protocol/shapes/thesis.ts";
import type { Token } from "../../../protocol/shapes/token.ts";
import type { PnlWindow } from "../../../protocol/shapes/trader.ts";
import type { Store } from "../store.ts";
import type { Leaderboard } from "./snapshots.ts";
import type { TokenCapture } from "./theses.ts";

export interface LiveKeeper {
  /** Each resolves to whether it was stored, and never rejects. `askedAt` is from before the request was sent. */
  positions(positions: readonly Position[], askedAt: number): Promise<boolean>;
  theses(theses: readonly Thesis[], askedAt: number): Promise<boolean>;
  tokenTheses(token: Token, theses: readonly Thesis[], capture: TokenCapture): Promise<boolean>;
  board(name: BoardName, board: Board, askedAt: number): Promise<boolean>;
  leaderboard(window: PnlWindow, leaderboard: Leaderboard, askedAt: number): Promise<boolean>;
  /** Waits for pending writes. */
  finish(): Promise<void>;
}

/** Pending writes to the database; beyond that results are dropped, since the next read returns them again. */
const PENDING_MAX = 64;

export function createLiveKeeper(parts: {
  store: Pick<Store, "positions" | "theses" | "boards" | "leaderboards" | "captures">;
  clock: Clock;
  log: Log;
}): LiveKeeper {
  const { store, clock, log } = parts;
  const pending = new Set<Promise<boolean>>();

  const keep = (what: string, write: () => Promise<void>): Promise<boolean> => {
    if (pending.size >= PENDING_MAX) {
      log.warn("live read not saved: too many pending writes", { what, pending: pending.size });
      return Promise.resolve(false);
    }
    const writing = write()
      .then(() => true)
      .catch((error) => {
        log.warn("live read could not be saved", { what, error });
        return false;
      })
      .finally(() => pending.delete(writing));
    pending.add(writing);
    return writing;
  };

  const keepPositions = async (live: readonly Position[], askedAt: number) => {
    if (live.length === 0) return;
    const known = await store.positions.byIds(live.map((position) => position.tradeId));
    const lastKnown = new Map(known.map((position) => [position.tradeId, position.lastActivityAt]));
    const isOlder = (position: Position) => (lastKnown.get(position.tradeId) ?? 0) > position.lastActivityAt;
    const lost = live.filter(isOlder);
    const rest = live.filter((position) => !isOlder(position));
    // Fewer than were read: capture stored something newer during the request.
    const overtaken = rest.length > 0 && (await store.positions.save(rest, askedAt)) < rest.length;
    const doubtful = overtaken ? live : lost;
    if (doubtful.length > 0)
      await store.captures.doubt([...new Set(doubtful.map((position) => position.userId))], clock.now());
  };

  return {
    positions: (live, askedAt) => keep("positions", () => keepPositions(live, askedAt)),
    theses: (theses, askedAt) => keep("theses", () => store.theses.save(theses, askedAt)),
    tokenTheses: (token, theses, capture) =>
      keep("a token's theses", () => store.theses.saveForToken(token, theses, capture)),
    board: (name, board, askedAt) => keep("a board", () => store.boards.save(name, board, askedAt)),
    leaderboard: (window, leaderboard, askedAt) =>
      keep("a leaderboard", () => store.leaderboards.save(window, leaderboard, askedAt)),
    async finish() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
