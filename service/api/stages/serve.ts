// The path of a request through its stages, in this order. A cached read goes through all of them in one synchronous pass and
// waits once, for its charge; a stage that must wait earlier continues from there with promises. `npm run bench -- stages`
// shows the cost of each stage.
import type { MaybePromise } from "../../../kit/maybe-promise.ts";
import { admit } from "./admit.ts";
import { answer } from "./answer.ts";
import { charge } from "./charge.ts";
import type { Exchange } from "./exchange.ts";
import { fail } from "./fail.ts";
import { identify } from "./identify.ts";
import { pace } from "./pace.ts";
import { read } from "./read.ts";

/** Records its results in the exchange, synchronously or when its promise resolves; throws to refuse. */
type Stage = (exchange: Exchange) => MaybePromise<void>;

const BEFORE_CHARGE: readonly Stage[] = [identify, pace, read, admit, answer];

/** Always ends in a response. */
export function serve(exchange: Exchange): MaybePromise<Response> {
  try {
    for (let index = 0; index < BEFORE_CHARGE.length; index++) {
      const waiting = BEFORE_CHARGE[index]?.(exchange);
      if (waiting instanceof Promise) return goOn(exchange, waiting, BEFORE_CHARGE.slice(index + 1));
    }
    return charge(exchange);
  } catch (error) {
    return fail(exchange, error);
  }
}

async function goOn(exchange: Exchange, waiting: Promise<void>, rest: readonly Stage[]): Promise<Response> {
  try {
    await waiting;
    for (const stage of rest) await stage(exchange);
    return charge(exchange);
  } catch (error) {
    return fail(exchange, error);
  }
}
