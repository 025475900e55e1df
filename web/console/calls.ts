// The contract's routes as the playground shows them, prepared on the server: no schema reaches a browser.
import type { z } from "zod";
import { filledExample, PLACEHOLDERS } from "../../contract/examples.ts";
import { factsOf } from "../../contract/parts.ts";
import type { AnyRoute, Price } from "../../contract/route.ts";
import { ALL_ROUTES } from "../../contract/routes.ts";

export interface PlaygroundCall {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  needsKey: boolean;
  price: Pick<Price, "credits" | "unit">;
  fields: { name: string; where: "path" | "query"; description: string; allowed?: readonly string[] }[];
  example: Record<string, string>;
  body?: unknown;
}

/** Ids that only their owner knows have no example value. */
const NOT_KNOWN = ["keyId", "paymentId", "webhookId", "replayId", "followId"] as const;

export function playgroundCalls(known: Readonly<Record<string, string>>): PlaygroundCall[] {
  const values = { ...PLACEHOLDERS, ...Object.fromEntries(NOT_KNOWN.map((name) => [name, ""])), ...known };
  return ALL_ROUTES.map((route) => callOf(route, values));
}

function callOf(route: AnyRoute, values: Record<string, string>): PlaygroundCall {
  const { params, query, body } = filledExample(route, values);
  const fieldsOf = (shape: Record<string, unknown>, where: "path" | "query") =>
    Object.entries(shape).map(([name, schema]) => {
      const facts = factsOf(schema as z.ZodType);
      return {
        name,
        where,
        description: facts?.description ?? "",
        ...(facts?.allowed ? { allowed: facts.allowed } : {}),
      };
    });
  return {
    id: route.id,
    method: route.method,
    path: route.path,
    summary: route.summary,
    description: route.description,
    needsKey: route.access !== "open",
    price: { credits: route.price.credits, unit: route.price.unit },
    fields: [...fieldsOf(route.params.shape, "path"), ...fieldsOf(route.query.shape, "query")],
    example: { ...params, ...query },
    ...(body === undefined ? {} : { body }),
  };
}
