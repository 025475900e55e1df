// The tokens that the operator can judge: those that a search finds, and those judged before.
import type { AdminPage, JudgedToken } from "../../../web/admin/answers.ts";
import { iso } from "../../api/present/common.ts";
import { searchEverywhere } from "../../api/search.ts";
import type { TokenVerdict } from "../../store/captured/verdicts.ts";
import { pageOf, ROWS_A_PAGE } from "./pages.ts";
import type { AdminParts } from "./parts.ts";

const QUERY_MAX = 100;

type TokenReadParts = Pick<AdminParts, "search" | "upstream" | "upstreamDeadlineMs"> & {
  moderation: Pick<AdminParts["moderation"], "verdictOf" | "list">;
};

export function createTokenReads(parts: TokenReadParts) {
  const { moderation } = parts;

  /** Whatever the public search finds, spam included: also a token that only upstream knows yet. */
  const found = async (q: string, signal: AbortSignal): Promise<AdminPage<JudgedToken>> => {
    const call = { deadlineMs: parts.upstreamDeadlineMs, signal };
    const results = await searchEverywhere(parts, { q, type: "tokens", limit: ROWS_A_PAGE }, call);
    const rows = results.flatMap((result) => {
      if (result.type !== "token") return [];
      const { address, networkId, symbol, name } = result.token;
      return [{ address, networkId, symbol, name, ...wordOf(moderation.verdictOf(result.token)) }];
    });
    return { rows, nextCursor: null };
  };

  const judged = (after: string): AdminPage<JudgedToken> => {
    const all = moderation.list();
    const from = after === "" ? 0 : all.findIndex((verdict) => tokenId(verdict) === after) + 1;
    return pageOf(all.slice(from, from + ROWS_A_PAGE + 1), judgedRow, tokenId);
  };

  /** Search results, or without a query the judged tokens, newest first. */
  return async (q: string, after: string, signal: AbortSignal): Promise<AdminPage<JudgedToken>> => {
    const asked = q.trim().slice(0, QUERY_MAX);
    return asked === "" ? judged(after) : found(asked, signal);
  };
}

const tokenId = ({ address, networkId }: Pick<TokenVerdict, "address" | "networkId">) =>
  `${networkId}:${address}`;

const judgedRow = (verdict: TokenVerdict): JudgedToken => ({
  address: verdict.address,
  networkId: verdict.networkId,
  symbol: null,
  name: null,
  ...wordOf(verdict),
});

const wordOf = (verdict: TokenVerdict | null): Pick<JudgedToken, "verdict" | "judgedBy" | "judgedAt"> => ({
  verdict: verdict?.verdict ?? null,
  judgedBy: verdict?.judgedBy ?? null,
  judgedAt: verdict && iso(verdict.judgedAt),
});
