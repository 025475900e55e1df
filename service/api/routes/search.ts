// Search: the directory's index first; what it does not have yet, upstream may.
import type { Routes } from "../../../contract/routes.ts";
import type { Handler, RouteCall } from "../answer.ts";
import { didNotFinish, unanswered } from "../live.ts";
import { presentTokenResult, presentTraderResult } from "../present/tokens.ts";
import type { SearchResult, SearchType } from "../search.ts";
import type { Services } from "../services.ts";

type SearchParts = Pick<Services, "upstream" | "search" | "labels" | "clock">;

export function searchRoutes({ upstream, search, labels, clock }: SearchParts): {
  [Id in "search" | "searchTokens"]: Handler<Routes[Id]>;
} {
  /** One more than asked for tells whether there are more. */
  const find = async (q: string, type: SearchType, limit: number, call: RouteCall) => {
    const known = search.find(q, type, limit + 1);
    const results = known.length > 0 ? known : await askUpstream(q, type, limit + 1, call);
    return { rows: results.slice(0, limit), truncated: results.length > limit };
  };

  const askUpstream = async (
    q: string,
    type: SearchType,
    limit: number,
    call: RouteCall,
  ): Promise<SearchResult[]> => {
    const outcome = await upstream.search(q, limit, call);
    if (unanswered(outcome)) throw didNotFinish("this search");
    if (outcome.kind !== "found") return [];
    const { traders, tokens } = outcome.value;
    return [
      ...(type === "tokens" ? [] : traders.map((trader) => ({ type: "trader" as const, trader }))),
      ...(type === "traders" ? [] : tokens.map((token) => ({ type: "token" as const, token }))),
    ].slice(0, limit);
  };

  return {
    async search({ query }, call) {
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
