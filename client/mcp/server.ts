// The MCP server: tools and resources read off the contract, whoever carries the calls out. A refusal is an answer with
// words, not a broken protocol, so that a model can mend its question.
import {
  type CallToolResult,
  McpServer,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";
import { SERVICE_VERSION } from "../../contract/version.ts";
import { documents } from "./docs.ts";
import { forModel, UNTRUSTED_NOTE } from "./output.ts";
import { inputOf, type McpTool, TOOLS } from "./tools.ts";

/** What a call came to: the answer, or the refusal in words. */
export interface Outcome {
  ok: boolean;
  body: unknown;
  cost: number;
  remaining: number | null;
}

/** Carries one call out, in the name of whoever asks. */
export type Carrier = (tool: McpTool, input: Record<string, string>) => Promise<Outcome>;

const INSTRUCTIONS = `Reads from Crowdtape, a social trading data service. Each tool says what it costs in credits; getMe tells what is left, free of charge. Prefer the cheapest tool that answers, and a small limit. ${UNTRUSTED_NOTE} Nothing here is financial advice.`;

const LISTED: Tool[] = TOOLS.map(({ name, title, description, inputSchema }) => ({
  ...{ name, title, description, inputSchema: inputSchema as Tool["inputSchema"] },
  annotations: {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
}));

export function mcpServer(carry: Carrier, baseUrl: string): ReturnType<McpServerFactory> {
  const { server } = new McpServer(
    { name: "crowdtape", title: "Crowdtape", version: SERVICE_VERSION },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: LISTED }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    return call(tool, params.arguments ?? {}, carry);
  });
  server.setRequestHandler("resources/list", () => ({
    resources: documents(baseUrl).map(({ text: _, ...document }) => document),
  }));
  server.setRequestHandler("resources/read", ({ params }) => {
    const found = documents(baseUrl).find(({ uri }) => uri === params.uri);
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such resource.");
    const { uri, mimeType, text } = found;
    return { contents: [{ uri, mimeType, text }] };
  });
  return server;
}

async function call(tool: McpTool, given: Record<string, unknown>, carry: Carrier): Promise<CallToolResult> {
  let input: Record<string, string>;
  try {
    input = inputOf(tool, given);
  } catch (problem) {
    return say((problem as Error).message, true);
  }
  const { ok, body, cost, remaining } = await carry(tool, input);
  const price = `${cost} credits${remaining === null ? "" : `, ${remaining} left`}`;
  return say(`${forModel(body)}\n\n(${price}. ${UNTRUSTED_NOTE})`, !ok);
}

const say = (text: string, isError: boolean): CallToolResult => ({
  content: [{ type: "text", text }],
  isError,
});
