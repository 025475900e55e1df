// Example requests: every {placeholder} in a route's example is one of these. The trader, the token and the trade exist in
// the simulated world that `npm start` serves, whatever day it begins on, so that an example works as printed; a test or a
// script uses values from its own world.
import { type AnyRoute, type Example, pathNames } from "./route.ts";

export const PLACEHOLDERS = {
  handle: "mayatrades",
  userId: "325a84b2-b551-4309-bbdb-4c3563e84d12",
  // The 20,000th: well within the past, whose length varies.
  tradeId: "45449b63-a5b6-4461-9a96-e7181f89b3ca",
  tokenAddress: "0xf09557D40B1f0519EbC13C9340d680ED8C3f17e8",
  symbol: "OAKLEAF",
  keyId: "key_4f0a9c",
  paymentId: "pay_8Zk2mQ",
  webhookId: "whk_8Zk2mQ4f0a9c",
  replayId: "rpl_8Zk2mQ4f0a9c",
  historyDate: "2026-11-15",
  followId: "flw_8Zk2mQ4f0a9cX1",
} as const;

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{([A-Za-z]+)\}/g, (whole, name: string) => values[name] ?? whole);
}

const fillAll = (texts: Record<string, string> | undefined, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts ?? {}).map(([name, text]) => [name, fill(text, values)]));

const fillBody = (body: Record<string, unknown>, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === "string" ? fill(value, values) : value,
    ]),
  );

/** A route's example with its placeholders filled in. */
export function filledExample(
  route: Pick<AnyRoute, "example">,
  values: Readonly<Record<string, string>> = PLACEHOLDERS,
): Required<Pick<Example, "params" | "query">> & Pick<Example, "body"> {
  const { params, query, body } = route.example;
  return {
    params: fillAll(params, values),
    query: fillAll(query, values),
    ...(body === undefined ? {} : { body: fillBody(body, values) }),
  };
}

/** The path and query of a route's example, ready to append to a base URL. */
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
