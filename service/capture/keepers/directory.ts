// Keeps the directory of traders and tokens: every upstream page, at startup and again periodically. A row that
// did not change costs no write, so a later round is cheap.

import type { Clock } from "../../../kit/clock.ts";
import type { Pace } from "../../../kit/pace.ts";
import { nextTurn } from "../../../kit/turn.ts";
import { MINUTE_MS } from "../../../kit/units.ts";
import type { Token, TokenInfo } from "../../../protocol/shapes/token.ts";
import type { Trader } from "../../../protocol/shapes/trader.ts";
import type { Store } from "../../store/store.ts";
import type { Outcome, Page, Upstream } from "../../upstream/port.ts";
import { answered, type Keeper } from "../keeper.ts";

/** Lists and search show the directory's figures; single reads are live. */
const REST_MS = 10 * MINUTE_MS;
const PAGE_DEADLINE_MS = 15_000;
/** A page is stored in parts, so that no single transaction holds up the requests of the same process. */
const ROWS_A_WRITE = 60;

export function directoryKeeper(options: {
  upstream: Upstream;
  store: Store;
  clock: Clock;
  pages: Pace;
  onTrader(trader: Trader): void;
  onToken(token: Token): void;
  /** The whole directory has been read. */
  onRead(): void;
}): Keeper {
  const { upstream, store, clock } = options;
  const pace = options.pages;
  const walk = async <Row>(
    ask: (cursor: string | null) => Promise<Outcome<Page<Row>>>,
    save: (rows: Row[], capturedAt: number) => Promise<unknown>,
    signal: AbortSignal,
  ) => {
    for (let cursor: string | null = null; !signal.aborted; ) {
      await pace.turn(signal);
      const askedAt = clock.now();
      const page: Page<Row> | undefined = answered(await ask(cursor));
      const rows = page?.rows ?? [];
      for (let start = 0; start < rows.length && !signal.aborted; start += ROWS_A_WRITE) {
        await nextTurn();
        await save(rows.slice(start, start + ROWS_A_WRITE), askedAt);
      }
      // A cursor that does not move would walk for ever.
      if (!page || page.nextCursor === null || page.nextCursor === cursor) return;
      cursor = page.nextCursor;
    }
  };
  return {
    name: "directory",
    restMs: REST_MS,
    async round(signal) {
      const call = { deadlineMs: PAGE_DEADLINE_MS, signal };
      const saveTokens = async (rows: TokenInfo[], capturedAt: number) => {
        await store.tokens.save(rows, capturedAt);
        for (const token of rows) options.onToken(token);
      };
      await walk((cursor) => upstream.tokens(cursor, call), saveTokens, signal);
      const saveTraders = async (rows: Trader[], capturedAt: number) => {
        await store.traders.save(rows, capturedAt);
        for (const trader of rows) options.onTrader(trader);
      };
      await walk((cursor) => upstream.users(cursor, call), saveTraders, signal);
      options.onRead();
    },
  };
}
