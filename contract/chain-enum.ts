// The list of chains is an operator setting, so shapes only mark where a chain occurs; the documents insert the names when
// they are generated.
import type { Chains } from "./chains.ts";

/** On a schema: `name` where an answer has a chain's name, `input` where a caller may give one. */
export const CHAIN_MARK = "x-chain";

/** The same document, with the chains' names as an enum wherever a chain occurs. */
export function withChains<T>(chains: Chains, document: T): T {
  const names = chains.list.map(({ name }) => name);
  const inputs = chains.list.flatMap(({ id, name, aliases }) => [name, ...aliases, String(id)]);
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== "object" || value === null) return value;
    const { [CHAIN_MARK]: mark, ...rest } = value as Record<string, unknown>;
    const filled = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, fill(inner)]));
    if (mark === undefined) return filled;
    const isNullable = Array.isArray(rest.type) && rest.type.includes("null");
    return { ...filled, enum: [...(mark === "name" ? names : inputs), ...(isNullable ? [null] : [])] };
  };
  return fill(document) as T;
}
