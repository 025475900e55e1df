// Mounts the MCP server at /mcp. It needs a key; a call of a tool then goes through the runner of its route like any
// request, and everything else of the protocol counts against the key's rate. Its code is loaded by the first request.
import type { RouteId } from "../contract/routes.ts";
import type { Log } from "../kit/log.ts";
import type { Access } from "./access/access.ts";
import { parseJson, readBodyText } from "./api/body.ts";
import type { Page, PageRequest } from "./api/pages.ts";
import type { RunRoute } from "./api/runner.ts";

export interface McpParts {
  access: Pick<Access, "identify" | "pace">;
  runOf(id: RouteId): RunRoute;
  publicUrl(): string;
  log: Log;
}

export function mcpPages({ access, runOf, publicUrl, log }: McpParts): Record<string, Page> {
  const serve = async (request: PageRequest, address: string): Promise<Response> => {
    const authorization = request.headers.get("authorization");
    const caller = await access.identify(authorization, address, "key");
    const body = request.method === "POST" ? parseJson(await readBodyText(request)) : undefined;
    const { answerMcp, isOnlyCalls } = await import("../client/mcp/http.ts");
    if (!isOnlyCalls(body)) await access.pace(caller, "key");
    return answerMcp(request, body, {
      baseUrl: publicUrl(),
      authorization: authorization ?? "",
      callRoute: async (id, asked, params) => runOf(id as RouteId)(asked, () => params, address),
      onProblem: (problem) => log.debug("mcp request failed", { problem }),
    });
  };
  return { "/mcp": { POST: serve, GET: serve, DELETE: serve } };
}
