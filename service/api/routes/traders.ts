// Traders: who they are, what they hold, whom they follow, what they are held up for.
import { fault } from "../../../contract/errors.ts";
import { readChain } from "../../../contract/parts.ts";
import { FOLLOWERS_CAP, FOLLOWING_CAP, FOLLOWING_PAGE_NAMES } from "../../../contract/routes/traders.ts";
import type { Routes } from "../../../contract/routes.ts";
import { heldAmount, type Position } from "../../model/position.ts";
import type { Holding } from "../../model/token.ts";
import type { Person, Trader } from "../../model/trader.ts";
import type { Answer, Call, Handler } from "../answer.ts";
import { didNotFinish, found, unanswered } from "../live.ts";
import { iso, presentHolding, presentPerson, presentTrader } from "../present/common.ts";
import { presentSpotlightTrade } from "../present/trades.ts";
import type { Services } from "../services.ts";
import { askUpstream, type Identify, type Identity, nameOf } from "../traders.ts";

type Named =
  | "getTrader"
  | "getTraderById"
  | "getBalances"
  | "listFollowing"
  | "listFollowers"
  | "getSpotlight";

type TraderParts = Pick<Services, "upstream" | "store" | "chains" | "labels" | "clock">;

export function traderRoutes(
  { upstream, store, chains, labels, clock }: TraderParts,
  identify: Identify,
): { [Id in Named]: Handler<Routes[Id]> } {
  const present = (trader: Trader) => {
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
    const body = presentTrader(labels, trader, clock.now());
    // Some wallets are never found: nobody should wait for those, or pay for them.
    return trader.wallets.status === "resolving" ? { body, free: true } : { body };
  };

  return {
    async getTrader({ params }, call) {
      return present(found(await askUpstream(upstream, params.handle, call), nameOf(params.handle)));
    },

    async getTraderById({ params }, call) {
      const asked = { kind: "userId", key: params.userId } as const;
      return present(found(await askUpstream(upstream, asked, call), nameOf(asked)));
    },

    async getBalances({ params, query }, call) {
      const trader = await identify(params.handle, call);
      const network = query.chain === undefined ? null : readChain(query.chain, chains, "chain").id;
      const outcome = await upstream.balances(trader.userId, call);
      if (outcome.kind === "found") {
        const { holdings, otherPnlUsd, perpPnlUsd, externalPerps } = outcome.value;
        return {
          body: {
            ...balancesOf(trader, holdings, network),
            ...{ complete: true, truncated: false },
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
      const capped = missing && names.length >= FOLLOWING_CAP;
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
          cap: FOLLOWING_CAP,
          ...(walk.partial ? { partial: true, retryable: true } : {}),
          note: capped ? `Upstream serves at most ${FOLLOWING_CAP} names of a following list.` : null,
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
          cap: FOLLOWERS_CAP,
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

  function balancesOf(trader: Identity, all: readonly Holding[], network: number | null) {
    const holdings = all.filter((holding) => network === null || holding.token.networkId === network);
    const known = holdings.every((holding) => holding.valueUsd !== null);
    const largestFirst = [...holdings].sort((a, b) => (b.valueUsd ?? 0) - (a.valueUsd ?? 0));
    return {
      ...trader,
      available: true,
      count: holdings.length,
      holdings: largestFirst.map((holding) => presentHolding(labels, holding)),
      // One unknown price makes the sum unknown; it is not counted as nothing.
      totalValueUsd: known ? holdings.reduce((sum, holding) => sum + (holding.valueUsd ?? 0), 0) : null,
    };
  }

  function nothingHeld(trader: Identity): Answer<never> {
    return {
      found: false,
      body: {
        ...trader,
        available: false,
        count: 0,
        holdings: [],
        totalValueUsd: null,
        ...{ complete: false, truncated: false },
        asOf: null,
        note: "Upstream shows no balances for this trader, and none were captured.",
      } as never,
    };
  }

  /** What the captured open positions add up to, when upstream does not answer. */
  async function capturedBalances(trader: Identity, network: number | null) {
    const capture = await store.captures.find(trader.userId);
    if (!capture?.openComplete) throw didNotFinish(`the balances of ${trader.handle}`);
    const holdings: Holding[] = [];
    for await (const position of openPositions(trader.userId)) holdings.push(holdingOf(position));
    return {
      freshSeconds: STAND_IN_SECONDS,
      body: {
        ...balancesOf(trader, holdings, network),
        // Positions are what was traded; what was only received is not among them.
        ...{ complete: false, truncated: false },
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

  async function walkFollowing(userId: string, limit: number, call: Call) {
    const pagesAtMost = Math.ceil(Math.min(limit, FOLLOWING_CAP) / FOLLOWING_PAGE_NAMES);
    const rows: Person[] = [];
    let cursor: string | null = null;
    let total = 0;
    let pages = 0;
    while (pages < pagesAtMost) {
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

/** Says what is missing and why; null when nothing is. */
/** On every answer, because a list of followers never has a next page. */
function followersNote(shown: number, served: number, total: number): string {
  if (total > served)
    return `A sample of ${served} of ${total} followers, chosen by upstream; there is no next page.`;
  if (shown < served) return `The first ${shown} of ${served}: ask with a higher limit for the rest.`;
  return `All ${total} followers; there is no next page.`;
}

/** Wallets resolve within minutes of an account's first trade. */
const RESOLVING_RETRY_SECONDS = 30;
/** From then on a trader is shown without wallets: asking again would not help soon, and must not go on for ever. */
const RESOLVING_EXPECTED_MS = 10 * 60_000;
/** A captured copy stands in briefly, so that a recovered upstream is asked soon. */
const STAND_IN_SECONDS = 2;

function holdingOf(position: Position): Holding {
  const amount = heldAmount(position);
  return {
    token: position.token,
    amount,
    priceUsd: position.priceUsd,
    valueUsd: amount * position.priceUsd,
    change24h: null,
    pnlUsd: position.realizedPnlUsd + position.unrealizedPnlUsd,
    asOf: position.lastActivityAt,
  };
}
