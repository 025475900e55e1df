// Theses about one token. One page may be a captured copy; more than one is always read live, page after page, and
// charged by the pages that answered. A token without a thesis, live or captured, is "not available".
import { readChain } from "../../../contract/parts.ts";
import type { Routes } from "../../../contract/routes.ts";
import type { Thesis } from "../../../protocol/shapes/thesis.ts";
import type { Handler } from "../answer.ts";
import { didNotFinish } from "../live.ts";
import { presentThesis } from "../present/tokens.ts";
import type { Services } from "../services.ts";

const WHAT = "the theses about this token";

export function createTokenTheses(
  services: Pick<Services, "upstream" | "store" | "keeper" | "chains" | "labels" | "clock">,
): Handler<Routes["listTokenTheses"]> {
  const { upstream, store, keeper, chains, labels, clock } = services;

  return async ({ params, query }, call) => {
    const networkId =
      query.network === undefined ? undefined : readChain(query.network, chains, "network").id;
    const onNetwork = networkId === undefined ? {} : { networkId };
    const askedAt = clock.now();
    const pages: Thesis[][] = [];
    let hasMore = true;
    let unknown = false;
    while (pages.length < query.pages && hasMore) {
      const outcome = await upstream.tokenTheses(
        params.mint,
        { ...onNetwork, ...(query.sort === undefined ? {} : { sort: query.sort }), page: pages.length + 1 },
        call,
      );
      unknown = outcome.kind === "notFound";
      if (outcome.kind !== "found") break;
      pages.push(outcome.value.rows);
      hasMore = outcome.value.hasMore;
    }
    if (pages.length > 0) return live(pages, hasMore);
    if (query.pages > 1 && !unknown) throw didNotFinish(WHAT);
    return kept(unknown);

    function live(read: Thesis[][], more: boolean) {
      const rows = read.flat();
      const token = rows[0]?.token;
      if (token && query.sort === undefined) {
        void keeper.tokenTheses(token, rows, { capturedAt: askedAt, complete: !more });
      }
      const shown = read.flatMap((page) => page.slice(0, query.limit));
      const partial = more && read.length < query.pages;
      return {
        units: read.length,
        found: shown.length > 0,
        ...(query.pages > 1 ? { freshSeconds: 0 } : {}),
        body: {
          ...answer(shown),
          pages: read.length,
          partial,
          complete: !more && shown.length === rows.length,
          source: "live-upstream" as const,
          note: partial
            ? "Some of the pages did not answer in time; you paid only for those that did."
            : null,
        },
      };
    }

    async function kept(unknownToken: boolean) {
      const capture = await store.theses.tokenCapture(params.mint, networkId);
      if (!capture && !unknownToken) throw didNotFinish(WHAT);
      const page = capture
        ? await store.theses.byToken(params.mint, {
            limit: query.limit,
            sort: query.sort ?? "stored",
            ...onNetwork,
          })
        : { rows: [], next: null };
      return {
        found: page.rows.length > 0,
        freshSeconds: 0,
        body: {
          ...answer(page.rows),
          available: capture !== null,
          pages: 1,
          partial: false,
          complete: capture?.complete === true && page.next === null,
          source: "captured" as const,
          note: capture
            ? "Upstream did not answer: these were captured earlier."
            : "Nothing was captured for this token.",
        },
      };
    }

    function answer(rows: readonly Thesis[]) {
      return {
        address: params.mint,
        available: true,
        count: rows.length,
        theses: rows.map((thesis) => presentThesis(labels, thesis)),
      };
    }
  };
}
