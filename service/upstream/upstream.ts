// The port over any adapter: what each call asks for and how its answer is decoded. An answer about another subject
// than the one asked for is malformed, like one of a wrong shape.
import { normaliseAddress } from "../model/token.ts";
import type { Adapter, CallName } from "./ask.ts";
import { board } from "./decode/board.ts";
import { feedBatch } from "./decode/feed.ts";
import { fillsPage, positionDetail, spotlight, tradesPage } from "./decode/position.ts";
import {
  allRows,
  count,
  cursor,
  type Decoder,
  type Fields,
  fields,
  flag,
  goodRows,
  Malformed,
} from "./decode/read.ts";
import { comment, thesis } from "./decode/thesis.ts";
import { tokenDevs, tokenInfo, tokenStats } from "./decode/token.ts";
import { balances, leaderboard, person, trader } from "./decode/trader.ts";
import type { Page, Upstream } from "./port.ts";

/** The directory comes 500 a page, theses 95, names 50 or 200; anything longer is not a page. */
const MAX_PAGE_ROWS = 1_000;

export function upstreamOver(adapter: Adapter): Upstream {
  const { ask } = adapter;
  /** Rows that may be left out when they are bad: nothing about the others becomes untrue. */
  const loosely =
    <T>(name: CallName, decode: Decoder<T>) =>
    (from: Fields, field: string): T[] =>
      goodRows(from, field, MAX_PAGE_ROWS, decode, () => adapter.onDropped(name));
  const loosePage =
    <T>(name: CallName, decode: Decoder<T>) =>
    (value: unknown): Page<T> => {
      const from = fields(value);
      return { rows: loosely(name, decode)(from, "rows"), nextCursor: cursor(from, "nextCursor") };
    };
  const people = (from: Fields) => ({
    rows: allRows(from, "rows", MAX_PAGE_ROWS, person),
    total: count(from, "total"),
  });

  return {
    name: adapter.name,
    ping: (call) =>
      ask("status", {}, call, (value) => {
        const from = fields(value);
        return { users: count(from, "users"), tokens: count(from, "tokens") };
      }),
    traderByHandle: (handle, call) => ask("userByHandle", { handle }, call, trader),
    traderById: (userId, call) =>
      ask("userById", { userId }, call, (value) => about(trader(value), "userId", userId)),
    trades: (userId, query, call) =>
      ask("trades", { userId, ...query }, call, (value) => {
        const page = tradesPage(value);
        for (const row of [...page.open, ...page.closed]) about(row, "userId", userId);
        return page;
      }),
    balances: (userId, call) => ask("balances", { userId }, call, balances),
    following: (userId, after, call) =>
      ask("following", { userId, cursor: after }, call, (value) => {
        const from = fields(value);
        return { ...people(from), nextCursor: cursor(from, "nextCursor") };
      }),
    followers: (userId, call) => ask("followers", { userId }, call, (value) => people(fields(value))),
    spotlight: (userId, call) => ask("spotlight", { userId }, call, spotlight),
    swaps: (userId, query, call) =>
      ask("swaps", { userId, ...query }, call, (value) => {
        const page = fillsPage(value);
        for (const row of page.rows) about(row, "userId", userId);
        return page;
      }),
    trade: (tradeId, call) =>
      ask("trade", { tradeId }, call, (value) => about(positionDetail(value), "tradeId", tradeId)),
    comments: (tradeId, after, call) =>
      ask("comments", { tradeId, cursor: after }, call, loosePage("comments", comment)),
    leaderboard: (window, call) => ask("leaderboard", { window }, call, leaderboard),
    board: (name, call) => ask("board", { board: name }, call, (value) => board(value, name)),
    theses: (query, call) => ask("theses", query, call, loosePage("theses", thesis)),
    tokenTheses: (address, query, call) =>
      ask("tokenTheses", { address, ...query }, call, (value) => {
        const from = fields(value);
        return { rows: loosely("tokenTheses", thesis)(from, "rows"), hasMore: flag(from, "hasMore") };
      }),
    userTheses: (userId, query, call) =>
      ask("userTheses", { userId, ...query }, call, loosePage("userTheses", thesis)),
    token: (address, networkId, call) =>
      ask("token", { address, networkId }, call, (value) => ofToken(tokenInfo(value), address)),
    tokenStats: (address, networkId, call) =>
      ask("tokenStats", { address, networkId }, call, (value) => {
        const stats = tokenStats(value);
        ofToken(stats.token, address);
        return stats;
      }),
    tokenDevs: (address, networkId, call) =>
      ask("tokenDevs", { address, networkId }, call, (value) => {
        const devs = tokenDevs(value);
        ofToken(devs.token, address);
        return devs;
      }),
    search: (q, limit, call) =>
      ask("search", { q, limit }, call, (value) => {
        const from = fields(value);
        return {
          traders: loosely("search", person)(from, "users").slice(0, limit),
          tokens: loosely("search", tokenInfo)(from, "tokens").slice(0, limit),
        };
      }),
    users: (after, call) => ask("users", { cursor: after }, call, loosePage("users", trader)),
    tokens: (after, call) => ask("tokens", { cursor: after }, call, loosePage("tokens", tokenInfo)),
    feed: (feed, after, limit, call) =>
      ask("feed", { feed, after, limit }, call, (value) => feedBatch(value, feed, after, limit)),
    watch: (onMove) => adapter.watch(onMove),
    close: () => adapter.close(),
  };
}

function about<Field extends string, T extends Record<Field, string>>(
  value: T,
  field: Field,
  asked: string,
): T {
  if (value[field] !== asked.toLowerCase()) throw new Malformed(field);
  return value;
}

function ofToken<T extends { address: string }>(value: T, asked: string): T {
  if (value.address !== (normaliseAddress(asked) ?? asked)) throw new Malformed("address");
  return value;
}
