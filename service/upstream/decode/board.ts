// A token board. Its order is the answer, so ranks must grow from row to row and one bad row spoils the board.
import type { Board, BoardName, BoardRow } from "../../model/board.ts";
import { BOARD_NAMES } from "../../model/board.ts";
import { allRows, amount, count, decimal, fields, Malformed, oneOf, orNull, rank, time } from "./read.ts";
import { token } from "./token.ts";

const MAX_BOARD_ROWS = 1_000;

export function board(value: unknown, asked: BoardName): Board {
  const from = fields(value);
  if (oneOf(from, "board", BOARD_NAMES) !== asked) throw new Malformed("board");
  const rows = allRows(from, "rows", MAX_BOARD_ROWS, boardRow);
  let last = 0;
  for (const row of rows) {
    if (row.rank <= last) throw new Malformed("rank");
    last = row.rank;
  }
  return { board: asked, asOf: time(from, "asOf"), rows };
}

function boardRow(value: unknown): BoardRow {
  const from = fields(value);
  return {
    rank: rank(from, "rank"),
    token: token(from.token),
    holders: orNull(from, "holders", count),
    priceUsd: orNull(from, "priceUsd", amount),
    change24h: orNull(from, "change24h", amount),
    marketCapUsd: orNull(from, "marketCapUsd", amount),
    volume24hUsd: orNull(from, "volume24hUsd", decimal),
  };
}
