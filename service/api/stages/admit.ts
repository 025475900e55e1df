// Whether the call can be paid for, as far as is known, and whether its caller may have one more in flight.
// Refuses: 401 and 403 by the plan, 402 for lack of credits, 429 with too many requests in flight. Waits only before a 402,
// for a balance no older than a second.
import type { MaybePromise } from "../../../kit/maybe-promise.ts";
import type { Admission } from "../../access/access.ts";
import type { Exchange } from "./exchange.ts";

export function admit(exchange: Exchange): MaybePromise<void> {
  const { access, route } = exchange.served;
  const admission = access.admit(exchange.caller, route, exchange.read.units);
  if (admission instanceof Promise) return admission.then((given) => note(exchange, given));
  note(exchange, admission);
}

function note(exchange: Exchange, admission: Admission): void {
  exchange.admission = admission;
  exchange.remaining = admission.remaining();
}
