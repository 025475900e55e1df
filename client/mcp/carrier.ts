// What carries a tool's call out, and what it came to.
import type { McpTool, ToolInput } from "./tools.ts";

/** What a call came to: the answer, or the refusal in words. */
export interface ToolResult {
  ok: boolean;
  body: unknown;
  cost: number;
  remaining: number | null;
}

/** Carries one call out, in the name of the caller. */
export type Carrier = (tool: McpTool, input: ToolInput) => Promise<ToolResult>;
