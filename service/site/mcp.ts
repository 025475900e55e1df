// Mounts the MCP server at /mcp. It needs a key; a tool call then goes through its route's runner like any request, and
// every other message of the protocol counts against the key's rate. Its code is loaded on the first request.
import { fault } from "../../contract/errors.ts";
import type { RouteId } from "../../contract/routes.ts";
import type { Log } from "../../kit/log.ts";
import type { Access } from "../access/access.ts";
import type { RunRoute } from "../api/answer.ts";
import { parseJson, readBodyText } from "../api/body.ts";
import type { PageRequest, SitePage } from "../api/page.ts";
import { isFromOwnPage, isOwnHost } from "./own-origin.ts";

/** Messages per body, as many as an API batch may have. */
const MESSAGES_MAX = 25;

export interface McpParts {
  access: Pick<Access, "identify" | "pace">;
  runOf(id: RouteId): RunRoute;
  publicUrl(): string;
  log: Log;
}

export function mcpPages({ access, runOf, publicUrl, log }: McpParts): Record<string, SitePage> {
  const serve = async (request: PageRequest, address: string): Promise<Response> => {
    if (!isFromOwnPage(request, publicUrl()) || !isOwnHost(request, publicUrl()))
      throw fault("origin_refused", "MCP can't be used from pages on other sites.");
    const authorization = request.headers.get("authorization");
    const caller = await access.identify(authorization, address, "key");
    const body = request.method === "POST" ? parseJson(await readBodyText(request)) : undefined;
    const { answerMcp, messagesIn, reachesRoute } = await import("../../client/mcp/http.ts");
    const messages = messagesIn(body);
    if (messages.length > MESSAGES_MAX)
      throw fault("invalid_body", `Send at most ${MESSAGES_MAX} messages at once.`);
    for (const message of messages) if (!reachesRoute(message)) await access.pace(caller, "key");
    return answerMcp(request, body, {
      baseUrl: publicUrl(),
      authorization: authorization ?? "",
      callRoute: async (id, asked, params) => runOf(id as RouteId)(asked, () => params, address),
      onProblem: (error) => log.debug("mcp request failed", { error }),
    });
  };
  return { "/mcp": { POST: serve, GET: serve, DELETE: serve } };
}
