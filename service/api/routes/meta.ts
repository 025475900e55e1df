// This service and its health.
import { KEYLESS } from "../../../contract/plans.ts";
import { ALL_ROUTES, type Routes } from "../../../contract/routes.ts";
import { SERVICE_VERSION } from "../../../contract/version.ts";
import type { Handler } from "../answer.ts";
import type { Services } from "../services.ts";

type MetaParts = Pick<
  Services,
  "store" | "accountData" | "clock" | "startedAt" | "isWell" | "readChains" | "isSimulated"
>;

export function metaRoutes(parts: MetaParts): {
  [Id in "getInfo" | "getHealth"]: Handler<Routes[Id]>;
} {
  const { store, accountData, clock, startedAt, isWell, readChains } = parts;
  const endpoints = Object.fromEntries(
    ALL_ROUTES.map((route) => [route.id, `${route.method} ${route.path}`]),
  );

  return {
    async getInfo(_input, call) {
      const [traders, tokens, head, oldest] = await Promise.all([
        store.traders.count(),
        store.tokens.count(),
        store.log.head(),
        store.log.oldest(),
      ]);
      const { caller } = call;
      const rate = caller.kind === "key" ? accountData.me(caller).rate : KEYLESS;
      return {
        body: {
          name: "crowdtape",
          version: SERVICE_VERSION,
          tier: caller.kind === "key" ? caller.plan : ("keyless" as const),
          rateLimit: {
            requestsPerMinute: rate.requestsPerMinute,
            socketsAtOnce: rate.socketsAtOnce,
            countedPer: caller.kind === "key" ? ("key" as const) : ("address" as const),
          },
          simulated: parts.isSimulated(),
          dataset: { traders, tokens, events: head.seq - oldest.seq + 1 },
          endpoints,
          streams: { alerts: "/ws/alerts", trades: "/ws/trades" },
          docs: "/docs",
          openapi: "/openapi.json",
        },
      };
    },

    async getHealth() {
      const [ok, traders] = await Promise.all([isWell(), store.traders.count()]);
      const uptime = Math.floor((clock.now() - startedAt) / 1_000);
      const followed = readChains?.().map(({ chain, lagMs, reason }) => ({
        chain,
        behindSeconds: lagMs === null ? null : Math.round(lagMs / 1_000),
        reason,
      }));
      return { body: { ok, traders, uptime, ...(followed && { chains: followed }) } };
    },
  };
}
