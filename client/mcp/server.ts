// The MCP server: tools and resources generated from the contract, independent of how the calls are executed. A refusal is an
// answer in words, not a protocol error, so that a model can correct its request.
import {
  type CallToolResult,
  McpServer,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";
import { SERVICE_VERSION } from "../../contract/version.ts";
import { createLru, type Lru } from "../../kit/lru.ts";
import type { Carrier, ToolResult } from "./carrier.ts";
import { answerComposite, COMPOSITE_TOOLS, type CompositeTool, compositeInput } from "./composite-tools.ts";
import { documents } from "./docs.ts";
import {
  forModel,
  PAGE_MAX,
  RESULT_MAX,
  ROWS_MAX,
  rowsIn,
  UNTRUSTED_NOTE,
  withoutCursors,
} from "./output.ts";
import { inputOf, type McpTool, ROWS, TOOLS, type ToolInput } from "./tools.ts";

const INSTRUCTIONS = `Reads from Crowdtape, a social trading data service. Each tool says what it costs in credits; getMe tells what is left, free of charge. Prefer the cheapest tool that answers, and a small limit; a tool that makes several calls says so. ${UNTRUSTED_NOTE} Nothing here is financial advice.`;

const LISTED: Tool[] = [...COMPOSITE_TOOLS, ...TOOLS].map(
  ({ name, title, description, inputSchema, outputSchema }) => ({
    name,
    title,
    description,
    inputSchema: inputSchema as Tool["inputSchema"],
    outputSchema: outputSchema as NonNullable<Tool["outputSchema"]>,
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    },
  }),
);

/** Remembered row lengths, by tool and fields, enough for all combinations in use. */
const ROW_LENGTHS_MAX = 512;

/** Characters of the longest row seen, by query: tells how many rows fit before the call is made. */
export type RowLengths = Pick<Lru<string, number>, "get" | "set">;

export const createRowLengths = (): RowLengths => createLru<string, number>(ROW_LENGTHS_MAX);

export function mcpServer(
  carry: Carrier,
  baseUrl: string,
  lengths: RowLengths = createRowLengths(),
): ReturnType<McpServerFactory> {
  const { server } = new McpServer(
    { name: "crowdtape", title: "Crowdtape", version: SERVICE_VERSION },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: LISTED }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const composite = COMPOSITE_TOOLS.find(({ name }) => name === params.name);
    if (composite) return callComposite(composite, params.arguments ?? {}, carry);
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    return call(tool, params.arguments ?? {}, carry, lengths);
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

/**
 * One tool call is one request, charged once. If there is a cursor, no more rows are requested than are likely to fit, so that
 * the cursor follows the last row shown; otherwise a long list is truncated, and the answer says so.
 */
async function call(
  tool: McpTool,
  given: Record<string, unknown>,
  carry: Carrier,
  lengths: RowLengths,
): Promise<CallToolResult> {
  let input: ToolInput;
  try {
    input = inputOf(tool, given);
  } catch (error) {
    return refuse(error);
  }
  const { fields: named = "", ...asked } = input;
  const fields = String(named);
  const isPaged = tool.route.query.shape.limit !== undefined && tool.route.query.shape.cursor !== undefined;
  const key = `${tool.name} ${fields}`;
  const expected = lengths.get(key) ?? RESULT_MAX / (fields === "" ? ROWS : ROWS_MAX);
  if (isPaged && asked.limit !== undefined) asked.limit = fitting(String(asked.limit), expected);
  const outcome = await carry(tool, asked);
  const shown = forModel(outcome.body as object, fieldsIn(fields), isPaged ? PAGE_MAX : RESULT_MAX);
  if (!outcome.ok) return say(shown.body, outcome, true);
  const rows = rowsIn(shown.body);
  if (rows > 0) lengths.set(key, Math.max(lengths.get(key) ?? 0, shown.length / rows));
  return say(shown.rowsMax === null ? shown.body : withoutCursors(shown.body), outcome, false);
}

/** Several requests, each charged at its own price. */
async function callComposite(
  tool: CompositeTool,
  given: Record<string, unknown>,
  carry: Carrier,
): Promise<CallToolResult> {
  let input: unknown;
  try {
    input = compositeInput(tool, given);
  } catch (error) {
    return refuse(error);
  }
  const outcome = await answerComposite(tool, input, carry);
  return say(forModel(outcome.body as object).body, outcome, !outcome.ok);
}

function refuse(error: unknown): CallToolResult {
  const body = { error: "invalid_parameter", message: (error as Error).message };
  return say(body, { cost: 0, remaining: null }, true);
}

/** As many rows as requested, or as fit if rows are as long as expected. */
function fitting(limit: string, rowLength: number): string {
  const rows = Math.max(1, Math.floor(RESULT_MAX / rowLength));
  // The route rejects anything that is not a number.
  return Number(limit) > rows ? String(rows) : limit;
}

function fieldsIn(text: string): ReadonlySet<string> | null {
  const names = text.split(",").map((name) => name.trim());
  return text === "" ? null : new Set(names);
}

function say(
  body: Record<string, unknown>,
  { cost, remaining }: Pick<ToolResult, "cost" | "remaining">,
  isError: boolean,
): CallToolResult {
  const answer = { ...body, credits: { cost, ...(remaining === null ? {} : { remaining }) } };
  return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer, isError };
}
