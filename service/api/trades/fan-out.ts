// A deep read: many upstream calls, one per chain and sort order and then their next pages, until the bought number is
// spent. Rows appear once however many calls listed them, after feed trades that no call lists yet; only calls that
// answered are charged.
import { PERPS_ID } from "../../../contract/chains.ts";
import { fault } from "../../../contract/errors.ts";
import type { Position } from "../../../protocol/shapes/position.ts";
import type { TradesPage } from "../../upstream/port.ts";
import type { RouteAnswer, RouteCall } from "../answer.ts";
import { didNotFinish } from "../live.ts";
import { iso } from "../present/common.ts";
import type { Services } from "../services.ts";
import type { TraderIdentity } from "../traders.ts";
import { ofStatus, type StatusFilter, type TradesBody, tradesBody } from "./rows.ts";
import { createUnlisted, type UnlistedParts, within } from "./unlisted.ts";

/** Concurrent calls for one request: half of a polite client's share of an upstream. */
const CALLS_MAX = 6;

interface FanOutLeg {
  networkId: number;
  sort: "recent" | "pnl";
  cursor: string | null;
}

export interface DeepQuery {
  calls: number;
  status: StatusFilter;
  limit: number | undefined;
}

export type DeepBody = TradesBody & {
  closedTotalOnUpstream: number | null;
  perChainClosedTotal: Record<string, number>;
  upstreamCalls: number;
  partial: boolean;
};

export type FanOutParts = Pick<Services, "upstream" | "keeper" | "chains" | "clock"> & UnlistedParts;

export function createFanOut({ upstream, store, keeper, chains, labels, clock }: FanOutParts) {
  const unlisted = createUnlisted({ store, labels });
  const networks = chains.list.filter((chain) => chain.id !== PERPS_ID).map((chain) => chain.id);

  const firstLegs = (): FanOutLeg[] =>
    (["recent", "pnl"] as const).flatMap((sort) =>
      networks.map((networkId) => ({ networkId, sort, cursor: null })),
    );

  return async (
    trader: TraderIdentity,
    query: DeepQuery,
    call: RouteCall,
  ): Promise<RouteAnswer<DeepBody>> => {
    const askedAt = clock.now();
    const positions = new Map<string, Position>();
    const totals = new Map<number, number>();
    const waiting = firstLegs();
    let bought = query.calls;
    let answered = 0;
    let failed = 0;
    let unknownTrader = false;

    const take = (leg: FanOutLeg, page: TradesPage) => {
      answered++;
      totals.set(leg.networkId, page.closedTotal);
      for (const position of [...page.open, ...page.closed]) positions.set(position.tradeId, position);
      if (page.nextCursor !== null) waiting.push({ ...leg, cursor: page.nextCursor });
    };
    const ask = async (leg: FanOutLeg) => {
      const { networkId, sort, cursor } = leg;
      const outcome = await upstream.trades(
        trader.userId,
        { networkId, sort, ...(cursor === null ? {} : { cursor }) },
        call,
      );
      if (outcome.kind === "found") take(leg, outcome.value);
      else if (outcome.kind === "notFound") unknownTrader = true;
      else failed++;
    };

    // A call that stalls blocks only its own lane.
    const lane = async () => {
      while (bought > 0 && !unknownTrader) {
        const leg = waiting.shift();
        if (!leg) return;
        bought--;
        await ask(leg);
      }
    };
    await Promise.all(Array.from({ length: CALLS_MAX }, lane));
    if (answered === 0 && unknownTrader)
      throw fault("not_found", `There is no trader called ${trader.handle}.`);
    if (answered === 0) throw didNotFinish(`the trades of ${trader.handle}`);

    const all = [...positions.values()];
    void keeper.positions(all, askedAt);
    const newestFirst = ofStatus(all, query.status).sort((a, b) => b.lastActivityAt - a.lastActivityAt);
    const news = await unlisted(trader, all, query.status);
    const { feed, rows } = within(query.limit, news, newestFirst);
    const everyChain = totals.size === networks.length;
    const sum = [...totals.values()].reduce((total, count) => total + count, 0);
    return {
      units: answered,
      found: all.length + news.length > 0,
      ...(failed > 0 ? { freshSeconds: 0 } : {}),
      body: {
        ...tradesBody(labels, rows, feed, {
          available: all.length + news.length > 0,
          nextCursor: null,
          truncated: feed.length + rows.length < news.length + newestFirst.length,
          complete: false,
          asOf: iso(askedAt),
          note: "Upstream gives no whole history at any setting.",
        }),
        // Unknown while some chain was not asked or did not answer.
        closedTotalOnUpstream: everyChain ? sum : null,
        perChainClosedTotal: Object.fromEntries([...totals].map(([id, count]) => [chains.nameOf(id), count])),
        upstreamCalls: answered,
        partial: failed > 0,
      },
    };
  };
}
