// The charge, durable before the answer is sent. Unchanged and free answers are sent without one.
// Refuses: 402 when the credits were spent meanwhile, 503 when the store is down, 413 inside a batch that is full. Waits
// for the commit shared by all charges of this turn of the event loop.
import { FILE_UNIT_BYTES } from "../../../contract/route.ts";
import type { MaybePromise } from "../../../kit/maybe-promise.ts";
import type { Admission } from "../../access/access.ts";
import { type FilePart, partOf } from "../ranges.ts";
import { matchesEtag } from "../respond.ts";
import type { Exchange } from "./exchange.ts";
import { fail } from "./fail.ts";
import { send } from "./send.ts";

/** Charges, then sends: the ledger resolves the response itself, because each extra promise costs about a microsecond. */
export function charge(exchange: Exchange): MaybePromise<Response> {
  const { packed, request, inside } = exchange;
  const { route } = exchange.served;
  exchange.isUnchanged =
    route.cache.kind === "shared" && matchesEtag(request.headers.get("if-none-match"), packed.etag);
  if (exchange.isUnchanged) return send(exchange);
  inside?.fit(packed.bytes.byteLength);
  if (packed.file !== null) exchange.part = partOf(request, packed.file);
  // Asking for a file's length is free.
  if (packed.free || (packed.file !== null && request.method === "HEAD")) return send(exchange);
  const outcome = packed.found ? "hit" : "miss";
  return (exchange.admission as Admission).finish(
    { requestId: exchange.requestId, units: unitsOf(exchange.part) ?? packed.units, outcome },
    (receipt) => {
      exchange.paid(receipt);
      return send(exchange);
    },
    (error) => fail(exchange, error),
  );
}

const unitsOf = (part: FilePart | null): number | null =>
  part && Math.max(1, Math.ceil((part.end - part.start) / FILE_UNIT_BYTES));
