// The HTTP server: the contract's routes on Bun's native router, the documents and pages generated from the
// contract, the sockets' upgrade paths, and uniform 404, 405 and OPTIONS.
import { fault } from "../../contract/errors.ts";
import { type AnyRoute, canonicalParams } from "../../contract/route.ts";
import { freshRequestId } from "../../kit/ids.ts";
import type { Log } from "../../kit/log.ts";
import type { MaybePromise } from "../../kit/maybe-promise.ts";
import type { Access } from "../access/access.ts";
import type { ClientAddress } from "../access/identity/address.ts";
import type { RunRoute } from "./answer.ts";
import { BODY_BYTES_MAX } from "./body.ts";
import type { PageHandler, PageRequest, SitePage } from "./page.ts";
import { type ReplyFacts, sendFault, sendPreflight } from "./respond.ts";
import { translate } from "./stages/fail.ts";

/** A request that sends nothing for this long is cut off: slow headers and bodies hold no socket open. */
const IDLE_TIMEOUT_SECONDS = 30;

/** A body past our limit gets our own error; past this the runtime cuts it off without one. */
const CUT_BODY_BYTES = 16 * BODY_BYTES_MAX;

/** The streams' interface to the server, which knows nothing else about them. */
export interface Sockets<Data> {
  /** Upgrade paths; a refusal is thrown as a fault. */
  upgrades: Record<
    string,
    (request: Request, server: Bun.Server<Data>, address: string) => Promise<Response | undefined>
  >;
  handler: Bun.WebSocketHandler<Data>;
}

export interface ServerParts<Data> {
  host: string;
  port: number;
  /** Several processes on one machine share the port. */
  sharePort: boolean;
  routes: readonly { route: AnyRoute; run: RunRoute }[];
  pages: Record<string, SitePage>;
  /** What a browser gets for a missing page; null gives everyone the same answer. */
  notFoundPage?: PageHandler | null;
  sockets: Sockets<Data>;
  /** Refusals outside any route also include the caller's rate status. */
  access: Pick<Access, "identify" | "pace" | "remainingOf">;
  clientAddress: ClientAddress;
  log: Log;
}

const NOTHING_KNOWN = { cost: 0, remaining: null, rate: null, extra: null };

type ServeRequest<Data> = (
  request: PageRequest,
  server: Bun.Server<Data>,
) => MaybePromise<Response | undefined>;

export function startServer<Data>(parts: ServerParts<Data>): Bun.Server<Data> {
  const addressOf = (request: Request, server: Bun.Server<Data>) =>
    parts.clientAddress(peerOf(request, server), request.headers.get("x-forwarded-for"));

  const exchangeOf = async (request: Request, address: string): Promise<ReplyFacts> => {
    const { access } = parts;
    const caller = await access.identify(request.headers.get("authorization"), address, "open");
    return {
      request,
      requestId: freshRequestId(),
      cost: 0,
      remaining: access.remainingOf(caller),
      rate: await access.pace(caller, "open"),
      extra: null,
    };
  };

  const refuse = async (
    request: Request,
    server: Bun.Server<Data>,
    error: unknown,
    headers: Record<string, string> = {},
  ) => {
    const exchange = await exchangeOf(request, addressOf(request, server));
    return sendFault(exchange, translate(error, exchange.requestId, parts.log), headers);
  };

  const dispatch =
    (methods: Map<string, ServeRequest<Data>>): ServeRequest<Data> =>
    (request, server) => {
      // Two Host headers arrive as one with a comma: a proxy may have trusted the other one.
      if (request.headers.get("host")?.includes(","))
        return refuse(request, server, fault("invalid_parameter", "Send one Host header."));
      const serve = methods.get(request.method === "HEAD" ? "GET" : request.method);
      return serve ? serve(request, server) : refuseMethod(methods, request, server);
    };

  /** Routes handle their own errors; those thrown by pages and upgrades are handled here. */
  const guarded =
    (serve: ServeRequest<Data>): ServeRequest<Data> =>
    async (request, server) => {
      try {
        return await serve(request, server);
      } catch (error) {
        return refuse(request, server, error);
      }
    };

  const refuseMethod = async (
    methods: Map<string, ServeRequest<Data>>,
    request: Request,
    server: Bun.Server<Data>,
  ) => {
    const allowed = [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"];
    if (request.method === "OPTIONS")
      return sendPreflight(await exchangeOf(request, addressOf(request, server)), allowed);
    const sentence = `This path answers to ${allowed.join(", ")}, not to ${request.method}.`;
    const allow = { allow: allowed.join(", ") };
    return refuse(request, server, fault("method_not_allowed", sentence), allow);
  };

  const table = tableOf(parts, addressOf, guarded);
  return Bun.serve<Data>({
    hostname: parts.host,
    port: parts.port,
    reusePort: parts.sharePort,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    maxRequestBodySize: CUT_BODY_BYTES,
    routes: Object.fromEntries([...table].map(([path, methods]) => [path, dispatch(methods)])) as never,
    fetch: guarded((request, server) => {
      if (parts.notFoundPage && wantsPage(request))
        return parts.notFoundPage(request, addressOf(request, server), peerOf(request, server));
      throw fault("not_found", "There is no such path. /docs lists every path.");
    }),
    // Reached only by failures while an error response is being built.
    error: (error) => {
      const requestId = freshRequestId();
      const exchange = { request: new Request("http://localhost/"), requestId, ...NOTHING_KNOWN };
      return sendFault(exchange, translate(error, requestId, parts.log));
    },
    websocket: parts.sockets.handler,
  });
}

type RouteTable<Data> = Map<string, Map<string, ServeRequest<Data>>>;
type AddressOf<Data> = (request: Request, server: Bun.Server<Data>) => string;

const peerOf = <Data>(request: Request, server: Bun.Server<Data>) =>
  server.requestIP(request)?.address ?? "unknown";

/** The handler of each path and method: routes under all their paths, pages, and socket upgrades. */
function tableOf<Data>(
  parts: ServerParts<Data>,
  addressOf: AddressOf<Data>,
  guarded: (serve: ServeRequest<Data>) => ServeRequest<Data>,
): RouteTable<Data> {
  const table: RouteTable<Data> = new Map();
  const nativePath = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");
  const served = (path: string, method: string) => table.get(nativePath(path))?.get(method);
  const place = (path: string, method: string, serve: ServeRequest<Data>) => {
    const native = nativePath(path);
    const methods = table.get(native) ?? new Map<string, ServeRequest<Data>>();
    table.set(native, methods.set(method, serve));
  };

  for (const { route, run } of parts.routes) {
    for (const path of [route.path, ...route.aliases]) {
      const isOwn = path === route.path;
      place(path, route.method, (request, server) => {
        // Computed only when needed: a repeated URL is already parsed.
        const params = () => {
          const given = request.params ?? {};
          return isOwn ? given : canonicalParams(route, path, given);
        };
        return run(request, params, () => addressOf(request, server));
      });
    }
  }
  for (const [path, methods] of Object.entries(parts.pages)) {
    for (const [method, serve] of Object.entries(methods)) {
      // A path that is also an API route, such as /theses: people get the page and programs the answer.
      const route = served(path, method);
      const page = guarded((request, server) =>
        serve(request, addressOf(request, server), peerOf(request, server)),
      );
      place(path, method, (request, server) =>
        route && !wantsPage(request) ? route(request, server) : page(request, server),
      );
    }
  }
  for (const [path, upgrade] of Object.entries(parts.sockets.upgrades)) {
    const socket = guarded((request, server) => upgrade(request, server, addressOf(request, server)));
    place(path, "GET", socket);
  }
  return table;
}

/** A person's browser asks for a page; a program asks for anything. */
function wantsPage(request: Request): boolean {
  const accepts = request.headers.get("accept") ?? "";
  return request.method === "GET" && /(^|,)\s*text\/html\b/.test(accepts);
}
