// The input: parameters, query and body by the route's schema.
// Refuses: 400 for what the schema does not allow, 413 and 415 for a body that is too large or is not JSON. Waits for a body,
// and for a URL not seen before; parsing one costs as much as the rest of a cached read.
import { readRequest } from "../../../contract/read.ts";
import type { MaybePromise } from "../../../kit/maybe-promise.ts";
import { queryOf } from "../../../kit/target.ts";
import { parseJson, readBodyText } from "../body.ts";
import type { Exchange, ReadInput, RouteInput } from "./exchange.ts";

/** Twice our longest; a host of many kilobytes is not worth caching thousands of times. */
const PARSED_URL_LENGTH_MAX = 512;

export function read(exchange: Exchange): MaybePromise<void> {
  const known = exchange.served.parsed.get(exchange.request.url);
  if (!known) return readAll(exchange);
  exchange.read = known;
}

async function readAll(exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const { route, parsed } = exchange.served;
  const query = queryOf(request.url);
  const text = route.body ? await readBodyText(request) : "";
  const input = readRequest(route, {
    params: exchange.params(),
    query,
    ...(route.body ? { body: parseJson(text) } : {}),
  });
  const entry: ReadInput = {
    input: input as unknown as RouteInput,
    key: `${route.id} ${JSON.stringify([input.params, input.query])}`,
    units: route.unitsMax?.(input.query as never) ?? 1,
    text,
  };
  if (route.method === "GET" && request.url.length <= PARSED_URL_LENGTH_MAX) parsed.set(request.url, entry);
  exchange.read = entry;
}
