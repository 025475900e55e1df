// `/mcp`: the same server over streamable HTTP, inside the service. A call of a tool is a request to its route, in the
// caller's name, so it is priced, limited, cached and refused as that route always is.
import { createMcpHandler } from "@modelcontextprotocol/server";
import { pathNames } from "../../contract/route.ts";
import { type Carrier, mcpServer } from "./server.ts";

/** Answers a request to one route, as if it had come over the wire. */
export type CallRoute = (id: string, request: Request, params: Record<string, string>) => Promise<Response>;

export interface HttpParts {
  baseUrl: string;
  /** The caller's own credentials. */
  authorization: string;
  callRoute: CallRoute;
  onProblem(problem: Error): void;
}

function carrierOf({ baseUrl, authorization, callRoute }: HttpParts): Carrier {
  return async ({ route }, input) => {
    const names = pathNames(route.path);
    const query = new URLSearchParams(Object.entries(input).filter(([name]) => !names.includes(name)));
    const params = Object.fromEntries(names.map((name) => [name, input[name] ?? ""]));
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ""),
    );
    const request = new Request(`${baseUrl}${path}${query.size > 0 ? `?${query}` : ""}`, {
      headers: { authorization },
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

/** One request of the protocol, whose body was read already; nothing is kept between two. */
export async function answerMcp(request: Request, body: unknown, parts: HttpParts): Promise<Response> {
  const carry = carrierOf(parts);
  const handler = createMcpHandler(() => mcpServer(carry, parts.baseUrl), {
    onerror: parts.onProblem,
    // Nothing ever changes here that a subscriber could be told of, and each would hold a connection.
    maxSubscriptions: 0,
  });
  return handler.fetch(request, body === undefined ? {} : { parsedBody: body });
}

/** Whether every message in this body is a call of a tool, which its route will count. */
export function isOnlyCalls(body: unknown): boolean {
  const messages = Array.isArray(body) ? body : [body];
  return (
    messages.length > 0 &&
    messages.every((each) => (each as { method?: unknown } | null)?.method === "tools/call")
  );
}
