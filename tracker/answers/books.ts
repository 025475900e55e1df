// One trader's books as of a moment: the moves of every position. Tokens that were spam then are marked.
import type { WireBook, WireBooks } from "../../protocol/shapes/books.ts";
import type { Booked, PositionState } from "../books/accounting.ts";
import { type TraderLedger, tokenKey } from "../books/ledger.ts";
import type { KnownToken } from "../books/tokens.ts";
import type { RosterTrader } from "../roster/roster.ts";
import type { Answering } from "./parts.ts";
import { standingAt, wirePosition } from "./positions.ts";
import { isSpam } from "./spam.ts";

/** Every position in its state at the moment, with its changes until then. */
function positionsAt(ledger: TraderLedger, at: number): { position: PositionState; booked: Booked[] }[] {
  const found = new Map<string, { position: PositionState; booked: Booked[] }>();
  for (const list of ledger.booked.values()) {
    for (const booked of list) {
      if (booked.change.timeMs >= at) break;
      const known = found.get(booked.after.tradeId) ?? { position: booked.after, booked: [] };
      known.position = booked.after;
      known.booked.push(booked);
      found.set(booked.after.tradeId, known);
    }
  }
  return [...found.values()];
}

export async function booksOf(parts: Answering, trader: RosterTrader, at?: number): Promise<WireBooks> {
  const now = parts.clock.now();
  const asOf = Math.min(at ?? now, now);
  const ledger = await parts.ledger(trader.userId);
  const rows: WireBook[] = [];
  for (const { position, booked } of positionsAt(ledger, asOf)) {
    const known = ledger.tokens.get(tokenKey(position.chainId, position.token)) as KnownToken;
    const of = parts.live.token(tokenKey(position.chainId, position.token));
    const spam = of !== undefined && (await isSpam(parts, of, asOf));
    const row = wirePosition(trader, await standingAt(parts, position, known, asOf));
    rows.push({
      position: spam ? { ...row, spam } : row,
      before: null,
      // A chain shows the network fee; an app's fee is part of the price that was paid.
      moves: booked.map(({ move }) => ({ ...move, networkFeeUsd: move.feeUsd })),
    });
  }
  return { asOf, rows };
}
