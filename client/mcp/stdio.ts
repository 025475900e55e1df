// `crowdtape mcp`: the MCP server on standard input and output, for a program on this machine that uses a service with the key
// of the user who started it.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { ApiError, CrowdtapeError } from "../src/api-error.ts";
import { type Crowdtape, receiptOf } from "../src/client.ts";
import type { Carrier } from "./carrier.ts";
import { mcpServer } from "./server.ts";
import type { ToolInput } from "./tools.ts";

type Read = (input: ToolInput) => Promise<object>;

function carrierOf(client: Crowdtape): Carrier {
  return async ({ name }, input) => {
    const { remaining } = client.credits;
    try {
      const body = await (client as unknown as Record<string, Read>)[name]?.(input);
      const receipt = body && receiptOf(body);
      return { ok: true, body, cost: receipt?.cost ?? 0, remaining: receipt?.remaining ?? remaining };
    } catch (error) {
      if (error instanceof ApiError) return { ok: false, body: error.body, cost: error.cost, remaining };
      if (!(error instanceof CrowdtapeError)) throw error;
      return { ok: false, body: { message: error.message }, cost: 0, remaining };
    }
  };
}

/** Ends when standard input ends. */
export async function serveMcp(client: Crowdtape, baseUrl: string): Promise<void> {
  const carry = carrierOf(client);
  const handle = serveStdio(() => mcpServer(carry, baseUrl), {
    // Standard output belongs to the protocol.
    onerror: (error) => console.error(error.message),
  });
  await new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await handle.close();
}
