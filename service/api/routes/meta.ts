// What this service is, and whether it is well.
import { KEYLESS } from "../../../contract/plans.ts";
import { ALL_ROUTES, type Routes } from "../../../contract/routes.ts";
import { SERVICE_VERSION } from "../../../contract/version.ts";
import type { Handler } from "../answer.ts";
import type { Services } from "../services.ts";

type MetaParts = Pick<Services, "store" | "accountData" | "clock" | "startedAt">;

export function metaRoutes({ store, accountData, clock, startedAt }: MetaParts): {
  [Id in "getInfo" | "getHealth"]: Handler<Routes[Id]>;
} {
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
          dataset: { traders, tokens, events: head.seq - oldest.seq + 1 },
          endpoints,
          streams: { alerts: "/ws/alerts", trades: "/ws/trades" },
          docs: "/docs",
          openapi: "/openapi.json",
        },
      };
    },

    async getHealth() {
      const traders = await store.traders.count();
      return { body: { ok: true, traders, uptime: Math.floor((clock.now() - startedAt) / 1_000) } };
    },
  };
}
