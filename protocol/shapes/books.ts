// A trader's books: every position with every move in it, as of a moment that never changes any more. Those who read them
// can work the platform's profits out again.
import { list, nullable, object, oneOf, optional, type ReadOf, type WrittenOf } from "../schema.ts";
import { amount, time, word } from "../values.ts";
import { position } from "./position.ts";

/** More than anybody holds or held; one book of them all is some megabytes. */
const BOOKS_MAX = 20_000;
const MOVES_MAX = 20_000;

const MOVE_KINDS = ["buy", "sell", "receive", "send"] as const;

const move = object({
  /** The block's time. */
  at: time,
  kind: oneOf(MOVE_KINDS),
  amount,
  /** Paid, received, or worth then, without fees; null when that is not known. */
  usd: nullable(amount),
  /** What the app and the network took. */
  feeUsd: nullable(amount),
  /** Of that, what the network took; null when that is not known apart. */
  networkFeeUsd: optional(amount),
  txHash: nullable(word),
});

const traderBook = object({
  /** As of the answer's `asOf`. */
  position,
  /** Where it stood before the first of `moves`, where older ones are no longer known; null when these are all. */
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

/** `asOf` is the moment asked for, or the last settled one before it. */
export const books = object({ asOf: time, rows: list(traderBook, BOOKS_MAX) });
export type TraderBooks = ReadOf<typeof books>;
export type WireBooks = WrittenOf<typeof books>;
