// The answer as bytes: cached ones, or a handler's.
// Refuses: what the handler does, 404, 400 and 503 mostly. Waits for the handler, if no fresh answer is cached, and for the
// compression of a large one.
import { ROUTES } from "../../../contract/routes.ts";
import { after, type MaybePromise } from "../../../kit/maybe-promise.ts";
import type { RateStanding } from "../../access/access.ts";
import type { RouteCall } from "../answer.ts";
import { type Packed, pack } from "../byte-cache.ts";
import { momentOf } from "../profit/moment.ts";
import { ACCEPTED, compressed } from "../respond.ts";
import type { Exchange } from "./exchange.ts";

export function answer(exchange: Exchange): MaybePromise<void> {
  const ready = after(produce(exchange), (packed) => compressed(exchange, packed));
  if (ready instanceof Promise)
    return ready.then((packed) => {
      exchange.packed = packed;
    });
  exchange.packed = ready;
}

function produce(exchange: Exchange): MaybePromise<Packed> {
  const { route, cache } = exchange.served;
  // Only uncached answers may depend on the caller.
  if (route.cache.kind === "shared")
    return cache.read(
      cacheKeyOf(exchange),
      route.cache,
      (wanted) => handled(exchange, wanted),
      exchange.request,
    );
  const repeatable = route.method === "POST" ? exchange.request.headers.get("idempotency-key") : null;
  return repeatable === null ? packedAnswer(exchange) : once(exchange, repeatable);
}

/** An answer that depends on the moment is keyed by it inside a request with its own moment. */
function cacheKeyOf({ served: { route }, read: { key }, inside }: Exchange): string {
  return inside && route.cache.kind === "shared" && route.cache.ofMoment ? `${key}@${inside.asOf}` : key;
}

/** `wanted` aborts when no one is waiting any more; by default when the caller disconnects. */
function handled(exchange: Exchange, wanted?: AbortSignal) {
  return exchange.served.handle(exchange.read.input, callOf(exchange, wanted));
}

async function packedAnswer(exchange: Exchange): Promise<Packed> {
  const { route, clock } = exchange.served;
  return pack(await handled(exchange), route.cache, clock.now());
}

/** A repeated POST gets the first one's answer. */
async function once(exchange: Exchange, idempotencyKey: string): Promise<Packed> {
  const { caller, read, request } = exchange;
  const { route, access, clock } = exchange.served;
  const kept = await access.idempotency.run(
    {
      subject: caller.kind === "key" ? caller.accountId : caller.subject,
      routeId: route.id,
      idempotencyKey,
      credential: request.headers.get("authorization") ?? "",
      body: read.text === "" ? read.key : `${read.key} ${read.text}`,
      atMostOnce: route.id === ROUTES.batch.id,
    },
    async () => {
      const packed = await packedAnswer(exchange);
      const status = packed.isAccepted ? ACCEPTED : route.status;
      return { status, answer: new TextDecoder().decode(packed.bytes) };
    },
  );
  if (kept.replayed) exchange.extra = { "idempotency-replayed": "true" };
  const isAccepted = kept.status === ACCEPTED;
  const instead = { contentType: null, text: kept.answer };
  // A POST is charged once, by its own work; the first answer went through here too.
  return pack({ body: null, free: true, isAccepted, instead }, route.cache, clock.now());
}

function callOf(exchange: Exchange, wanted: AbortSignal | undefined): RouteCall {
  const { caller } = exchange;
  const { access, clock, deadlineMs } = exchange.served;
  const startedAt = clock.now();
  return {
    requestId: exchange.requestId,
    caller,
    rate: exchange.rate as RateStanding,
    asOf: exchange.inside?.asOf ?? momentOf(startedAt),
    carried(cost, rate) {
      exchange.cost += cost;
      exchange.remaining = exchange.admission?.remaining() ?? null;
      exchange.rate = rate;
    },
    delayMs: access.delayMsOf(caller, startedAt),
    get signal() {
      return wanted ?? exchange.request.signal;
    },
    get deadlineMs() {
      return Math.max(0, startedAt + deadlineMs - clock.now());
    },
  };
}
