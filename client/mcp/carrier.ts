// Executes a tool's call, and its result.
import type { McpTool, ToolInput } from "./tools.ts";

/** The result of a call: the answer, or the refusal as text. */
export interface ToolResult {
  ok: boolean;
  body: unknown;
  cost: number;
  remaining: number | null;
}

/** Executes one call on behalf of the caller. */
export type Carrier = (tool: McpTool, input: ToolInput) => Promise<ToolResult>;
