// Data that the followed platform can't provide is neither a miss nor a failure. Handlers never see it: their call throws,
// and the route answers 200 with an empty list, `available:false` and a note, for free.
import type { RouteId, Routes } from "../../contract/routes.ts";
import type { Upstream } from "../upstream/port.ts";
import type { Handler, Handlers, RouteCall } from "./answer.ts";
import { presentChain, presentToken } from "./present/common.ts";
import { orderOf } from "./routes/directory.ts";
import type { Services } from "./services.ts";
import type { Identify } from "./traders.ts";
import { UNSUPPORTED_NOTE, UnsupportedRead } from "./unsupported.ts";

/** The same upstream, with calls that throw instead of returning `unsupported`. */
export function throwingUnsupported(upstream: Upstream): Upstream {
  const own: Upstream = { ...upstream };
  for (const [name, call] of Object.entries(upstream)) {
    if (typeof call !== "function" || name === "watch" || name === "close") continue;
    const checked = async (...given: unknown[]) => {
      const outcome = await (call as (...given: unknown[]) => Promise<{ kind: string }>)(...given);
      if (outcome.kind === "unsupported") throw new UnsupportedRead(name);
      return outcome;
    };
    Object.assign(own, { [name]: checked });
  }
  return own;
}

type Empty<Id extends RouteId> = (
  input: Parameters<Handler<Routes[Id]>>[0],
  call: RouteCall,
) => Promise<Awaited<ReturnType<Handler<Routes[Id]>>>["body"]>;

const NONE = { available: false, count: 0, note: UNSUPPORTED_NOTE } as const;
const NO_PAGE = { ...NONE, nextCursor: null, complete: false } as const;
const NO_HISTORY = { ...NO_PAGE, truncated: false } as const;

type EmptyAnswers = { [Id in RouteId]?: Empty<Id> };

/** The empty answer of each route that has one. The others are about one subject, and answer 404 without it. */
const emptyAnswers = (services: Services, identify: Identify): EmptyAnswers => ({
  ...emptyOfTrader(identify),
  ...emptyOfMarket(services),
});

function emptyOfTrader(identify: Identify): EmptyAnswers {
  return {
    listTrades: async ({ params: { handle } }) => ({
      ...NO_HISTORY,
      key: handle.key,
      kind: handle.kind,
      trades: [],
      openCount: 0,
      closedCount: 0,
      asOf: null,
    }),
    listSwaps: async ({ params: { handle } }) => ({
      ...NO_HISTORY,
      key: handle.key,
      kind: handle.kind,
      swaps: [],
    }),
    getBalances: async ({ params }, call) => ({
      ...(await identify(params.handle, call)),
      ...NONE,
      holdings: [],
      totalValueUsd: null,
      coins: null,
      asOf: null,
      complete: false,
      truncated: false,
    }),
    listFollowing: async ({ params }, call) => ({
      ...(await identify(params.handle, call)),
      ...NONE,
      following: [],
      total: null,
      truncated: false,
      sourceCapped: false,
      complete: false,
      cap: 0,
    }),
    listFollowers: async ({ params }, call) => ({
      ...(await identify(params.handle, call)),
      ...NONE,
      followers: [],
      total: null,
      sourceCapped: false,
      cap: 0,
      complete: false,
      truncated: false,
      wallets: "Not part of this list. Ask /v2/users/{handle} for one trader's wallets.",
    }),
    getSpotlight: async ({ params }, call) => ({
      ...(await identify(params.handle, call)),
      available: false,
      note: UNSUPPORTED_NOTE,
      bestTrades: [],
      bestTheses: [],
    }),
    listComments: async ({ params }) => ({ ...NO_PAGE, tradeId: params.tradeId, comments: [] }),
  };
}

const noBoard = (board: "trending" | "most-held" | "graduated") => async () => ({
  ...NONE,
  board,
  tokens: [],
  capturedAt: null,
  stale: false,
  ageHours: 0,
  source: "live-upstream" as const,
});

const noTheses = async () => ({ ...NO_PAGE, theses: [] });

function emptyOfMarket({ store, chains, labels }: Services): EmptyAnswers {
  return {
    getLeaderboard: async ({ params, query }) => ({
      ...NONE,
      window: params.window,
      traders: [],
      asOf: null,
      stale: false,
      sort: query.sort,
      order: query.order,
      chain: null,
      source: "live-upstream",
    }),
    listTraders: async ({ query }) => ({
      ...NO_PAGE,
      window: query.window,
      sort: query.sort,
      order: orderOf(query),
      asOf: null,
      total: 0,
      traders: [],
    }),
    listDevs: async ({ params, query }) => {
      const known = await store.tokens.byAddress(params.address);
      const token = known.find((each) => (query.networkId ?? each.networkId) === each.networkId);
      if (!token) throw new UnsupportedRead("token");
      const { networkId } = token;
      return {
        ...NONE,
        token: presentToken(labels, token),
        networkId,
        ...presentChain(chains, networkId),
        devs: [],
      };
    },
    getTrendingTokens: noBoard("trending"),
    getMostHeldTokens: noBoard("most-held"),
    getGraduatedTokens: noBoard("graduated"),
    listTheses: noTheses,
    listTraderTheses: noTheses,
    listTraderTokenTheses: noTheses,
    listTokenTheses: async ({ params }) => ({
      ...NONE,
      address: params.mint,
      theses: [],
      pages: 0,
      partial: false,
      complete: false,
      source: "live-upstream",
    }),
  };
}

/** How long to cache this: a platform may add support. */
const UNSUPPORTED_SECONDS = 30;

export function answeringUnsupported(handlers: Handlers, services: Services, identify: Identify): Handlers {
  const answering: Record<string, unknown> = { ...handlers };
  for (const [id, empty] of Object.entries(emptyAnswers(services, identify))) {
    const handler = handlers[id as RouteId] as (input: unknown, call: RouteCall) => Promise<unknown>;
    const emptyOf = empty as (input: unknown, call: RouteCall) => Promise<unknown>;
    answering[id] = async (input: unknown, call: RouteCall) => {
      try {
        return await handler(input, call);
      } catch (error) {
        if (!(error instanceof UnsupportedRead)) throw error;
        return { free: true, freshSeconds: UNSUPPORTED_SECONDS, body: await emptyOf(input, call) };
      }
    };
  }
  return answering as Handlers;
}
