// Search: a transaction among captured fills; otherwise the directory's index first, then upstream.
import { KEYLESS } from "../../../contract/plans.ts";
import type { Routes } from "../../../contract/routes.ts";
import { SECOND_MS } from "../../../kit/units.ts";
import { normaliseAddress } from "../../../protocol/values.ts";
import type { Handler, RouteCall } from "../answer.ts";
import { presentTokenResult, presentTradeResult, presentTraderResult } from "../present/tokens.ts";
import { type SearchType, searchEverywhere } from "../search.ts";
import type { Services } from "../services.ts";

type SearchParts = Pick<Services, "upstream" | "search" | "store" | "moderation" | "labels" | "clock">;

const EVM_TRANSACTION = /^0x[0-9a-f]{64}$/i;
const SOLANA_TRANSACTION = /^[1-9A-HJ-NP-Za-km-z]{80,90}$/;

/** A transaction hash in stored form; null when the text can't be one. */
function transactionOf(q: string): string | null {
  if (EVM_TRANSACTION.test(q)) return q.toLowerCase();
  return SOLANA_TRANSACTION.test(q) ? q : null;
}

/** Extra results requested, because tokens that the operator marked as spam are dropped. */
const SPAM_SPARE = 10;

export function searchRoutes(services: SearchParts): {
  [Id in "search" | "searchTokens"]: Handler<Routes[Id]>;
} {
  const { store, moderation, labels, clock } = services;
  /** Reads one more than requested, to know whether there are more. */
  const find = async (q: string, type: SearchType, limit: number, call: RouteCall) => {
    const found = await searchEverywhere(services, { q, type, limit: limit + 1 + SPAM_SPARE }, call);
    // By exact address, anything may be looked up.
    const isAddress = normaliseAddress(q) !== null;
    const results = found.filter(
      (row) => row.type === "trader" || isAddress || !moderation.isSpam(row.token),
    );
    return { rows: results.slice(0, limit), truncated: results.length > limit };
  };

  /** Answers are shared by callers of all plans, so a fill appears once the most delayed of them may see it. */
  const tradesIn = async (txHash: string, limit: number) => {
    const shownUntil = clock.now() - KEYLESS.delaySeconds * SECOND_MS;
    const { rows } = await store.fills.byTransaction(txHash, { limit: limit + 1 });
    const shown = rows.filter(({ at }) => at <= shownUntil);
    const people = await store.traders.byIds([...new Set(shown.map(({ userId }) => userId))]);
    const handles = new Map(people.map(({ userId, handle }) => [userId, handle]));
    return {
      results: shown
        .slice(0, limit)
        .map((fill) => presentTradeResult(labels, fill, handles.get(fill.userId) ?? null)),
      truncated: shown.length > limit,
    };
  };

  return {
    async search({ query }, call) {
      const txHash = query.type === "all" ? transactionOf(query.q) : null;
      if (txHash !== null) {
        const { results, truncated } = await tradesIn(txHash, query.limit);
        return {
          found: results.length > 0,
          body: { q: query.q, type: query.type, count: results.length, results, truncated },
        };
      }
      const { rows, truncated } = await find(query.q, query.type, query.limit, call);
      const results = rows.map((row) =>
        row.type === "trader"
          ? presentTraderResult(labels, row.trader)
          : presentTokenResult(labels, row.token, clock.now()),
      );
      return {
        found: results.length > 0,
        body: { q: query.q, type: query.type, count: results.length, results, truncated },
      };
    },

    async searchTokens({ query }, call) {
      const { rows, truncated } = await find(query.q, "tokens", query.limit, call);
      const tokens = rows.flatMap((row) =>
        row.type === "token" ? [presentTokenResult(labels, row.token, clock.now())] : [],
      );
      const [asOf = null] = tokens.map((token) => token.asOf).sort();
      return {
        found: tokens.length > 0,
        body: { q: query.q, count: tokens.length, asOf, tokens, results: tokens, truncated },
      };
    },
  };
}
