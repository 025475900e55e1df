// The building blocks of inputs. Each carries the text that rejects a wrong value and the JSON Schema that
// documents it, so an error, the OpenAPI document and the docs page agree.
import { z } from "zod";
import { CHAIN_MARK } from "./chain-enum.ts";
import type { Chain, Chains } from "./chains.ts";
import { fault } from "./errors.ts";

export interface ParameterFacts {
  /** Continues after the parameter's name: "must be …". */
  must: string;
  description: string;
  schema: Record<string, unknown>;
  allowed?: readonly string[];
}

const FACTS = z.registry<ParameterFacts>();

/** Attaches its texts to a schema. */
export function parameter<S extends z.ZodType>(schema: S, facts: ParameterFacts): S {
  FACTS.add(schema, facts);
  return schema;
}

/** The texts of a field, through any optional() or default() around it. */
export function factsOf(schema: z.ZodType): ParameterFacts | undefined {
  const inner =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? schema.unwrap() : undefined;
  return FACTS.get(schema) ?? (inner instanceof z.ZodType ? factsOf(inner) : undefined);
}

/** A field's value when it is not sent; undefined without a default. */
export function defaultOf(schema: z.ZodType): unknown {
  return schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
}

/** Plain decimal digits without leading zeros: no sign, no space, no exponent, no fraction. */
const DIGITS = /^(0|[1-9][0-9]{0,15})$/;

export function wholeNumber(minimum: number, maximum: number, description: string) {
  const schema = z.string().regex(DIGITS).transform(Number).pipe(z.int().min(minimum).max(maximum));
  return parameter(schema, {
    must: `must be a whole number from ${minimum} to ${maximum}`,
    description,
    schema: { type: "integer", minimum, maximum },
  });
}

export function limit(
  minimum: number,
  maximum: number,
  fallback: number,
  description = "How many rows at most.",
) {
  return wholeNumber(minimum, maximum, description).default(fallback);
}

/** A decimal number that is not negative, such as a dollar amount. */
export function decimal(maximum: number, description: string) {
  const schema = z
    .string()
    .regex(/^(0|[1-9][0-9]{0,11})(\.[0-9]{1,8})?$/)
    .transform(Number)
    .pipe(z.number().max(maximum));
  return parameter(schema, {
    must: `must be a number from 0 to ${maximum}`,
    description,
    schema: { type: "number", minimum: 0, maximum },
  });
}

/** An owner's name for something. */
export function ownName() {
  const schema = z
    .string()
    .trim()
    .min(1)
    .max(64)
    .regex(/^\P{Cc}*$/u);
  return parameter(schema, {
    must: "must be 1 to 64 characters",
    description: "What to call it.",
    schema: { type: "string", minLength: 1, maxLength: 64 },
  });
}

/** A number in a JSON body. */
export function jsonNumber(minimum: number, maximum: number, description: string) {
  return parameter(z.number().min(minimum).max(maximum), {
    must: `must be a number from ${minimum} to ${maximum}`,
    description,
    schema: { type: "number", minimum, maximum },
  });
}

/** A whole number in a JSON body. */
export function jsonWhole(minimum: number, maximum: number, description: string) {
  return parameter(z.int().min(minimum).max(maximum), {
    must: `must be a whole number from ${minimum} to ${maximum}`,
    description,
    schema: { type: "integer", minimum, maximum },
  });
}

export function jsonFlag(description: string) {
  return parameter(z.boolean(), {
    must: "must be true or false",
    description,
    schema: { type: "boolean" },
  });
}

/** An object within a JSON body, whose fields have their own texts. */
export function jsonObject<Shape extends Readonly<Record<string, z.ZodType>>>(
  shape: Shape,
  description: string,
) {
  const names = Object.keys(shape);
  const required = names.filter((name) => !(shape[name] as z.ZodType).safeParse(undefined).success);
  return parameter(z.strictObject(shape), {
    must: `must be an object of ${names.join(", ")}`,
    description,
    schema: {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, describedField(shape[name] as z.ZodType)])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
  });
}

function describedField(schema: z.ZodType) {
  const fallback = defaultOf(schema);
  const facts = factsOf(schema);
  return {
    ...facts?.schema,
    ...(fallback === undefined ? {} : { default: fallback }),
    description: facts?.description,
  };
}

export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
) {
  return parameter(z.enum(values), {
    must: `must be one of ${values.join(", ")}`,
    description,
    schema: { type: "string", enum: [...values] },
    allowed: values,
  });
}

export function boolean(description: string) {
  const schema = z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1");
  return parameter(schema, {
    must: "must be true or false",
    description,
    schema: { type: "boolean" },
    allowed: ["true", "false", "1", "0"],
  });
}

/** Text of a bounded length, trimmed and without control characters. */
export function words(minimum: number, maximum: number, description: string) {
  const schema = z
    .string()
    .trim()
    .regex(/^\P{Cc}*$/u)
    .refine((value) => [...value].length >= minimum && [...value].length <= maximum);
  return parameter(schema, {
    must: `must be ${minimum} to ${maximum} characters`,
    description,
    schema: { type: "string", minLength: minimum, maxLength: maximum },
  });
}

/** Text that matches a pattern, which `must` describes. */
export function formed(pattern: RegExp, must: string, description: string) {
  return parameter(z.string().regex(pattern), {
    must,
    description,
    schema: { type: "string", pattern: pattern.source },
  });
}

const CURSOR = /^[A-Za-z0-9_.:-]{1,160}$/;
export const cursor = (description: string) =>
  formed(CURSOR, "must be start, or a cursor from an earlier answer", description);

/** Any form of UUID, in lower case. */
export function uuid(description: string) {
  return parameter(
    z.guid().transform((value) => value.toLowerCase()),
    { must: "must be a UUID", description, schema: { type: "string", format: "uuid" } },
  );
}

const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** EVM addresses are lower-cased, since their case is not significant; Solana's stay as they are. */
export function tokenAddress(description = "The token's address: Solana (base58) or EVM (0x…).") {
  const schema = z
    .string()
    .refine((value) => SOLANA_ADDRESS.test(value) || EVM_ADDRESS.test(value))
    .transform((value) => (EVM_ADDRESS.test(value) ? value.toLowerCase() : value));
  return parameter(schema, {
    must: "must be a Solana address (32 to 44 base58 characters) or an EVM address (0x and 40 hex digits)",
    description,
    schema: { type: "string", pattern: "^([1-9A-HJ-NP-Za-km-z]{32,44}|0x[0-9a-fA-F]{40})$" },
  });
}

/** By name or by stable id. This is the one place where a caller's handle is normalised. */
export interface TraderKey {
  kind: "handle" | "userId";
  /** A handle in lower case and without the @, or a userId in lower case. */
  key: string;
}

/** The longest handle that the platform protocol allows. */
const HANDLE_LENGTH_MAX = 40;
const HANDLE = new RegExp(`^@?[\\p{L}\\p{N}_.-]{1,${HANDLE_LENGTH_MAX}}$`, "u");

export function traderKey(description = "A handle, in any case and with or without @, or a userId.") {
  const schema = z
    .string()
    .regex(HANDLE)
    .transform((value): TraderKey => {
      if (z.guid().safeParse(value).success) return { kind: "userId", key: value.toLowerCase() };
      return { kind: "handle", key: value.replace(/^@/, "").toLowerCase() };
    });
  return parameter(schema, {
    must: `must be a handle (up to ${HANDLE_LENGTH_MAX} letters, digits, _ . -) or a userId`,
    description,
    schema: { type: "string", minLength: 1, maxLength: HANDLE_LENGTH_MAX + 1 },
  });
}

/** A chain by name, alias or number. Which names exist is the operator's setting: see readChain. */
export const chain = (description = "Only this chain: a name such as solana, or its number.") =>
  parameter(z.string().regex(/^[A-Za-z0-9 _-]{1,32}$/), {
    must: "must be a chain's name or number",
    description,
    schema: { type: "string", [CHAIN_MARK]: "input" },
  });

/** A chain's number, given only for a token outside the directory. */
export const networkId = () =>
  wholeNumber(1, 4_294_967_295, "The chain's number; needed only for a token outside the directory.");

/** The chain that a text names; otherwise throws an error that lists the chains. */
export function readChain(text: string | number, chains: Chains, param: string): Chain {
  const found = chains.find(String(text));
  if (found) return found;
  const allowed = chains.list.map((each) => each.name);
  throw fault("invalid_parameter", `${param} must be one of ${allowed.join(", ")}, or a chain's number.`, {
    param,
    allowed,
  });
}
