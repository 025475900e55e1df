// Parses a request by its route: the result has the route's types, and wrong input is rejected with a sentence that names
// the parameter and says what it must be. A value that was sent is never echoed back.
import { z } from "zod";
import { type Fault, fault } from "./errors.ts";
import { factsOf } from "./parts.ts";
import type { BodyOf, ParamsOf, QueryOf, Route } from "./route.ts";

export type RequestPart = "path" | "query" | "body";
type RequestValues = URLSearchParams | Readonly<Record<string, unknown>>;

const NOUN: Record<RequestPart, string> = { path: "path parameter", query: "query parameter", body: "field" };
/** A name becomes part of a sentence: anything that could not be one of ours is not echoed. */
const SAYABLE_NAME = /^[A-Za-z0-9_.-]{1,40}$/;

const refusal = (where: RequestPart, sentence: string, param?: string, allowed?: readonly string[]): Fault =>
  fault(where === "body" ? "invalid_body" : "invalid_parameter", sentence, {
    ...(param === undefined ? {} : { param }),
    ...(allowed === undefined ? {} : { allowed: [...allowed] }),
  });

function plain(values: RequestValues, where: RequestPart): Record<string, unknown> {
  if (!(values instanceof URLSearchParams)) return { ...values };
  // Without a prototype, so that a parameter called __proto__ is a parameter like any other.
  const record: Record<string, unknown> = Object.create(null);
  for (const [name, value] of values) {
    if (name in record) throw refusal(where, `${sayable(name, where)} is given more than once.`, name);
    record[name] = value;
  }
  return record;
}

const sayable = (name: string, where: RequestPart) => (SAYABLE_NAME.test(name) ? name : `A ${NOUN[where]}`);

function refuseUnknown(record: Record<string, unknown>, known: readonly string[], where: RequestPart): void {
  const stranger = Object.keys(record).find((name) => !known.includes(name));
  if (stranger !== undefined) throw unknownField(stranger, known, where);
}

function unknownField(stranger: string, known: readonly string[], where: RequestPart): Fault {
  const taken = known.length === 0 ? `This call takes no ${NOUN[where]}s.` : `It takes ${known.join(", ")}.`;
  const named = SAYABLE_NAME.test(stranger);
  return refusal(
    where,
    `${named ? stranger : "One name sent"} is not a ${NOUN[where]} of this call. ${taken}`,
    named ? stranger : undefined,
    known,
  );
}

type FieldPath = z.core.$ZodIssue["path"];

/** The object that a path leads to, through any optional() or default() on the way. */
function innerAt(schema: z.ZodObject, path: FieldPath): z.ZodObject | undefined {
  const field = path.length === 0 ? schema : fieldAt(schema, path);
  const inner = field instanceof z.ZodOptional || field instanceof z.ZodDefault ? field.unwrap() : field;
  return inner instanceof z.ZodObject ? inner : undefined;
}

function fieldAt(schema: z.ZodObject, path: FieldPath): z.ZodType | undefined {
  const shape = innerAt(schema, path.slice(0, -1))?.shape ?? {};
  const name = String(path.at(-1) ?? "");
  const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
  return field instanceof z.ZodType ? field : undefined;
}

function valueAt(record: Record<string, unknown>, path: FieldPath): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<PropertyKey, unknown>)?.[name], record);
}

function sentenceOf(
  schema: z.ZodObject,
  record: Record<string, unknown>,
  issue: z.core.$ZodIssue,
  where: RequestPart,
) {
  const name = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const within = innerAt(schema, issue.path);
    return unknownField(`${name}.${issue.keys[0]}`, Object.keys(within?.shape ?? {}), where);
  }
  const field = fieldAt(schema, issue.path);
  const facts = field && factsOf(field);
  // A rule between fields has its own sentence; those are the only messages written for people.
  if (issue.code === "custom" && issue.message.endsWith(".")) return refusal(where, issue.message, name);
  const must = facts?.must ?? "has a wrong value";
  const sentence =
    valueAt(record, issue.path) === undefined ? `${name} is missing: it ${must}.` : `${name} ${must}.`;
  return refusal(where, sentence, name, facts?.allowed);
}

/** The parsed input; throws a fault that says what is wrong with it. */
export function readInput<S extends z.ZodObject>(
  schema: S,
  values: RequestValues,
  where: RequestPart,
): z.output<S> {
  const record = plain(values, where);
  refuseUnknown(record, Object.keys(schema.shape), where);
  const result = schema.safeParse(record);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw issue ? sentenceOf(schema, record, issue, where) : refusal(where, "The request can't be read.");
}

export interface RawRequest {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The parsed JSON body; undefined if none was sent. */
  body?: unknown;
}

export interface ReadRequest<R> {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
}

function readBody(schema: z.ZodObject | undefined, body: unknown): unknown {
  if (schema === undefined) return undefined;
  if (body === undefined) return readInput(schema, {}, "body");
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw fault("invalid_body", "The body must be a JSON object.");
  return readInput(schema, body as Record<string, unknown>, "body");
}

/** Path, query and body of one request, with the rules between them. */
export function readRequest<R extends Route>(route: R, raw: RawRequest): ReadRequest<R> {
  const params = readInput(route.params, raw.params, "path");
  const query = readInput(route.query, raw.query, "query");
  const objection = route.check?.(params, query);
  if (objection) throw refusal("query", objection.sentence, objection.param);
  return { params, query, body: readBody(route.body, raw.body) } as ReadRequest<R>;
}
