// The port over any adapter: what each call requests. An answer about another subject than the requested one is
// malformed, like one of a wrong shape; a question that the platform declared unsupported is not sent.
import { type Capabilities, UNDECLARED } from "../../protocol/capabilities.ts";
import { readFeedPage } from "../../protocol/feeds.ts";
import { type AnswerTo, type CallName, QUESTIONS } from "../../protocol/questions.ts";
import { Malformed, type Schema } from "../../protocol/schema.ts";
import { normaliseAddress } from "../../protocol/values.ts";
import type { Adapter, AskParameters } from "./ask.ts";
import type { Call, Outcome, Upstream } from "./port.ts";

export function upstreamOver(adapter: Adapter): Upstream {
  /** From the last status; null before the first, when every question is sent. */
  let declared: Capabilities | null = null;

  const send = <Name extends CallName, T = AnswerTo<Name>>(
    name: Name,
    parameters: AskParameters,
    call: Call,
    check: (answer: AnswerTo<Name>) => T = (answer) => answer as unknown as T,
  ): Promise<Outcome<T>> => {
    if (declared && !answers(declared, name)) return Promise.resolve({ kind: "unsupported" });
    const schema = QUESTIONS[name].answer as Schema<AnswerTo<Name>, unknown>;
    return adapter.ask(name, parameters, call, (value) =>
      check(schema.read(value, "not an object", () => adapter.onDropped(name))),
    );
  };
  const status = (call: Call) =>
    send("status", {}, call, (answer) => {
      declared = answer.capabilities ?? UNDECLARED;
      return { users: answer.users, tokens: answer.tokens, capabilities: declared };
    });

  return {
    name: adapter.name,
    ping: status,
    async capabilities(call) {
      if (declared) return { kind: "found", value: declared };
      const outcome = await status(call);
      return outcome.kind === "found" ? { kind: "found", value: outcome.value.capabilities } : outcome;
    },
    traderByHandle: (handle, call) => send("userByHandle", { handle }, call),
    traderById: (userId, call) =>
      send("userById", { userId }, call, (trader) => about(trader, "userId", userId)),
    trades: (userId, query, call) =>
      send("trades", { userId, ...query }, call, (page) => {
        for (const row of [...page.open, ...page.closed]) about(row, "userId", userId);
        return page;
      }),
    balances: (userId, call) => send("balances", { userId }, call),
    following: (userId, after, call) => send("following", { userId, cursor: after }, call),
    followers: (userId, call) => send("followers", { userId }, call),
    spotlight: (userId, call) => send("spotlight", { userId }, call),
    swaps: (userId, query, call) =>
      send("swaps", { userId, ...query }, call, (page) => {
        for (const row of page.rows) about(row, "userId", userId);
        return page;
      }),
    trade: (tradeId, call) => send("trade", { tradeId }, call, (trade) => about(trade, "tradeId", tradeId)),
    comments: (tradeId, after, call) => send("comments", { tradeId, cursor: after }, call),
    books: (userId, at, call) =>
      send("books", { userId, at }, call, (books) => {
        for (const { position } of books.rows) about(position, "userId", userId);
        if (books.asOf > at) throw new Malformed("asOf");
        return books;
      }),
    leaderboard: (window, at, call) => send("leaderboard", { window, at }, call),
    ranking: (window, query, call) =>
      send("ranking", { window, ...query }, call, (page) => {
        if (page.rows.length > query.limit) throw new Malformed("rows");
        if (query.at !== undefined && page.asOf > query.at) throw new Malformed("asOf");
        return page;
      }),
    board: (name, call) =>
      send("board", { board: name }, call, (board) => {
        if (board.board !== name) throw new Malformed("board");
        return board;
      }),
    theses: (query, call) => send("theses", query, call),
    tokenTheses: (address, query, call) => send("tokenTheses", { address, ...query }, call),
    userTheses: (userId, query, call) => send("userTheses", { userId, ...query }, call),
    token: (address, networkId, call) =>
      send("token", { address, networkId }, call, (token) => ofToken(token, token, address)),
    tokenStats: (address, networkId, call) =>
      send("tokenStats", { address, networkId }, call, (stats) => ofToken(stats, stats.token, address)),
    tokenDevs: (address, networkId, call) =>
      send("tokenDevs", { address, networkId }, call, (devs) => ofToken(devs, devs.token, address)),
    candles: (address, query, call) =>
      send("candles", { address, ...query }, call, (page) => {
        ofToken(page, page.token, address);
        const isAscending = page.rows.every((row, index) => row.t > (page.rows[index - 1]?.t ?? -1));
        if (!isAscending || page.rows.length > query.limit) throw new Malformed("rows");
        return page;
      }),
    ticks: (address, query, call) =>
      send("ticks", { address, ...query }, call, (page) => {
        ofToken(page, page.token, address);
        for (const [index, { at, place }] of page.rows.entries()) {
          const before = page.rows[index - 1];
          const isLater = !before || at > before.at || (at === before.at && place > before.place);
          if (!isLater || at < query.from || at >= query.to) throw new Malformed("rows");
        }
        return page;
      }),
    quotes: (tokens, at, call) => {
      const token = tokens.map(({ networkId, address }) => `${networkId}:${address}`);
      return send("quotes", { token, at }, call, ({ rows }) => {
        const known = new Map(rows.map((row) => [`${row.networkId}:${row.address}`, row]));
        // In request order; a missing one is unknown, like one without a price.
        return tokens.map(({ networkId, address }) => {
          const key = `${networkId}:${normaliseAddress(address) ?? address}`;
          return known.get(key) ?? null;
        });
      });
    },
    image: (kind, id, call) => send("image", { kind, id }, call),
    search: (q, limit, call) =>
      send("search", { q, limit }, call, ({ users, tokens }) => ({
        traders: users.slice(0, limit),
        tokens: tokens.slice(0, limit),
      })),
    users: (after, call) => send("users", { cursor: after }, call),
    tokens: (after, call) => send("tokens", { cursor: after }, call),
    feed: (feed, after, limit, call) => {
      if (declared && !declared.feeds.includes(feed)) return Promise.resolve({ kind: "unsupported" });
      return adapter.ask("feed", { feed, after, limit }, call, (value) =>
        readFeedPage(value, feed, after, limit),
      );
    },
    watch: (onMove) => adapter.watch(onMove),
    close: () => adapter.close(),
  };
}

function answers({ questions }: Capabilities, name: CallName): boolean {
  return name === "status" || name === "feed" || questions.includes(name);
}

function about<Field extends string, T extends Record<Field, string>>(
  value: T,
  field: Field,
  asked: string,
): T {
  if (value[field] !== asked.toLowerCase()) throw new Malformed(field);
  return value;
}

function ofToken<T>(value: T, token: { address: string }, asked: string): T {
  if (token.address !== (normaliseAddress(asked) ?? asked)) throw new Malformed("address");
  return value;
}
