/** @jsxImportSource preact */
// Tables of inputs and answers, read from the contract: parameters by their descriptions, answers by their JSON Schema, with
// nested objects folded.
import type { z } from "zod";
import type { Json } from "../../contract/json-schema.ts";
import { defaultOf, factsOf } from "../../contract/parts.ts";
import { Prose } from "./text.tsx";

export type Components = Readonly<Record<string, Json>>;

const isOptional = (schema: z.ZodType) => schema.safeParse(undefined).success;

/** The rows of one group of inputs: path, query or body. */
export function InputFields({ title, schema }: { title: string; schema: z.ZodObject | undefined }) {
  const fields = Object.entries(schema?.shape ?? {}) as [string, z.ZodType][];
  if (fields.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <dl class="fields">
        {fields.map(([name, field]) => (
          <InputField key={name} name={name} field={field} />
        ))}
      </dl>
    </>
  );
}

function InputField({ name, field }: { name: string; field: z.ZodType }) {
  const facts = factsOf(field);
  const fallback = defaultOf(field);
  return (
    <div>
      <dt>
        <code class="name">{name}</code> <span class="type">{inputType(facts?.schema ?? {})}</span>
        {isOptional(field) ? null : <span class="need">required</span>}
      </dt>
      <dd>
        <Prose text={facts?.description ?? ""} />
        {fallback === undefined ? null : (
          <>
            {" "}
            <span class="default">
              Default{" "}
              <code>{typeof fallback === "object" ? JSON.stringify(fallback) : String(fallback)}</code>
            </span>
          </>
        )}
        <InnerFields field={facts?.schema ?? {}} components={{}} />
      </dd>
    </div>
  );
}

function inputType(schema: Json): string {
  if (Array.isArray(schema.enum)) return schema.enum.join(" | ");
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((each) => inputType(each as Json)).join(" or ");
  if (schema.const !== undefined) return String(schema.const);
  const range =
    schema.minimum !== undefined && schema.maximum !== undefined
      ? ` ${grouped(schema.minimum)}–${grouped(schema.maximum)}`
      : "";
  const length = schema.minLength === undefined ? "" : ` ${schema.minLength}–${schema.maxLength} characters`;
  return `${schema.format ?? schema.type}${range}${length}`;
}

const grouped = (value: unknown) => Number(value).toLocaleString("en");

const nameOfRef = (schema: Json) =>
  typeof schema.$ref === "string" ? schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1) : undefined;

const resolve = (schema: Json, components: Components): Json => components[nameOfRef(schema) ?? ""] ?? schema;

/** The fields of an answer or frame. */
export function AnswerFields({ schema, components }: { schema: Json; components: Components }) {
  const whole = resolve(schema, components);
  const required = new Set((whole.required ?? []) as string[]);
  const fields = Object.entries((whole.properties ?? {}) as Record<string, Json>);
  return (
    <dl class="fields">
      {fields.map(([name, field]) => (
        <div key={name}>
          <dt>
            <code class="name">{name}</code> <span class="type">{typeLabel(field, components)}</span>
            {required.has(name) ? null : <span class="maybe">may be absent</span>}
          </dt>
          <dd>
            <Prose text={String(field.description ?? resolve(field, components).description ?? "")} />
            <InnerFields field={field} components={components} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function InnerFields({ field, components }: { field: Json; components: Components }) {
  return nested(field, components).map((inner) => (
    <details key={inner.title}>
      <summary>{inner.title}</summary>
      <AnswerFields schema={inner.schema} components={components} />
    </details>
  ));
}

function typeLabel(field: Json, components: Components): string {
  const options = (field.anyOf ?? field.oneOf) as Json[] | undefined;
  if (options) return options.map((each) => typeLabel(each, components)).join(" | ");
  const name = nameOfRef(field);
  if (name) {
    const target = resolve(field, components);
    return target.oneOf || target.anyOf ? typeLabel(target, components) : name;
  }
  if (field.const !== undefined) return JSON.stringify(field.const);
  if (Array.isArray(field.enum)) return field.enum.map(String).join(" | ");
  if (field.type === "array") return `array of ${typeLabel((field.items ?? {}) as Json, components)}`;
  if (field.format === "date-time") return withNull(field, "timestamp");
  if (field.format === "uuid") return withNull(field, "uuid");
  return Array.isArray(field.type) ? field.type.join(" | ") : String(field.type ?? "any");
}

const withNull = (field: Json, label: string) => (Array.isArray(field.type) ? `${label} | null` : label);

/** The objects inside a field, each with the title under which it is folded. */
function nested(field: Json, components: Components): { title: string; schema: Json }[] {
  const whole = resolve(field, components);
  const options = (whole.anyOf ?? whole.oneOf) as Json[] | undefined;
  if (options) return options.flatMap((each) => nested(each, components));
  if (whole.type === "array") return nested((whole.items ?? {}) as Json, components);
  return whole.properties ? [{ title: `${nameOfRef(field) ?? "its"} fields`, schema: whole }] : [];
}
