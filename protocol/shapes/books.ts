// A trader's books: every position with every move in it, as of a settled moment. Readers
// can recompute the platform's profits from them.
import { list, nullable, object, oneOf, optional, type ReadOf, type WrittenOf } from "../schema.ts";
import { amount, time, word } from "../values.ts";
import { position } from "./position.ts";

/** More than anyone holds or held; one book of them all is some megabytes. */
const BOOKS_MAX = 20_000;
const MOVES_MAX = 20_000;

const MOVE_KINDS = ["buy", "sell", "receive", "send"] as const;

const move = object({
  /** The block's time. */
  at: time,
  kind: oneOf(MOVE_KINDS),
  amount,
  /** Paid, received, or worth then, without fees; null when unknown. */
  usd: nullable(amount),
  /** App and network fees. */
  feeUsd: nullable(amount),
  /** The network's part of that; null when not known separately. */
  networkFeeUsd: optional(amount),
  txHash: nullable(word),
});

const traderBook = object({
  /** As of the answer's `asOf`. */
  position,
  /** Its state before the first of `moves`, if older ones are no longer known; null when these are all. */
  before: nullable(
    object({
      amount,
      costUsd: nullable(amount),
      realizedPnlUsd: nullable(amount),
      feesUsd: nullable(amount),
    }),
  ),
  /** Oldest first. */
  moves: list(move, MOVES_MAX),
});
export type TraderBook = ReadOf<typeof traderBook>;
export type WireBook = WrittenOf<typeof traderBook>;

/** `asOf` is the requested moment, or the last settled one before it. */
export const books = object({ asOf: time, rows: list(traderBook, BOOKS_MAX) });
export type TraderBooks = ReadOf<typeof books>;
export type WireBooks = WrittenOf<typeof books>;
