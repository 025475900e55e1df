// Turns a route and its handler into the function that answers its requests. Shared parts are created here, once; a
// request's path is in stages/serve.ts.
import type { AnyRoute } from "../../contract/route.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLru } from "../../kit/lru.ts";
import type { Metrics } from "../../kit/metrics.ts";
import { LATENCY_BOUNDS_SECONDS } from "../../kit/metrics.ts";
import type { Access } from "../access/access.ts";
import type { Handler, RunRoute } from "./answer.ts";
import { createByteCache } from "./byte-cache.ts";
import { type AnyHandler, Exchange, type ServedRoute } from "./stages/exchange.ts";
import { serve } from "./stages/serve.ts";

export interface RunnerParts extends Pick<Kit, "clock" | "log" | "metrics"> {
  access: Access;
  deadlineMs: number;
}

/** Parsed inputs of the most requested URLs. */
const PARSED_INPUTS_KEPT = 2_000;

/** `access` is who may call: everyone by their key, or the explorer's visitors. Both share the cache. */
export type RunnerOf = <R extends AnyRoute>(route: R, handler: Handler<R>, access?: Access) => RunRoute;

export function createRunner(parts: RunnerParts): RunnerOf {
  const servedRouteOf = createServedRoutes(parts);
  return (route, handler, access = parts.access) => {
    const served = servedRouteOf(route, handler as unknown as AnyHandler, access);
    return (request, params, address, inside) =>
      serve(new Exchange(served, request, params, address, inside ?? null));
  };
}

export function createServedRoutes(parts: Omit<RunnerParts, "access">) {
  const { clock, log, deadlineMs } = parts;
  const cache = createByteCache(clock, (key, error) => log.debug("refresh failed", { key, error }));
  const counterOf = createCounters(parts.metrics);
  return (route: AnyRoute, handle: AnyHandler, access: Access): ServedRoute => ({
    route,
    handle,
    access,
    cache,
    parsed: createLru(PARSED_INPUTS_KEPT),
    clock,
    log,
    deadlineMs,
    count: counterOf(route.id),
  });
}

/** Counts responses by route and status, and their duration. */
function createCounters(metrics: Metrics): (routeId: string) => ServedRoute["count"] {
  const seconds = metrics.histogram(
    "crowdtape_http_request_seconds",
    "Time to answer.",
    LATENCY_BOUNDS_SECONDS,
  );
  const answered = metrics.counter(
    "crowdtape_http_requests_total",
    "Requests answered, by route and status.",
  );
  return (routeId) => {
    const routeSeconds = seconds.of({ route: routeId });
    const statuses = new Map<number, ReturnType<typeof answered.of>>();
    return (status, took) => {
      let counter = statuses.get(status);
      if (!counter) {
        counter = answered.of({ route: routeId, status: String(status) });
        statuses.set(status, counter);
      }
      counter.add();
      routeSeconds.observe(took);
    };
  };
}
