// A token board. Its order matters, so ranks must increase from row to row and one bad row invalidates the board.
import { checked, list, nullable, object, oneOf, optional, type ReadOf, type WrittenOf } from "../schema.ts";
import { amount, count, decimal, rank, time } from "../values.ts";
import { token } from "./token.ts";

const BOARD_ROWS_MAX = 1_000;

export const BOARD_NAMES = ["trending", "most-held", "graduated"] as const;
export type BoardName = (typeof BOARD_NAMES)[number];

const boardRow = object({
  rank,
  token,
  /** null on most-held. */
  holders: nullable(count),
  priceUsd: nullable(amount),
  change24h: nullable(amount),
  marketCapUsd: nullable(amount),
  volume24hUsd: nullable(decimal),
  asOf: optional(time),
});
export type BoardRow = ReadOf<typeof boardRow>;

/** A hidden honeypot is left out and its rank is not given to another token. */
export const board = checked(
  object({ board: oneOf(BOARD_NAMES), asOf: time, rows: list(boardRow, BOARD_ROWS_MAX) }),
  ({ rows }) => (rows.every((row, index) => row.rank > (rows[index - 1]?.rank ?? 0)) ? null : "rank"),
);
export type Board = ReadOf<typeof board>;
export type WireBoard = WrittenOf<typeof board>;
