// Who calls.
// Refuses: 401 for a key that is mistyped, unknown or revoked, or missing although the route needs one; 503 when the
// store can't answer. Waits only for a key that was not seen for some seconds.
import type { MaybePromise } from "../../../kit/maybe-promise.ts";
import type { Caller } from "../../access/access.ts";
import type { Exchange } from "./exchange.ts";

export function identify(exchange: Exchange): MaybePromise<void> {
  const { inside, request, address } = exchange;
  const { access, route } = exchange.served;
  const caller =
    inside?.caller ?? access.identify(request.headers.get("authorization"), address, route.access);
  if (caller instanceof Promise) return caller.then((known) => note(exchange, known));
  note(exchange, caller);
}

function note(exchange: Exchange, caller: Caller): void {
  exchange.caller = caller;
  exchange.remaining = exchange.served.access.remainingOf(caller);
}
