// Example requests: every {placeholder} in a route's example is one of these. The values here are for reading;
// a test or a script puts in what its own world holds.
import { type AnyRoute, type Example, pathNames } from "./route.ts";

export const PLACEHOLDERS = {
  handle: "nightowl",
  userId: "7c0f6a52-4b1e-5d7a-9f3e-2a6d81c4e5b0",
  tradeId: "0d5b7f3c-91aa-5e0e-8a44-6f1f6f0a9d21",
  tokenAddress: "So11111111111111111111111111111111111111112",
  symbol: "MOONCAT",
  keyId: "key_4f0a9c",
  paymentId: "pay_8Zk2mQ",
  webhookId: "whk_8Zk2mQ4f0a9c",
} as const;

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{([A-Za-z]+)\}/g, (whole, name: string) => values[name] ?? whole);
}

const fillAll = (texts: Record<string, string> | undefined, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts ?? {}).map(([name, text]) => [name, fill(text, values)]));

/** A route's example with its placeholders filled in. */
export function filledExample(
  route: Pick<AnyRoute, "example">,
  values: Readonly<Record<string, string>> = PLACEHOLDERS,
): Required<Pick<Example, "params" | "query">> & Pick<Example, "body"> {
  const { params, query, body } = route.example;
  return {
    params: fillAll(params, values),
    query: fillAll(query, values),
    ...(body === undefined ? {} : { body }),
  };
}

/** The path and query of a route's example, ready to be put behind a base address. */
export function examplePath(
  route: AnyRoute,
  values: Readonly<Record<string, string>> = PLACEHOLDERS,
): string {
  const { params, query } = filledExample(route, values);
  const path = pathNames(route.path).reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(params[name] ?? "")),
    route.path,
  );
  const search = new URLSearchParams(query).toString();
  return search === "" ? path : `${path}?${search}`;
}
