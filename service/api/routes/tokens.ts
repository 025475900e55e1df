// Tokens: holders, deployer, flows. Holders come from our own captured positions; the rest is read
// live. A token outside the directory needs an explicit chain.

import { fault } from "../../../contract/errors.ts";
import { readChain } from "../../../contract/parts.ts";
import type { Routes } from "../../../contract/routes.ts";
import { DAY_MS } from "../../../kit/units.ts";
import type { TokenInfo } from "../../../protocol/shapes/token.ts";
import { currentPrices } from "../../upstream/current-prices.ts";
import type { Handler } from "../answer.ts";
import { holderHistory } from "../holder-history.ts";
import { found, unanswered } from "../live.ts";
import { iso, isoOrNull, presentChain, presentToken } from "../present/common.ts";
import { presentDev, presentFlow, presentHolder } from "../present/tokens.ts";
import type { Services } from "../services.ts";
import { orUnsupported } from "../unsupported.ts";

type TokenRouteId = "getToken" | "listHolders" | "getHolderHistory" | "listDevs" | "getTokenStats";

type TokenParts = Pick<Services, "upstream" | "store" | "search" | "chains" | "labels" | "clock">;

export function tokenRoutes(services: TokenParts): { [Id in TokenRouteId]: Handler<Routes[Id]> } {
  const { upstream, store, search, chains, labels, clock } = services;
  const networkOf = createNetworkOf(services);

  /** Tokens elsewhere with the same ticker, largest first. */
  const namesakes = (token: TokenInfo) =>
    search
      .find(token.symbol, "tokens", NAMESAKES_SEARCHED)
      .flatMap((row) => (row.type === "token" ? [row.token] : []))
      .filter(
        (other) =>
          other.symbol.toLowerCase() === token.symbol.toLowerCase() &&
          (other.address !== token.address || other.networkId !== token.networkId),
      )
      .sort((a, b) => (b.marketCapUsd ?? 0) - (a.marketCapUsd ?? 0))
      .slice(0, NAMESAKES_MAX);

  return {
    async getToken({ params, query }, call) {
      const networkId = await networkOf(params.address, query.networkId);
      const [asked, flow, trackedHolders] = await Promise.all([
        upstream.token(params.address, networkId, call),
        orUnsupported(upstream.tokenStats(params.address, networkId, call)),
        store.positions.holderCount(params.address, networkId),
      ]);
      const kept = unanswered(asked) ? await store.tokens.findCaptured(params.address, networkId) : null;
      const token = kept?.token ?? found(asked, NO_SUCH_TOKEN);
      const day = flow?.kind === "found" ? flow.value.windows["24h"] : null;
      const now = clock.now();
      return {
        ...(kept === null ? {} : { freshSeconds: 0 }),
        body: {
          token: presentToken(labels, token),
          networkId,
          ...presentChain(chains, networkId),
          quote: {
            priceUsd: token.priceUsd,
            change24h: token.change24h,
            pricedBy: token.pricedBy,
            depthUsd: token.depthUsd,
            exact: token.exact,
            asOf: iso(token.asOf ?? kept?.capturedAt ?? now),
          },
          marketCapUsd: token.marketCapUsd,
          supply: token.supply,
          volume24hUsd: day === null ? null : day.buyVolumeUsd + day.sellVolumeUsd,
          holders: token.holders,
          trackedHolders,
          launchedAt: isoOrNull(token.launchedAt),
          ageDays: token.launchedAt === null ? null : Math.max(0, (now - token.launchedAt) / DAY_MS),
          graduatedAt: isoOrNull(token.graduatedAt),
          // Tokens captured before platforms provided it lack it.
          deployer: token.deployer ?? null,
          lowFees: token.lowFees,
          sameTicker: namesakes(token).map((other) => ({
            token: presentToken(labels, other),
            ...presentChain(chains, other.networkId),
            marketCapUsd: other.marketCapUsd,
          })),
          stale: kept !== null,
          source: kept === null ? ("live-upstream" as const) : ("captured" as const),
        },
      };
    },

    async listHolders({ params, query }, call) {
      const [tokens, holders, count, coverage, tracked] = await Promise.all([
        store.tokens.byAddress(params.address),
        store.positions.holders(params.address, { limit: query.limit }),
        store.positions.holderCount(params.address),
        store.captures.coverage(),
        store.traders.count(),
      ]);
      const token = tokens[0] ?? null;
      const askedAt = clock.now();
      const quoted = token && (await currentPrices(upstream, [token], null, call)).of(token);
      // A token in the directory was captured, even if no trader we track holds it.
      const available = token !== null || holders.length > 0;
      return {
        found: available,
        body: {
          address: params.address,
          token: token && presentToken(labels, token),
          networkId: token?.networkId ?? null,
          chainId: token?.networkId ?? null,
          chain: token && chains.nameOf(token.networkId),
          available,
          count: holders.length,
          holders: holders.map((holder) =>
            presentHolder(holder, quoted?.priceUsd ?? token?.priceUsd ?? null),
          ),
          coverage: { holders: count, tradersCaptured: coverage.traders, tradersTracked: tracked },
          truncated: count > holders.length,
          asOf: quoted ? iso(askedAt) : null,
          note: available ? null : "This token was never captured.",
        },
      };
    },

    async getHolderHistory({ params, query }, call) {
      const networkId = await networkOf(params.address, query.networkId);
      const token = await store.tokens.find(params.address, networkId);
      if (token === null) throw fault("not_found", `There is no ${NO_SUCH_TOKEN}.`);
      const now = clock.now();
      const points = await holderHistory(store, token, {
        ...query,
        now,
        signal: call.signal,
      });
      return {
        body: {
          token: presentToken(labels, token),
          networkId,
          ...presentChain(chains, networkId),
          interval: query.interval,
          asOf: iso(now),
          count: points.length,
          complete: points.length === query.limit,
          points: points.map(({ at, holders }) => ({ t: iso(at), holders })),
        },
      };
    },

    async listDevs({ params, query }, call) {
      const networkId = await networkOf(params.address, query.networkId);
      const { token, devs } = found(await upstream.tokenDevs(params.address, networkId, call), NO_SUCH_TOKEN);
      return {
        body: {
          token: presentToken(labels, token),
          networkId: token.networkId,
          ...presentChain(chains, token.networkId),
          count: devs.length,
          devs: devs.map(presentDev),
          note:
            devs.length === 0
              ? "No deployer or insider is known to hold it, which does not mean that the token is safe."
              : null,
        },
      };
    },

    async getTokenStats({ params, query }, call) {
      const networkId = await networkOf(params.address, query.networkId);
      const stats = found(await upstream.tokenStats(params.address, networkId, call), NO_SUCH_TOKEN);
      return {
        body: {
          token: presentToken(labels, stats.token),
          networkId: stats.token.networkId,
          ...presentChain(chains, stats.token.networkId),
          holders: stats.holders,
          top10HoldersPercent: stats.top10HoldersPercent,
          lowFees: stats.lowFees,
          windows: {
            "5m": presentFlow(stats.windows["5m"]),
            "1h": presentFlow(stats.windows["1h"]),
            "4h": presentFlow(stats.windows["4h"]),
            "24h": presentFlow(stats.windows["24h"]),
          },
          asOf: iso(clock.now()),
        },
      };
    },
  };
}

/** How many the answer lists, out of the results of a search for the ticker. */
const NAMESAKES_MAX = 10;
const NAMESAKES_SEARCHED = 50;

export const NO_SUCH_TOKEN = "such token on this chain";

/** The token's chain: as requested, or from the directory. */
export function createNetworkOf({ store, chains }: Pick<Services, "store" | "chains" | "labels">) {
  return async (address: string, asked: number | undefined): Promise<number> => {
    if (asked !== undefined) return readChain(asked, chains, "networkId").id;
    const known = await store.tokens.byAddress(address);
    const [only] = known;
    if (only && known.length === 1) return only.networkId;
    throw fault("network_required", sentence(known), {
      param: "networkId",
      allowed: (known.length > 0
        ? known.map((token) => token.networkId)
        : chains.list.map((chain) => chain.id)
      ).map(String),
    });
  };
}

function sentence(known: readonly TokenInfo[]): string {
  return known.length === 0
    ? "This token is not in the directory: pass networkId to say which chain it is on."
    : "This address is a token on several chains: pass networkId to say which one.";
}
