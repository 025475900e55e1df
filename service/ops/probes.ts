// The paths for machines: /livez and /readyz on every port of the process, /metrics on a separate port, because metrics
// are not for the service's callers.
import type { Metrics } from "../../kit/metrics.ts";
import type { Health } from "./health.ts";

export type ProbePages = Record<string, { GET: () => Promise<Response> | Response }>;

const NEVER_KEPT = { "cache-control": "no-store" };
const TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

export function probePages(health: Health): ProbePages {
  return {
    "/livez": { GET: () => Response.json(health.live(), { headers: NEVER_KEPT }) },
    "/readyz": {
      async GET() {
        const readiness = await health.ready();
        return Response.json(readiness, { status: readiness.ready ? 200 : 503, headers: NEVER_KEPT });
      },
    },
  };
}

export function metricsPages(metrics: Metrics): ProbePages {
  return {
    "/metrics": {
      GET: () => new Response(metrics.render(), { headers: { ...NEVER_KEPT, "content-type": TEXT_FORMAT } }),
    },
  };
}

export interface ProbeServer {
  url: string;
  stop(): Promise<void>;
}

/** Serves only these pages. The error of an unavailable port names it: a process may have two. */
export function serveProbes(where: { host: string; port: number }, pages: ProbePages): ProbeServer {
  try {
    return serve(where, pages);
  } catch (error) {
    throw Object.assign(error as Error, { port: where.port });
  }
}

function serve(where: { host: string; port: number }, pages: ProbePages): ProbeServer {
  const server = Bun.serve({
    hostname: where.host,
    port: where.port,
    routes: pages,
    fetch: () =>
      Response.json({ error: "not_found", paths: Object.keys(pages) }, { status: 404, headers: NEVER_KEPT }),
  });
  return { url: server.url.href.replace(/\/$/, ""), stop: () => server.stop(true) };
}
