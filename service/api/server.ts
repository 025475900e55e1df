// The HTTP server: the contract's routes on Bun's native router, the documents and pages that are read off the
// contract, the sockets' upgrade paths, and 404, 405 and OPTIONS in the same manner for all.
import { fault } from "../../contract/errors.ts";
import { type AnyRoute, canonicalParams } from "../../contract/route.ts";
import { freshRequestId } from "../../kit/ids.ts";
import type { Log } from "../../kit/log.ts";
import type { MaybePromise } from "../../kit/maybe-promise.ts";
import type { Access } from "../access/access.ts";
import type { ClientAddress } from "../access/identity/address.ts";
import { BODY_LIMIT_BYTES } from "./body.ts";
import type { Page, PageRequest } from "./pages.ts";
import { type Exchange, sendFault, sendPreflight } from "./respond.ts";
import { type RunRoute, translate } from "./runner.ts";

/** A request that sends nothing for this long is cut: slow headers and bodies hold no socket open. */
const IDLE_TIMEOUT_SECONDS = 30;

/** A body past our limit is refused in our own words; past this the runtime cuts it off without any. */
const CUT_BODY_BYTES = 16 * BODY_LIMIT_BYTES;

/** What the sockets' side gives the server, which knows nothing else of it. */
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
  /** Several processes of one machine share the port. */
  sharePort: boolean;
  routes: readonly { route: AnyRoute; run: RunRoute }[];
  pages: Record<string, Page>;
  /** What a browser gets in place of a page that does not exist; null answers everyone alike. */
  notFoundPage?: ((request: Request) => Response) | null;
  sockets: Sockets<Data>;
  /** Also refusals that belong to no route tell the caller's standing. */
  access: Pick<Access, "identify" | "pace" | "remainingOf">;
  clientAddress: ClientAddress;
  log: Log;
}

const NOTHING_KNOWN = { cost: 0, remaining: null, rate: null, extra: null };

type Serve<Data> = (request: PageRequest, server: Bun.Server<Data>) => MaybePromise<Response | undefined>;

export function startServer<Data>(parts: ServerParts<Data>): Bun.Server<Data> {
  const addressOf = (request: Request, server: Bun.Server<Data>) =>
    parts.clientAddress(
      server.requestIP(request)?.address ?? "unknown",
      request.headers.get("x-forwarded-for"),
    );

  const exchangeOf = async (request: Request, address: string): Promise<Exchange> => {
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
    problem: unknown,
    headers: Record<string, string> = {},
  ) => {
    const exchange = await exchangeOf(request, addressOf(request, server));
    return sendFault(exchange, translate(problem, exchange.requestId, parts.log), headers);
  };

  const dispatch =
    (methods: Map<string, Serve<Data>>): Serve<Data> =>
    (request, server) => {
      const serve = methods.get(request.method === "HEAD" ? "GET" : request.method);
      return serve ? serve(request, server) : refuseMethod(methods, request, server);
    };

  /** Routes refuse by themselves; what pages and upgrades throw is refused here. */
  const guarded =
    (serve: Serve<Data>): Serve<Data> =>
    async (request, server) => {
      try {
        return await serve(request, server);
      } catch (problem) {
        return refuse(request, server, problem);
      }
    };

  const refuseMethod = async (
    methods: Map<string, Serve<Data>>,
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
    fetch: (request, server) =>
      parts.notFoundPage && wantsPage(request)
        ? parts.notFoundPage(request)
        : refuse(
            request,
            server,
            fault("not_found", "There is no such path. The documents at /docs list every path there is."),
          ),
    // Only what breaks while a refusal is being made gets here.
    error: (problem) => {
      const requestId = freshRequestId();
      const exchange = { request: new Request("http://localhost/"), requestId, ...NOTHING_KNOWN };
      return sendFault(exchange, translate(problem, requestId, parts.log));
    },
    websocket: parts.sockets.handler,
  });
}

type Table<Data> = Map<string, Map<string, Serve<Data>>>;
type AddressOf<Data> = (request: Request, server: Bun.Server<Data>) => string;

/** What answers each path and method: routes under all their paths, pages, and upgrades to sockets. */
function tableOf<Data>(
  parts: ServerParts<Data>,
  addressOf: AddressOf<Data>,
  guarded: (serve: Serve<Data>) => Serve<Data>,
): Table<Data> {
  const table: Table<Data> = new Map();
  const nativePath = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");
  const served = (path: string, method: string) => table.get(nativePath(path))?.get(method);
  const place = (path: string, method: string, serve: Serve<Data>) => {
    const native = nativePath(path);
    const methods = table.get(native) ?? new Map<string, Serve<Data>>();
    table.set(native, methods.set(method, serve));
  };

  for (const { route, run } of parts.routes) {
    for (const path of [route.path, ...route.aliases]) {
      const isOwn = path === route.path;
      place(path, route.method, (request, server) => {
        // Made only where they are looked at: of a URL that was asked before they are known.
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
      // A path that is a route of the interface as well, such as /theses: people get the page and programs the answer.
      const route = served(path, method);
      const page = guarded((request, server) => serve(request, addressOf(request, server)));
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
