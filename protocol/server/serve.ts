// A platform on the wire: its questions as HTTP JSON, and hints over a WebSocket. Bad input is 400, a subject that is not
// there 404, a question it can't answer 501, and a fault inside the platform is 500 without its text.
import type { BunRequest, Server } from "bun";
import type { Kit } from "../../kit/kit.ts";
import type { MaybePromise } from "../../kit/maybe-promise.ts";
import type { WireStatus } from "../capabilities.ts";
import type { Platform } from "../platform.ts";
import { type CallName, QUESTIONS } from "../questions.ts";
import { Away, answer } from "./answer.ts";
import { BadInput } from "./input.ts";
import { createLive, LIVE_SOCKETS_MAX } from "./live.ts";

export const LIVE_PATH = "/api/live";
export const UNKNOWN_SUBJECT = "unknown_subject";
const BODY_BYTES_MAX = 64 * 1024;
/** Longer than any pause a well-behaved reader makes between two requests on one connection. */
const IDLE_TIMEOUT_SECONDS = 60;

export interface WireReply {
  status: number;
  value: unknown;
}

/** Intercepts requests and answers; the simulator injects faults with it. */
export interface Interceptor {
  /** Gets every request first; null passes it to the platform. */
  request(
    exchange: { request: Request; path: string; pathname: string; parameters: Record<string, string> },
    server: Server<undefined>,
    reply: () => Promise<WireReply>,
  ): MaybePromise<Response> | null;
  refusesSockets(): boolean;
  isSilent(): boolean;
}

export interface ServePlatformOptions extends Pick<Kit, "clock" | "log"> {
  platform: Platform;
  host: string;
  /** 0 takes a free one. */
  port: number;
  interceptor?: Interceptor;
  /** Additional paths, such as an operator's. */
  routes?: Record<string, (request: Request, server: Server<undefined>) => MaybePromise<Response>>;
}

export interface PlatformServer {
  url: string;
  stop(): Promise<void>;
}

/** A caller over the wire is in another process. */
function onTheWire(status: WireStatus): WireStatus {
  const { capabilities } = status;
  if (!capabilities) return status;
  return {
    ...status,
    capabilities: { ...capabilities, sweep: { ...capabilities.sweep, sharesProcess: false } },
  };
}

export async function servePlatform(options: ServePlatformOptions): Promise<PlatformServer> {
  const { platform, clock, log, interceptor } = options;
  const live = createLive(platform, clock, log, () => interceptor?.isSilent() ?? false);

  const reply = async (name: CallName, parameters: Record<string, string>): Promise<WireReply> => {
    try {
      const answered = await answer(platform.api, name, parameters);
      if (answered.kind === "found")
        return {
          status: 200,
          value: name === "status" ? onTheWire(answered.value as WireStatus) : answered.value,
        };
      if (answered.kind === "unsupported") return { status: 501, value: { error: "unsupported" } };
      return { status: 404, value: { error: UNKNOWN_SUBJECT } };
    } catch (error) {
      if (error instanceof BadInput)
        return { status: 400, value: { error: "bad_input", parameter: error.parameter } };
      if (error instanceof Away) return { status: 503, value: { error: "unavailable" } };
      log.error("the platform could not answer", { question: name, error });
      return { status: 500, value: { error: "internal" } };
    }
  };

  const serveQuestion = (name: CallName) => async (request: BunRequest, server: Server<undefined>) => {
    const { path, query } = QUESTIONS[name];
    const url = new URL(request.url);
    const parameters: Record<string, string> = { ...request.params };
    for (const key of query) {
      const values = url.searchParams.getAll(key);
      if (values.length > 0) parameters[key] = values.join(",");
    }
    const exchange = { request, path, pathname: url.pathname, parameters };
    const intercepted = interceptor?.request(exchange, server, () => reply(name, parameters));
    if (intercepted) return intercepted;
    const { status, value } = await reply(name, parameters);
    return Response.json(value, { status });
  };

  const serveLive = (request: Request, server: Server<undefined>) => {
    if (interceptor?.refusesSockets() || live.sockets() >= LIVE_SOCKETS_MAX)
      return Response.json({ error: "unavailable" }, { status: 503 });
    if (server.upgrade(request, { data: undefined })) return undefined;
    return Response.json({ error: "upgrade_required" }, { status: 426, headers: { upgrade: "websocket" } });
  };

  const names = Object.keys(QUESTIONS) as CallName[];
  const server: Server<undefined> = Bun.serve<undefined, string>({
    hostname: options.host,
    port: options.port,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    maxRequestBodySize: BODY_BYTES_MAX,
    routes: {
      ...Object.fromEntries(names.map((name) => [QUESTIONS[name].path, { GET: serveQuestion(name) }])),
      [LIVE_PATH]: serveLive,
      ...options.routes,
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
