// The composites as tools: described like any other, with their cost and the calls they consist of.
import type { z } from "zod";
import { COMPOSITES, type Composite, type CompositeId } from "../../contract/composites.ts";
import type { Json } from "../../contract/json-schema.ts";
import { fieldSchema } from "../../contract/openapi.ts";
import { factsOf } from "../../contract/parts.ts";
import { readInput } from "../../contract/read.ts";
import { type Asking, createAsking, RefusedCall } from "./asking.ts";
import type { Carrier, ToolResult } from "./carrier.ts";
import { ANSWERS } from "./composites.ts";

export interface CompositeTool {
  name: CompositeId;
  title: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, Json>; required?: string[] };
  outputSchema: { type: "object"; properties: Record<string, Json> };
}

const OUTPUT: Record<string, Json> = {
  count: { type: "number", description: "How many rows follow." },
  complete: { type: "boolean", description: "Whether all of it is here." },
  failedCalls: { type: "number", description: "Calls that were refused; their part is left out." },
  calls: { type: "number", description: "How many calls it took." },
  credits: { type: "object", description: "What all calls cost together, and what remains." },
};

export const COMPOSITE_TOOLS: readonly CompositeTool[] = Object.entries(COMPOSITES).map(([name, composite]) =>
  toolOf(name as CompositeId, composite),
);

function toolOf(
  name: CompositeId,
  { summary, description, price, calls, input, example }: Composite,
): CompositeTool {
  const fields = Object.entries(input.shape).map(([field, schema]) => ({
    field,
    schema: schema as z.ZodType,
  }));
  const required = fields
    .filter(({ schema }) => !schema.safeParse(undefined).success)
    .map(({ field }) => field);
  return {
    name,
    title: summary,
    description: [
      `${summary}. ${description}`,
      `Price: ${price} Made of ${calls.join(", ")}; you pay for the calls that succeed.`,
      `Example: ${JSON.stringify(example)}`,
    ].join("\n"),
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(
        fields.map(({ field, schema }) => [
          field,
          { ...fieldSchema(schema), description: factsOf(schema)?.description ?? field },
        ]),
      ),
      ...(required.length > 0 ? { required } : {}),
    },
    outputSchema: { type: "object", properties: OUTPUT },
  };
}

/** Throws a sentence about any error in it. */
export function compositeInput(
  { name }: CompositeTool,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const texts: Record<string, unknown> = Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null && value !== undefined && value !== "")
      .map(([field, value]) => [field, typeof value === "object" ? value : String(value)]),
  );
  const read = Object.entries(readInput(COMPOSITES[name].input as z.ZodObject, texts, "query"));
  // Routes parse names and addresses themselves, so they are passed on as written.
  return Object.fromEntries(
    read.map(([field, value]) => [field, typeof value === "object" ? texts[field] : value]),
  );
}

export async function answerComposite(
  tool: CompositeTool,
  input: unknown,
  carry: Carrier,
): Promise<ToolResult> {
  let calls = 0;
  const asking = createAsking((route, asked) => {
    calls += 1;
    return carry(route, asked);
  });
  const answer = ANSWERS[tool.name] as (input: unknown, asking: Asking) => Promise<Record<string, unknown>>;
  try {
    const body = await answer(input, asking);
    const failedCalls = asking.failed();
    const whole = failedCalls > 0 ? { ...body, complete: false, failedCalls } : body;
    return { ok: true, body: { ...whole, calls }, cost: asking.cost(), remaining: asking.remaining() };
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error;
    return { ...error.result, cost: asking.cost() };
  }
}
