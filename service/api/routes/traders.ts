// Traders: who they are, what they hold, who they follow, and their spotlight.

import { fault } from "../../../contract/errors.ts";
import { readChain } from "../../../contract/parts.ts";
import { FOLLOWERS_MAX, FOLLOWING_MAX, FOLLOWING_PAGE_NAMES } from "../../../contract/routes/traders.ts";
import type { Routes } from "../../../contract/routes.ts";
import { MINUTE_MS } from "../../../kit/units.ts";
import type { Position } from "../../../protocol/shapes/position.ts";
import type { Holding } from "../../../protocol/shapes/token.ts";
import type { Person, Trader } from "../../../protocol/shapes/trader.ts";
import { listHoldings } from "../../model/holdings.ts";
import { heldAmount, netOf, valueOfHeld } from "../../model/position.ts";
import type { Handler, RouteAnswer, RouteCall } from "../answer.ts";
import { didNotFinish, found, unanswered } from "../live.ts";
import { iso, presentCoin, presentHolding, presentPerson, presentTrader } from "../present/common.ts";
import { presentSpotlightTrade } from "../present/trades.ts";
import { traderProfits } from "../profit/trader-profits.ts";
import type { Services } from "../services.ts";
import { askUpstream, type Identify, nameOf, type TraderIdentity } from "../traders.ts";

type TraderRouteId =
  | "getTrader"
  | "getTraderById"
  | "getBalances"
  | "listFollowing"
  | "listFollowers"
  | "getSpotlight";

type TraderParts = Pick<
  Services,
  "upstream" | "store" | "profits" | "moderation" | "chains" | "labels" | "clock"
>;

export function traderRoutes(
  services: TraderParts,
  identify: Identify,
): { [Id in TraderRouteId]: Handler<Routes[Id]> } {
  const { upstream, store, chains, labels, clock } = services;
  const present = async (trader: Trader, call: RouteCall) => {
    const isNew = clock.now() - trader.createdAt < RESOLVING_EXPECTED_MS;
    if (trader.wallets.status === "resolving" && isNew) {
      throw fault(
        "resolving",
        "This trader's wallets are still being resolved. Try again shortly; this was free.",
        {
          retryAfterSeconds: RESOLVING_RETRY_SECONDS,
        },
      );
    }
    const profits = await traderProfits(services, trader, call);
    const body = presentTrader(labels, trader, profits.figures, clock.now());
    const keeping = { freshSeconds: profits.freshSeconds };
    // Some wallets are never found: no caller should wait or pay for those.
    return trader.wallets.status === "resolving" ? { body, ...keeping, free: true } : { body, ...keeping };
  };

  return {
    async getTrader({ params }, call) {
      return present(found(await askUpstream(upstream, params.handle, call), nameOf(params.handle)), call);
    },

    async getTraderById({ params }, call) {
      const asked = { kind: "userId", key: params.userId } as const;
      return present(found(await askUpstream(upstream, asked, call), nameOf(asked)), call);
    },

    async getBalances({ params, query }, call) {
      const trader = await identify(params.handle, call);
      const network = query.chain === undefined ? null : readChain(query.chain, chains, "chain").id;
      const outcome = await upstream.balances(trader.userId, call);
      if (outcome.kind === "found") {
        const { holdings, coins, otherPnlUsd, perpPnlUsd, externalPerps } = outcome.value;
        return {
          body: {
            ...balancesOf(trader, holdings, network, query.spam ?? false),
            coins: coins?.filter(isOn(network)).map((coin) => presentCoin(chains, coin)) ?? null,
            complete: true,
            truncated: false,
            asOf: iso(clock.now()),
            ...(otherPnlUsd === null ? {} : { otherPnl: otherPnlUsd }),
            ...(perpPnlUsd === null ? {} : { livePerpPnl: perpPnlUsd }),
            ...(externalPerps?.length ? { externalVenuePerps: externalPerps } : {}),
            note: null,
          },
        };
      }
      if (outcome.kind === "notFound") return nothingHeld(trader);
      return capturedBalances(trader, network);
    },

    async listFollowing({ params, query }, call) {
      const trader = await identify(params.handle, call);
      const walk = await walkFollowing(trader.userId, query.limit, call);
      const names = walk.rows.slice(0, query.limit);
      const missing = walk.total > names.length;
      const capped = missing && names.length >= FOLLOWING_MAX;
      return {
        units: walk.pages,
        ...(walk.partial ? { freshSeconds: 0 } : {}),
        body: {
          ...trader,
          count: names.length,
          total: walk.total,
          following: names.map((person) => presentPerson(labels, person, clock.now())),
          truncated: missing,
          sourceCapped: capped,
          complete: !missing,
          cap: FOLLOWING_MAX,
          ...(walk.partial ? { partial: true, retryable: true } : {}),
          note: capped ? `Upstream serves at most ${FOLLOWING_MAX} names of a following list.` : null,
        },
      };
    },

    async listFollowers({ params, query }, call) {
      const trader = await identify(params.handle, call);
      const { rows, total } = found(await upstream.followers(trader.userId, call), nameOf(params.handle));
      const names = rows.slice(0, query.limit);
      return {
        body: {
          ...trader,
          count: names.length,
          total,
          followers: names.map((person) => presentPerson(labels, person, clock.now())),
          sourceCapped: total > rows.length,
          cap: FOLLOWERS_MAX,
          wallets: "Not part of this list. Ask /v2/users/{handle} for one trader's wallets.",
          complete: names.length >= total,
          truncated: names.length < total,
          note: followersNote(names.length, rows.length, total),
        },
      };
    },

    async getSpotlight({ params }, call) {
      const trader = await identify(params.handle, call);
      const chosen = found(await upstream.spotlight(trader.userId, call), nameOf(params.handle));
      return {
        body: {
          ...trader,
          bestTrades: chosen.bestTrades.map((position) => presentSpotlightTrade(labels, position)),
          bestTheses: chosen.bestTheses.map((position) => presentSpotlightTrade(labels, position)),
          note: "Chosen by the upstream platform.",
        },
      };
    },
  };

  function balancesOf(
    trader: TraderIdentity,
    all: readonly Holding[],
    networkId: number | null,
    withSpam = false,
  ) {
    const { holdings, totalValueUsd } = listHoldings(services.moderation.judged(all), {
      networkId,
      withSpam,
    });
    return {
      ...trader,
      available: true,
      count: holdings.length,
      holdings: holdings.map((holding) => presentHolding(labels, holding)),
      totalValueUsd,
    };
  }

  function nothingHeld(trader: TraderIdentity): RouteAnswer<never> {
    return {
      found: false,
      body: {
        ...trader,
        available: false,
        count: 0,
        holdings: [],
        totalValueUsd: null,
        coins: null,
        complete: false,
        truncated: false,
        asOf: null,
        note: "Upstream shows no balances for this trader, and none were captured.",
      } as never,
    };
  }

  /** The sum of the captured open positions, when upstream does not answer. */
  async function capturedBalances(trader: TraderIdentity, network: number | null) {
    const capture = await store.captures.find(trader.userId);
    if (!capture?.openComplete) throw didNotFinish(`the balances of ${trader.handle}`);
    const holdings: Holding[] = [];
    for await (const position of openPositions(trader.userId)) holdings.push(holdingOf(position));
    return {
      freshSeconds: STAND_IN_SECONDS,
      body: {
        ...balancesOf(trader, holdings, network),
        coins: null,
        // Positions cover traded tokens; tokens only received are not included.
        complete: false,
        truncated: false,
        asOf: iso(capture.capturedAt),
        note: "Upstream did not answer: this is the sum of the positions captured last.",
      },
    };
  }

  async function* openPositions(userId: string): AsyncGenerator<Position> {
    let cursor = null;
    do {
      const page = await store.positions.byTrader(userId, {
        status: "open",
        sort: "value",
        limit: 100,
        cursor,
      });
      yield* page.rows;
      cursor = page.next;
    } while (cursor);
  }

  async function walkFollowing(userId: string, limit: number, call: RouteCall) {
    const pagesMax = Math.ceil(Math.min(limit, FOLLOWING_MAX) / FOLLOWING_PAGE_NAMES);
    const rows: Person[] = [];
    let cursor: string | null = null;
    let total = 0;
    let pages = 0;
    while (pages < pagesMax) {
      const outcome = await upstream.following(userId, cursor, call);
      if (pages > 0 && outcome.kind !== "found") return { rows, total, pages, partial: true };
      if (unanswered(outcome)) throw didNotFinish("the following list");
      const page = found(outcome, "such trader");
      rows.push(...page.rows);
      total = page.total;
      pages++;
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    return { rows, total, pages, partial: false };
  }
}

/** Sent with every answer, because a list of followers never has a next page. */
function followersNote(shown: number, served: number, total: number): string {
  if (total > served)
    return `A sample of ${served} of ${total} followers, chosen by upstream; there is no next page.`;
  if (shown < served) return `The first ${shown} of ${served}: ask with a higher limit for the rest.`;
  return `All ${total} followers; there is no next page.`;
}

/** Wallets resolve within minutes of an account's first trade. */
const RESOLVING_RETRY_SECONDS = 30;
/** After this a trader is shown without wallets: retrying would not help soon, and must not go on forever. */
const RESOLVING_EXPECTED_MS = 10 * MINUTE_MS;
/** A captured copy is served only briefly, so that a recovered upstream is used soon. */
const STAND_IN_SECONDS = 2;

const isOn =
  (network: number | null) =>
  ({ networkId }: { networkId: number }) =>
    network === null || networkId === network;

function holdingOf(position: Position): Holding {
  const amount = heldAmount(position);
  return {
    token: position.token,
    amount,
    priceUsd: position.priceUsd,
    valueUsd: valueOfHeld(position),
    change24h: null,
    pnlUsd: netOf(position),
    asOf: position.lastActivityAt,
    spam: false,
  };
}
