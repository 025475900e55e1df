// A platform on the wire: the route table as HTTP JSON, and hints over a WebSocket. Bad input is 400, a subject that
// is not there is 404, and a fault inside the world is 500 without its text. Misbehaves only when told to.
import type { BunRequest, Server } from "bun";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Platform } from "../../protocol/protocol.ts";
import { ADMIN_PATH, answerAdmin, createRequestCounts } from "./admin.ts";
import { createFaults } from "./faults.ts";
import { BadInput } from "./input.ts";
import { createLive, MAX_LIVE_SOCKETS } from "./live.ts";
import { misbehave } from "./misbehave.ts";
import { answer, ROUTES, type Route } from "./routes.ts";

export const LIVE_PATH = "/api/live";
const MAX_BODY_BYTES = 64 * 1024;
/** Longer than any pause a well-behaved reader makes between two requests on one connection. */
const IDLE_TIMEOUT_SECONDS = 60;
const NEVER_SECONDS = 0;

export interface ServePlatformOptions {
  platform: Platform;
  host: string;
  /** 0 takes a free one. */
  port: number;
  adminToken?: string;
  log: Log;
  clock: Clock;
}

export interface PlatformServer {
  url: string;
  stop(): Promise<void>;
}

export async function servePlatform(options: ServePlatformOptions): Promise<PlatformServer> {
  const { platform, clock, log } = options;
  const faults = createFaults();
  const counts = createRequestCounts();
  const live = createLive(platform, clock, log, () => faults.stands("silence", LIVE_PATH));

  const respond = (route: Route, parameters: Record<string, string>) => {
    try {
      const value = answer(platform.api, route.path, parameters);
      return value === undefined
        ? { status: 404, value: { error: "unknown_subject" } }
        : { status: 200, value };
    } catch (error) {
      if (error instanceof BadInput)
        return { status: 400, value: { error: "bad_input", parameter: error.parameter } };
      log.error("the platform could not answer", { path: route.path, error });
      return { status: 500, value: { error: "internal" } };
    }
  };

  const serveRoute = (route: Route) => (request: BunRequest, server: Server<undefined>) => {
    const url = new URL(request.url);
    counts.count(route.path, url.pathname);
    const parameters: Record<string, string> = { ...request.params };
    for (const name of route.query) {
      const value = url.searchParams.get(name);
      if (value !== null) parameters[name] = value;
    }
    const met = faults.meet(url.pathname);
    if (met.length === 0) {
      const { status, value } = respond(route, parameters);
      return Response.json(value, { status });
    }
    server.timeout(request, NEVER_SECONDS);
    return misbehave(met, {
      answer: () => respond(route, parameters),
      after: Number(parameters.after ?? 0),
      clock,
      signal: request.signal,
    });
  };

  const serveLive = (request: Request, server: Server<undefined>) => {
    counts.count(LIVE_PATH, LIVE_PATH);
    const refused = faults.meet(LIVE_PATH).some((fault) => fault.kind === "reset" || fault.kind === "status");
    if (refused || live.sockets() >= MAX_LIVE_SOCKETS)
      return Response.json({ error: "unavailable" }, { status: 503 });
    if (server.upgrade(request, { data: undefined })) return undefined;
    return Response.json({ error: "upgrade_required" }, { status: 426, headers: { upgrade: "websocket" } });
  };

  const server: Server<undefined> = Bun.serve<undefined, string>({
    hostname: options.host,
    port: options.port,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    maxRequestBodySize: MAX_BODY_BYTES,
    routes: {
      ...Object.fromEntries(ROUTES.map((route) => [route.path, { GET: serveRoute(route) }])),
      [LIVE_PATH]: serveLive,
      [ADMIN_PATH]: (request: Request) =>
        answerAdmin(request, server.requestIP(request)?.address, {
          faults,
          counts,
          token: options.adminToken,
        }),
    },
    fetch: () => Response.json({ error: "unknown_path" }, { status: 404 }),
    error: (error) => {
      log.error("a platform request failed", { error });
      return Response.json({ error: "internal" }, { status: 500 });
    },
    websocket: live.websocket,
  });
  live.start(server);
  return {
    url: server.url.origin,
    stop: async () => {
      live.stop();
      await server.stop(true);
    },
  };
}
