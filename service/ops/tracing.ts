// Traces, if a collector is configured: a span for each request to a route, for each call to upstream and for each
// write transaction. Without a collector nothing here adds any overhead.
import type { AnyRoute } from "../../contract/route.ts";
import type { Database } from "../../database/database.ts";
import type { Kit } from "../../kit/kit.ts";
import type { MaybePromise } from "../../kit/maybe-promise.ts";
import { createExporter } from "./otlp.ts";
import { createTracer, type Tracer } from "./spans.ts";

export interface TracingSettings {
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  share: number;
}

export interface TracingParts extends Kit {
  /** Null: no collector, no traces. */
  settings: TracingSettings | null;
  version: string;
}

/** How a route is run; the other arguments are up to the route. */
type TracedRun<Rest extends unknown[]> = (request: Request, ...rest: Rest) => MaybePromise<Response>;

export interface Tracing {
  route<Rest extends unknown[]>(
    route: Pick<AnyRoute, "method" | "path" | "id">,
    run: TracedRun<Rest>,
  ): TracedRun<Rest>;
  upstream<T extends object>(upstream: T): T;
  /** From now on this database's writes are traced; for all holders of it, so it is modified in place. */
  writes(database: Database): void;
  close(): Promise<void>;
}

export function createTracing({ settings, ...kit }: TracingParts): Tracing {
  if (settings === null)
    return {
      route: (_, run) => run,
      upstream: (upstream) => upstream,
      writes: () => {},
      close: async () => {},
    };
  const exporter = createExporter({ ...kit, ...settings });
  // The clock counts whole milliseconds; the monotonic one adds the fractions.
  const base = kit.clock.now() - performance.now();
  const now = () => base + performance.now();
  const tracer = createTracer({ share: settings.share, random: kit.random, now, record: exporter.record });
  return {
    route: (route, run) => tracedRoute(tracer, route, run),
    upstream: (upstream) => tracedCalls(tracer, upstream),
    writes(database) {
      const [write, single] = [database.write.bind(database), database.single.bind(database)];
      const attributes = { "db.system.name": database.dialect === "postgres" ? "postgresql" : "sqlite" };
      const wish = { name: "store write", kind: "client", attributes } as const;
      database.write = (work, options) => tracer.span(wish, () => write(work, options));
      database.single = (statement) => tracer.span(wish, () => single(statement));
    },
    close: exporter.close,
  };
}

function tracedRoute<Rest extends unknown[]>(
  tracer: Tracer,
  route: Pick<AnyRoute, "method" | "path" | "id">,
  run: TracedRun<Rest>,
): TracedRun<Rest> {
  const attributes = {
    "http.request.method": route.method,
    "http.route": route.path,
    "crowdtape.route": route.id,
  };
  const name = `${route.method} ${route.path}`;
  return (request, ...rest) =>
    tracer.span(
      { name, kind: "server", attributes, traceparent: request.headers.get("traceparent") },
      async () => run(request, ...rest),
      (response) => ({
        attributes: {
          "http.response.status_code": response.status,
          "crowdtape.request_id": response.headers.get("x-request-id") ?? "",
          "crowdtape.credits": Number(response.headers.get("x-credits-cost") ?? 0),
        },
        failed: response.status >= 500,
      }),
    );
}

/** Not questions: one starts a loop, the other ends it. */
const UNTRACED = new Set<string | symbol>(["watch", "close"]);

function tracedCalls<T extends object>(tracer: Tracer, upstream: T): T {
  const traced = new Map<string | symbol, unknown>();
  return new Proxy(upstream, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || UNTRACED.has(name)) return member;
      const known = traced.get(name);
      if (known) return known;
      const wish = { name: `upstream ${String(name)}`, kind: "client", attributes: {} } as const;
      const call = (...given: unknown[]) =>
        tracer.span(wish, async () => (await Reflect.apply(member, target, given)) as unknown, outcomeOf);
      traced.set(name, call);
      return call;
    },
  });
}

function outcomeOf(outcome: unknown) {
  const { kind, reason } = (outcome ?? {}) as { kind?: unknown; reason?: unknown };
  const ending = String(typeof reason === "string" ? reason : kind);
  return { attributes: { "crowdtape.outcome": ending }, failed: kind === "failed" || kind === "timedOut" };
}
