// A token board as the platform ranks it. A rank that is missing belongs to a token that the platform hides.
import type { Token } from "./token.ts";

export const BOARD_NAMES = ["trending", "most-held", "graduated"] as const;
export type BoardName = (typeof BOARD_NAMES)[number];

export interface BoardRow {
  rank: number;
  token: Token;
  holders: number | null;
  priceUsd: number | null;
  change24h: number | null;
  marketCapUsd: number | null;
  volume24hUsd: number | null;
}

export interface Board {
  board: BoardName;
  asOf: number;
  rows: BoardRow[];
}
