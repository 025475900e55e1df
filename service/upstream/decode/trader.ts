// People: in lists, in full, and ranked. A handle is kept as it is shown, but must be one that can be asked for.
import type { Holding } from "../../model/token.ts";
import type { Clan, LeaderboardRow, Person, Trader, Wallets } from "../../model/trader.ts";
import { address, handle, handleOf } from "./keys.ts";
import {
  allRows,
  amount,
  count,
  decimal,
  type Fields,
  fields,
  flag,
  MAX_WORD_LENGTH,
  Malformed,
  name,
  oneOf,
  orNull,
  prose,
  rank,
  text,
  time,
  uuid,
  webAddress,
  word,
} from "./read.ts";
import { holding } from "./token.ts";

/** The platform shows the ten largest; room for one that shows more, but not for a whole portfolio a row. */
const MAX_TOP_HOLDINGS = 50;
const MAX_FORMER_HANDLES = 100;
const MAX_HOLDINGS = 5_000;
const MAX_LEADERBOARD_ROWS = 1_000;

export function person(value: unknown): Person {
  return personFields(fields(value));
}

function personFields(from: Fields): Person {
  return {
    userId: uuid(from, "userId"),
    handle: handle(from, "handle"),
    displayName: name(from, "displayName"),
    avatar: webAddress(from, "avatar"),
    verified: flag(from, "verified"),
    bio: orNull(from, "bio", prose),
    twitter: orNull(from, "twitter", name),
    clan: orNull(from, "clan", clan),
    private: flag(from, "private"),
    followers: count(from, "followers"),
    following: count(from, "following"),
    trades: count(from, "trades"),
    swapCount: count(from, "swapCount"),
    volumeUsd: decimal(from, "volumeUsd"),
    pnl24h: orNull(from, "pnl24h", amount),
    createdAt: time(from, "createdAt"),
  };
}

function clan(parent: Fields, field: string): Clan {
  const from = fields(parent[field]);
  return {
    id: word(from, "id"),
    name: name(from, "name"),
    // An emoji or a picture's address, so it is text here and whoever shows it decides.
    icon: orNull(from, "icon", name),
    role: orNull(from, "role", (inside, key) => text(inside, key, MAX_WORD_LENGTH)),
  };
}

export function trader(value: unknown): Trader {
  const from = fields(value);
  const pnl = fields(from.pnl);
  return {
    ...personFields(from),
    wallets: wallets(from.wallets),
    formerHandles: allRows(from, "formerHandles", MAX_FORMER_HANDLES, handleOf),
    pnl: {
      "24h": amount(pnl, "24h"),
      "7d": amount(pnl, "7d"),
      "30d": amount(pnl, "30d"),
      all: amount(pnl, "all"),
    },
    averageHoldTimeSeconds: orNull(from, "averageHoldTimeSeconds", amount),
    holdingsCount: count(from, "holdingsCount"),
    holdings: allRows(from, "holdings", MAX_TOP_HOLDINGS, holding),
  };
}

function wallets(value: unknown): Wallets {
  const from = fields(value);
  const evidence = fields(from.evidence);
  return {
    status: oneOf(from, "status", ["resolved", "resolving"]),
    solana: orNull(from, "solana", address),
    evm: orNull(from, "evm", address),
    verified: flag(from, "verified"),
    evidence: { solana: orNull(evidence, "solana", name), evm: orNull(evidence, "evm", name) },
  };
}

export function balances(value: unknown): {
  holdings: Holding[];
  otherPnlUsd: number | null;
  perpPnlUsd: number | null;
} {
  const from = fields(value);
  return {
    holdings: allRows(from, "holdings", MAX_HOLDINGS, holding),
    otherPnlUsd: orNull(from, "otherPnlUsd", amount),
    perpPnlUsd: orNull(from, "perpPnlUsd", amount),
  };
}

export function leaderboard(value: unknown): { asOf: number; rows: LeaderboardRow[] } {
  const from = fields(value);
  const rows = allRows(from, "rows", MAX_LEADERBOARD_ROWS, leaderboardRow);
  const isRanked = rows.every((row, index) => index === 0 || row.rank >= (rows[index - 1]?.rank ?? 0));
  if (!isRanked) throw new Malformed("rank");
  return { asOf: time(from, "asOf"), rows };
}

function leaderboardRow(value: unknown): LeaderboardRow {
  const from = fields(value);
  const held = fields(from.wallets);
  return {
    rank: rank(from, "rank"),
    userId: uuid(from, "userId"),
    handle: handle(from, "handle"),
    displayName: name(from, "displayName"),
    verified: flag(from, "verified"),
    pnlUsd: amount(from, "pnlUsd"),
    volumeUsd: decimal(from, "volumeUsd"),
    trades: count(from, "trades"),
    followers: count(from, "followers"),
    holdingsCount: count(from, "holdingsCount"),
    wallets: { solana: orNull(held, "solana", address), evm: orNull(held, "evm", address) },
    topTokens: allRows(from, "topTokens", MAX_TOP_HOLDINGS, holding),
  };
}
