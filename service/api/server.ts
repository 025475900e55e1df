// The HTTP server: the contract's routes on Bun's native router, the documents and pages that are read off the
// contract, the sockets' upgrade paths, and 404, 405 and OPTIONS in the same manner for all.
import { Fault, fault } from "../../contract/errors.ts";
import { type AnyRoute, canonicalParams } from "../../contract/route.ts";
import type { ClientAddress } from "../access/address.ts";
import { freshRequestId } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import { BODY_LIMIT_BYTES } from "./body.ts";
import type { Page, PageRequest } from "./pages.ts";
import { type Exchange, sendFault, sendPreflight } from "./respond.ts";
import { type RunRoute, translate } from "./runner.ts";

/** A request that sends nothing for this long is cut: slow headers and bodies hold no socket open. */
const IDLE_TIMEOUT_SECONDS = 30;

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
  sockets: Sockets<Data>;
  clientAddress: ClientAddress;
  log: Log;
}

type Serve<Data> = (
  request: PageRequest,
  server: Bun.Server<Data>,
) => Promise<Response | undefined> | Response;

export function startServer<Data>(parts: ServerParts<Data>): Bun.Server<Data> {
  const addressOf = (request: Request, server: Bun.Server<Data>) =>
    parts.clientAddress(
      server.requestIP(request)?.address ?? "unknown",
      request.headers.get("x-forwarded-for"),
    );

  const table = new Map<string, Map<string, Serve<Data>>>();
  const place = (path: string, method: string, serve: Serve<Data>) => {
    const native = path.replace(/\{(\w+)\}/g, ":$1");
    const methods = table.get(native) ?? new Map<string, Serve<Data>>();
    table.set(native, methods.set(method, serve));
  };

  for (const { route, run } of parts.routes) {
    for (const path of [route.path, ...route.aliases]) {
      place(path, route.method, (request, server) =>
        run(request, canonicalParams(route, path, request.params ?? {}), addressOf(request, server)),
      );
    }
  }
  for (const [path, page] of Object.entries(parts.pages)) {
    for (const [method, serve] of Object.entries(page)) {
      place(path, method, (request, server) => serve(request, addressOf(request, server)));
    }
  }
  for (const [path, upgrade] of Object.entries(parts.sockets.upgrades)) {
    place(path, "GET", (request, server) => upgrade(request, server, addressOf(request, server)));
  }

  const refuse = (request: Request, problem: unknown, headers: Record<string, string> = {}) => {
    const exchange: Exchange = {
      request,
      requestId: freshRequestId(),
      cost: 0,
      remaining: null,
      rate: null,
      extra: null,
    };
    const told = problem instanceof Fault ? problem : translate(problem, exchange.requestId, parts.log);
    return sendFault(exchange, told, headers);
  };

  const dispatch =
    (methods: Map<string, Serve<Data>>): Serve<Data> =>
    async (request, server) => {
      const serve = methods.get(request.method === "HEAD" ? "GET" : request.method);
      if (serve) {
        try {
          return await serve(request, server);
        } catch (problem) {
          return refuse(request, problem);
        }
      }
      const allowed = [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"];
      if (request.method === "OPTIONS") return sendPreflight(allowed);
      const sentence = `This path answers to ${allowed.join(", ")}, not to ${request.method}.`;
      return refuse(request, fault("method_not_allowed", sentence), { allow: allowed.join(", ") });
    };

  return Bun.serve<Data>({
    hostname: parts.host,
    port: parts.port,
    reusePort: parts.sharePort,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    maxRequestBodySize: BODY_LIMIT_BYTES,
    routes: Object.fromEntries([...table].map(([path, methods]) => [path, dispatch(methods)])) as never,
    fetch: (request) =>
      refuse(
        request,
        fault("not_found", "There is no such path. The documents at /docs list every path there is."),
      ),
    error: (problem) => refuse(new Request("http://localhost/"), problem),
    websocket: parts.sockets.handler,
  });
}
