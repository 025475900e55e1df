// The generators' view of each operation, read from the contract once: its inputs by location, its price, its paging, and how
// many units an input buys. The TypeScript and the Python client are generated from the same list.
import type { z } from "zod";
import { createJsonSchemas, type Json } from "../../contract/json-schema.ts";
import { fieldSchema } from "../../contract/openapi.ts";
import { factsOf } from "../../contract/parts.ts";
import { type AnyRoute, pathNames } from "../../contract/route.ts";
import { ALL_ROUTES } from "../../contract/routes.ts";

export interface InputField {
  name: string;
  in: "path" | "query" | "body";
  required: boolean;
  description: string;
  schema: Json;
}

/** How to get from one page to the next. */
export interface Walk {
  /** The list in the answer; null if an answer has several. */
  rows: string | null;
  /** The input that takes the cursor, and the field of the answer that contains it. */
  parameter: "cursor" | "before";
  from: "nextCursor" | "oldestCursor";
}

/** Units that a value of one input buys: one more for each step it exceeds, except the special values. */
export interface Units {
  parameter: string;
  unset: number;
  steps: number[];
  special: Record<string, number>;
}

export interface Operation {
  route: AnyRoute;
  fields: InputField[];
  answer: Json;
  walk: Walk | null;
  units: Units | null;
  /** The input that selects another format than JSON. */
  text: { parameter: string; value: string } | null;
}

export interface OperationList {
  operations: Operation[];
  /** Named shapes of the answers. */
  schemas: Record<string, Json>;
}

export function readOperations(routes: readonly AnyRoute[] = ALL_ROUTES): OperationList {
  const schemas = createJsonSchemas("#/");
  const operations = routes.map((route) => {
    const fields = fieldsOf(route);
    const answer = schemas.of(route.answer);
    return { route, fields, answer, units: unitsOf(route), text: textOf(route, fields) };
  });
  const { components } = schemas;
  return {
    operations: operations.map((each) => ({
      ...each,
      walk: walkOf(each.fields, resolve(each.answer, components)),
    })),
    schemas: components,
  };
}

const nameOfRef = (schema: Json) => String(schema.$ref ?? "").replace("#/", "");
export const resolve = (schema: Json, components: Record<string, Json>): Json =>
  components[nameOfRef(schema)] ?? schema;

function fieldsOf(route: AnyRoute): InputField[] {
  const from = (where: InputField["in"], shape: z.ZodObject | undefined): InputField[] =>
    Object.entries(shape?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: where,
      required: !(schema as z.ZodType).safeParse(undefined).success,
      description: factsOf(schema as z.ZodType)?.description ?? name,
      schema: fieldSchema(schema as z.ZodType),
    }));
  const fields = [
    ...from("path", route.params).sort(byPlaceIn(route.path)),
    ...from("query", route.query),
    ...from("body", route.body),
  ];
  if (fields.some((field) => field.in === "query") && fields.some((field) => field.in === "body"))
    throw new Error(
      `${route.id}: it takes both a query and a body, which no client can tell apart in one input`,
    );
  const names = fields.map(({ name }) => name);
  if (new Set(names).size !== names.length)
    throw new Error(`${route.id}: path, query and body share a name, so they do not fit into one input`);
  return fields;
}

function byPlaceIn(path: string) {
  const names = pathNames(path);
  return (a: InputField, b: InputField) => names.indexOf(a.name) - names.indexOf(b.name);
}

function walkOf(fields: InputField[], answer: Json): Walk | null {
  const properties = (answer.properties ?? {}) as Record<string, Json>;
  const takes = (name: string) => fields.some((field) => field.name === name && field.in === "query");
  if (!takes("cursor") || properties.nextCursor === undefined) return null;
  const lists = Object.entries(properties).filter(([, field]) => field.type === "array");
  const older = takes("before") && properties.oldestCursor !== undefined;
  return {
    rows: lists.length === 1 ? String(lists[0]?.[0]) : null,
    parameter: older ? "before" : "cursor",
    from: older ? "oldestCursor" : "nextCursor",
  };
}

/** Units are a function of the query; here every value of each parameter is tried, and the result written as a table. */
function unitsOf(route: AnyRoute): Units | null {
  const { unitsMax } = route;
  if (!unitsMax) return null;
  const unitsWith = (values: Record<string, string>) => {
    const read = route.query.safeParse(values);
    return read.success ? unitsMax(read.data) : null;
  };
  const unset = unitsWith({}) ?? 1;
  for (const [name, field] of Object.entries(route.query.shape)) {
    const special: Record<string, number> = {};
    const steps: number[] = [];
    for (const [value, units] of triedValues(field as z.ZodType, (text) => unitsWith({ [name]: text }))) {
      const climbed = 1 + steps.length;
      if (/^\d+$/.test(value) && units >= climbed && !(value === "1" && units > 1)) {
        for (let count = climbed; count < units; count++) steps.push(Number(value) - 1);
      } else special[value] = units;
    }
    const moves = steps.length > 0 || Object.values(special).some((units) => units !== unset);
    if (moves) return { parameter: name, unset, steps, special };
  }
  return null;
}

/** More than any parameter's maximum; a larger range could not be tried value by value. */
const TRIED_MAX = 1_000;

function triedValues(field: z.ZodType, units: (text: string) => number | null): [string, number][] {
  const { maximum, anyOf } = fieldSchema(field) as { maximum?: number; anyOf?: Json[] };
  const top = maximum ?? Math.max(0, ...(anyOf ?? []).map((each) => Number(each.maximum ?? 0)));
  const texts = Array.from({ length: Math.min(top, TRIED_MAX) }, (_, index) => String(index + 1));
  return [...texts, "true"].flatMap((text) => {
    const count = units(text);
    return count === null ? [] : [[text, count] as [string, number]];
  });
}

function textOf(route: AnyRoute, fields: InputField[]): Operation["text"] {
  // A file is bytes, and fetched as such.
  if (route.otherMediaTypes.length === 0 || route.hasRanges) return null;
  const field = fields.find(({ name }) => name === "format");
  const other = ((field?.schema.enum ?? []) as string[]).find((value) => value !== "json");
  if (!field || other === undefined) throw new Error(`${route.id}: nothing asks for its other media type`);
  return { parameter: field.name, value: other };
}
