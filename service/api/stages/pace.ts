// How fast: counts the request against its caller's minute.
// Refuses: 429 past the rate, or with too many requests in flight on all nodes together. Waits only if nodes share Redis
// and this one has used up its slice.
import type { MaybePromise } from "../../../kit/maybe-promise.ts";
import type { Exchange } from "./exchange.ts";

export function pace(exchange: Exchange): MaybePromise<void> {
  const { inside, caller } = exchange;
  const { access, route } = exchange.served;
  const standing = inside?.rate ?? access.pace(caller, route.access);
  if (standing instanceof Promise)
    return standing.then((known) => {
      exchange.rate = known;
    });
  exchange.rate = standing;
}
