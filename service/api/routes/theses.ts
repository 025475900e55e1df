// Theses: the newest of all, those about a token, a trader's, and a trader's about a token. Read live a page at a
// time; captured ones are used while upstream does not answer.
import { readChain } from "../../../contract/parts.ts";
import type { Routes } from "../../../contract/routes.ts";
import type { Keyset, KeysetPage } from "../../../database/keyset.ts";
import type { Thesis } from "../../../protocol/shapes/thesis.ts";
import type { Page } from "../../upstream/port.ts";
import type { Handler, RouteCall } from "../answer.ts";
import { BEGINNING, badCursor, isStart, type LivePlace, readPlace, writePlace } from "../cursor.ts";
import { didNotFinish, found, unanswered } from "../live.ts";
import { takeRows } from "../live-page.ts";
import { presentThesis } from "../present/tokens.ts";
import type { Services } from "../services.ts";
import { createTokenTheses } from "../theses/token-theses.ts";
import { type Identify, nameOf, type TraderIdentity } from "../traders.ts";
import { fromUpstreamCursor } from "../trades/upstream-cursor.ts";

type TheseRouteId = "listTheses" | "listTokenTheses" | "listTraderTheses" | "listTraderTokenTheses";

type ThesisParts = Pick<Services, "upstream" | "store" | "keeper" | "chains" | "labels" | "clock">;

export function thesisRoutes(
  services: ThesisParts,
  identify: Identify,
): { [Id in TheseRouteId]: Handler<Routes[Id]> } {
  const { upstream, store, keeper, chains, labels, clock } = services;

  interface Source {
    cursor: string | undefined;
    limit: number;
    what: string;
    live(cursor: string | undefined): ReturnType<typeof upstream.theses>;
    kept(after: Keyset | null): Promise<KeysetPage<Thesis>>;
    wanted?(thesis: Thesis): boolean;
  }

  /** One page, at the walk's position. */
  const page = async (source: Source) => {
    const begins = isStart(source.cursor);
    const place = begins ? BEGINNING : readPlace(String(source.cursor));
    if (place.kind === "live") {
      const askedAt = clock.now();
      const outcome = await source.live(place.upstreamCursor ?? undefined);
      if (!begins || !unanswered(outcome)) {
        return livePage(source, place, fromUpstreamCursor(outcome, place, source.what), askedAt);
      }
    }
    const kept = await source.kept(place.kind === "kept" ? place.after : null);
    if (kept.rows.length === 0 && begins) throw didNotFinish(source.what);
    const next = keptCursor(kept.next);
    const note = "Upstream did not answer: these are the theses that were captured.";
    return { ...answer(kept.rows, next, note), freshSeconds: 0 };
  };

  const livePage = (source: Source, place: LivePlace, read: Page<Thesis>, askedAt: number) => {
    void keeper.theses(read.rows, askedAt);
    const wanted = source.wanted ? { ...read, rows: read.rows.filter(source.wanted) } : read;
    const { rows, nextCursor } = takeRows(wanted, place, source.limit, ({ id, createdAt }) => ({
      value: createdAt,
      id,
    }));
    return answer(rows, nextCursor, null);
  };

  const answer = (rows: readonly Thesis[], nextCursor: string | null, note: string | null) => ({
    found: rows.length > 0 || nextCursor !== null,
    body: {
      count: rows.length,
      theses: rows.map((thesis) => presentThesis(labels, thesis)),
      nextCursor,
      complete: nextCursor === null && note === null,
      note,
    },
  });

  const networkOf = (chain: string | undefined) =>
    chain === undefined ? undefined : readChain(chain, chains, "chain").id;

  const traderPage = (
    trader: TraderIdentity,
    token: string | undefined,
    rest: Partial<Source> & TraderQuery,
    call: RouteCall,
  ) =>
    page({
      cursor: rest.cursor,
      limit: rest.limit,
      what: nameOf({ kind: "handle", key: trader.handle }),
      live: (cursor) =>
        upstream.userTheses(
          trader.userId,
          { ...(token === undefined ? {} : { token }), ...(cursor === undefined ? {} : { cursor }) },
          call,
        ),
      kept: (after) => {
        const query = {
          limit: rest.limit,
          cursor: after,
          ...(rest.networkId === undefined ? {} : { networkId: rest.networkId }),
        };
        return token === undefined
          ? store.theses.byTrader(trader.userId, { ...query, sort: rest.sort ?? "recent" })
          : store.theses.byTraderAndToken(trader.userId, token, query);
      },
      ...(rest.networkId === undefined ? {} : { wanted: (one) => one.token.networkId === rest.networkId }),
    });

  interface TraderQuery {
    cursor: string | undefined;
    limit: number;
    networkId?: number | undefined;
    sort?: "likes" | "recent" | undefined;
  }

  return {
    listTokenTheses: createTokenTheses(services),

    async listTheses({ query }, call) {
      const networkId = networkOf(query.chain);
      const onNetwork = networkId === undefined ? {} : { networkId };
      const newest = await page({
        cursor: query.cursor,
        limit: query.limit,
        what: "the newest theses",
        live: (cursor) =>
          upstream.theses({ ...onNetwork, ...(cursor === undefined ? {} : { cursor }) }, call),
        kept: (after) => store.theses.recent({ limit: query.limit, cursor: after, ...onNetwork }),
      });
      if (query.sort === "recent") return newest;
      // Upstream lists all theses by time only, so only the page can be sorted.
      const theses = [...newest.body.theses].sort((a, b) => (b.likes ?? 0) - (a.likes ?? 0));
      return { ...newest, body: { ...newest.body, theses } };
    },

    async listTraderTheses({ params, query }, call) {
      const trader = await identify(params.id, call);
      const networkId = networkOf(query.chain);
      const { cursor, limit, sort } = query;
      if (sort === "likes") return byLikes(trader, { cursor, limit, networkId }, call);
      return traderPage(trader, undefined, { cursor, limit, networkId, sort }, call);
    },

    async listTraderTokenTheses({ params, query }, call) {
      const trader = await identify(params.id, call);
      return traderPage(trader, params.address, { cursor: query.cursor, limit: query.limit }, call);
    },
  };

  /** Upstream lists a trader's theses by time only: they are read into the store, and ranked there. */
  async function byLikes(trader: TraderIdentity, query: TraderQuery, call: RouteCall) {
    const place = isStart(query.cursor) ? null : readPlace(String(query.cursor));
    if (place?.kind === "live") throw badCursor();
    const left = place ? "nothing" : await readIn(trader, call);
    const kept = await store.theses.byTrader(trader.userId, {
      limit: query.limit,
      sort: "likes",
      cursor: place?.after ?? null,
      ...(query.networkId === undefined ? {} : { networkId: query.networkId }),
    });
    if (left === "all" && kept.rows.length === 0) throw didNotFinish(`the theses of ${trader.handle}`);
    const note =
      left === "nothing"
        ? null
        : "Not all of this trader's theses could be read: these are the ones captured.";
    const ranked = answer(kept.rows, keptCursor(kept.next), note);
    return left === "nothing" ? ranked : { ...ranked, freshSeconds: 0 };
  }

  /** Reads a trader's theses into the store, newest first, and returns what is left unread. */
  async function readIn(trader: TraderIdentity, call: RouteCall): Promise<"nothing" | "some" | "all"> {
    let cursor: string | undefined;
    for (let pages = 0; pages < READ_IN_PAGES; pages++) {
      const askedAt = clock.now();
      const outcome = await upstream.userTheses(trader.userId, cursor === undefined ? {} : { cursor }, call);
      if (unanswered(outcome)) return pages === 0 ? "all" : "some";
      const page = found(outcome, nameOf({ kind: "handle", key: trader.handle }));
      // Ranked in the store: theses that were not saved can't be.
      if (!(await keeper.theses(page.rows, askedAt))) return pages === 0 ? "all" : "some";
      if (page.nextCursor === null) return "nothing";
      cursor = page.nextCursor;
    }
    return "some";
  }
}

/** Nearly a thousand theses: more than anyone has written, and as many pages as one request may ask for. */
const READ_IN_PAGES = 10;

function keptCursor(next: Keyset | null): string | null {
  return next && writePlace({ kind: "kept", after: { part: "rows", ...next } });
}
