// An operation as described by the generated table, and the options of one call.

export interface CallOptions {
  /** Aborts the call, including its retries and waits. */
  signal?: AbortSignal;
  /** The most credits that this call, or all pages of this walk, may cost. */
  maxCredits?: number;
  /** On POST: your own name for this request; repeating it returns the first answer again. Generated if omitted. */
  idempotencyKey?: string;
}

export interface OperationFacts {
  /** Parameters that are not in the path go into a JSON body. */
  body?: boolean;
  /** Works without a key, and is free then. */
  keyless?: boolean;
  walk?: WalkFacts;
  units?: UnitFacts;
}

/** The list of rows, the cursor's input, and the cursor's field. */
export type WalkFacts = readonly [rows: string | null, parameter: string, from: string];

/** The input that buys units, the units without it, one more above each step, and values with a fixed count. */
export type UnitFacts = readonly [
  parameter: string,
  unset: number,
  steps: readonly number[],
  special: Readonly<Record<string, number>>,
];

export type OperationRow = readonly [request: string, credits: number, facts?: OperationFacts];

export type Input = Readonly<Record<string, unknown>>;

/** An answer, or a part of one, with fields looked up by name. */
export type Fields = Record<string, unknown>;

/** The maximum cost of a call with this input. */
export function ceilingOf([, credits, facts]: OperationRow, input: Input): number {
  if (!facts?.units) return credits;
  const [parameter, unset, steps, special] = facts.units;
  const value = input[parameter];
  if (value === undefined) return credits * unset;
  const units = special[String(value)] ?? 1 + steps.filter((step) => Number(value) > step).length;
  return credits * units;
}

/** Reserved for a request of unknown price, so that it can't exceed a budget. */
const UNKNOWN_CREDITS = 1e9;

/** The maximum total cost of a batch's requests. */
export function batchCeilingOf(table: Readonly<Record<string, OperationRow>>, { requests }: Input): number {
  if (!Array.isArray(requests)) return 0;
  return requests.reduce((sum: number, each: { path?: unknown } | null) => {
    const [path = "", query] = String(each?.path).split("?", 2);
    const row = Object.values(table).find(([request]) => matches(request, path));
    return sum + (row ? ceilingOf(row, Object.fromEntries(new URLSearchParams(query))) : UNKNOWN_CREDITS);
  }, 0);
}

export function batchCostOf(body: unknown): number {
  const { responses } = body as { responses: { headers: Record<string, string> }[] };
  return responses.reduce((sum, { headers }) => sum + Number(headers["x-credits-cost"]), 0);
}

function matches(request: string, path: string): boolean {
  const parts = request.split("/");
  const given = `GET ${path}`.split("/");
  return parts.length === given.length && parts.every((part, n) => part[0] === "{" || part === given[n]);
}

export interface Addressed {
  method: string;
  /** With its query. */
  path: string;
  body?: string;
}

/** The request for an input. Unknown names are passed on: the service refuses them in its own words. */
export function requestOf([request, , facts]: OperationRow, input: Input): Addressed {
  const [method, template] = request.split(" ") as [string, string];
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    if (value === undefined || value === "") throw new TypeError(`${name} is missing.`);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  if (facts?.body) return { method, path, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
  return { method, path: query.size > 0 ? `${path}?${query}` : path };
}
