// `/mcp`: the same server over streamable HTTP, inside the service. A tool call is a request to its route on behalf of the
// caller, so it is priced, limited, cached and refused like any other request to that route.
import { createMcpHandler } from "@modelcontextprotocol/server";
import { pathNames } from "../../contract/route.ts";
import type { Carrier } from "./carrier.ts";
import { COMPOSITE_TOOLS, compositeInput } from "./composite-tools.ts";
import { createRowLengths, mcpServer } from "./server.ts";
import { inputOf, TOOLS } from "./tools.ts";

/** Answers a request to one route, as if it had come over the wire. */
export type CallRoute = (id: string, request: Request, params: Record<string, string>) => Promise<Response>;

export interface HttpParts {
  baseUrl: string;
  /** The caller's own credentials. */
  authorization: string;
  callRoute: CallRoute;
  onProblem(error: Error): void;
}

function carrierOf({ baseUrl, authorization, callRoute }: HttpParts): Carrier {
  return async ({ route }, input) => {
    const names = pathNames(route.path);
    const texts = Object.entries(input).map(([name, value]) => [name, String(value)]);
    const query = new URLSearchParams(
      route.body ? [] : texts.filter(([name]) => !names.includes(String(name))),
    );
    const params = Object.fromEntries(names.map((name) => [name, String(input[name] ?? "")]));
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ""),
    );
    const request = new Request(`${baseUrl}${path}${query.size > 0 ? `?${query}` : ""}`, {
      ...(route.body
        ? {
            method: route.method,
            headers: { authorization, "content-type": "application/json" },
            body: JSON.stringify(input),
          }
        : { headers: { authorization } }),
    });
    const response = await callRoute(route.id, request, params);
    const remaining = response.headers.get("x-credits-remaining");
    return {
      ok: response.ok,
      body: await response.json(),
      cost: Number(response.headers.get("x-credits-cost") ?? 0),
      remaining: remaining === null ? null : Number(remaining),
    };
  };
}

/** Shared by all requests, which are otherwise independent. */
const rowLengths = createRowLengths();

/** One request of the protocol, with its body already read; stateless. */
export async function answerMcp(request: Request, body: unknown, parts: HttpParts): Promise<Response> {
  const carry = carrierOf(parts);
  const handler = createMcpHandler(() => mcpServer(carry, parts.baseUrl, rowLengths), {
    onerror: parts.onProblem,
    // Nothing here ever changes, so there is nothing to notify subscribers about, and each would hold a connection.
    maxSubscriptions: 0,
  });
  return handler.fetch(request, body === undefined ? {} : { parsedBody: body });
}

/** The messages of a body: one, or an array of them. */
export const messagesIn = (body: unknown): unknown[] => (Array.isArray(body) ? body : [body]);

/** Whether a message becomes a request to a route, which counts and charges it. */
export function reachesRoute(message: unknown): boolean {
  const { method, params } = (message ?? {}) as {
    method?: unknown;
    params?: { name?: unknown; arguments?: unknown };
  };
  if (method !== "tools/call") return false;
  const given = (params?.arguments ?? {}) as Record<string, unknown>;
  const tool = TOOLS.find(({ name }) => name === params?.name);
  const composite = COMPOSITE_TOOLS.find(({ name }) => name === params?.name);
  try {
    if (tool) inputOf(tool, given);
    else if (composite) compositeInput(composite, given);
    else return false;
    return true;
  } catch {
    return false;
  }
}
