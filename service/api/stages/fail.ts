// The exit for every stage that refused or failed: the one error shape, with the caller's rate status. It is free, except
// for a miss.
import { Fault, fault } from "../../../contract/errors.ts";
import { StoreUnavailable } from "../../../database/errors.ts";
import type { Log } from "../../../kit/log.ts";
import { RateRefusal } from "../../access/access.ts";
import { sendFault } from "../respond.ts";
import { UNSUPPORTED_NOTE, UnsupportedRead } from "../unsupported.ts";
import type { Exchange } from "./exchange.ts";

export async function fail(exchange: Exchange, given: unknown): Promise<Response> {
  const { address, inside, requestId } = exchange;
  const { access, log } = exchange.served;
  const error = isUnauthorized(given)
    ? ((await access.paceRefused(address).catch(same)) ?? given)
    : await chargeMiss(exchange, given);
  exchange.admission?.release();
  if (error instanceof RateRefusal) exchange.rate = error.rate;
  // An unidentified caller gets the address's rate status.
  exchange.rate ??= await access.standing(inside?.caller ?? (await access.identify(null, address, "open")));
  return exchange.close(sendFault(exchange, translate(error, requestId, log)));
}

/** A miss is charged before it is answered. Returns the error that the caller gets. */
async function chargeMiss(exchange: Exchange, error: unknown): Promise<unknown> {
  const { admission, requestId, served } = exchange;
  const isMiss = error instanceof Fault && error.code === "not_found" && served.route.price.miss > 0;
  if (!admission || !isMiss) return error;
  try {
    exchange.paid(await admission.finish({ requestId, units: 0, outcome: "miss" }));
    return error;
  } catch (unpaid) {
    return unpaid;
  }
}

const isUnauthorized = (error: unknown) => error instanceof Fault && error.code === "unauthorized";

const same = (error: unknown) => error;

/** The part of an error that a caller may see. Anything but an explicit refusal is logged and hidden. */
export function translate(error: unknown, requestId: string, log: Log): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof UnsupportedRead) return fault("not_found", UNSUPPORTED_NOTE);
  if (error instanceof StoreUnavailable) {
    log.warn("store unavailable", { requestId, error });
    return fault(
      "unavailable",
      "The database does not answer right now. Nothing was charged; try again shortly.",
    );
  }
  log.error("request failed", { requestId, error });
  return fault("internal", "Something broke on our side. It is logged under this request id.");
}
