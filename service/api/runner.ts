// One request, in the order it travels: who, how fast, what is asked, may it be paid, the answer, the charge, the
// bytes. The charge is durable before the answer leaves; whatever goes wrong ends in the one error shape and is free,
// except a look that found nothing.
import { Fault, fault } from "../../contract/errors.ts";
import { readRequest } from "../../contract/read.ts";
import type { AnyRoute } from "../../contract/route.ts";
import { ROUTES } from "../../contract/routes.ts";
import { StoreUnavailable } from "../../database/errors.ts";
import type { Clock } from "../../kit/clock.ts";
import { freshRequestId } from "../../kit/ids.ts";
import type { Log } from "../../kit/log.ts";
import { createLru } from "../../kit/lru.ts";
import { after, type MaybePromise } from "../../kit/maybe-promise.ts";
import { LATENCY_BOUNDS_SECONDS, type Metrics } from "../../kit/metrics.ts";
import { queryOf } from "../../kit/target.ts";
import {
  type Access,
  type Address,
  type Admission,
  type Caller,
  RateRefusal,
  type RateStanding,
  type Receipt,
} from "../access/access.ts";
import type { Answer, Call, Handler, Inside } from "./answer.ts";
import { parseJson, readBodyText } from "./body.ts";
import { createByteCache, type Packed, pack } from "./byte-cache.ts";
import { compressed, type Exchange, matchesEtag, sendFault, sendNotModified, sendPacked } from "./respond.ts";
import { UNSUPPORTED_NOTE, Unsupported } from "./supported.ts";

type Input = { params: never; query: never; body: never };
type AnyHandler = (input: Input, call: Call) => Promise<Answer<unknown>>;

export interface RunnerParts {
  access: Access;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  deadlineMs: number;
}

/** Serves one route's requests, and answers to whatever goes wrong with them; `params` are under the names of the route's own path, and are asked for once. */
export type RunRoute = (
  request: Request,
  params: () => Record<string, string>,
  address: Address,
  inside?: Inside,
) => MaybePromise<Response>;

interface ReadInput {
  input: Input;
  /** Names the route and its whole input. */
  key: string;
  units: number;
  /** The body as it was sent. */
  text: string;
}

/** An exchange on its way to an end, which is counted and gives its place back once, however it comes about. */
interface Running extends Exchange {
  counted(response: Response): Response;
  failed(problem: unknown): Promise<Response>;
  /** Ends it when its charge is made, so that nobody need wait for this promise with another one. */
  paying: Promise<Response> | null;
}

/** Parsed inputs of the most asked URLs; parsing is a third of a cached read's cost. */
const PARSED_INPUTS_KEPT = 2_000;
/** Twice the longest of ours; a host of many kilobytes is not worth keeping thousands of times. */
const PARSED_URL_LENGTH_AT_MOST = 512;

export function createRunner(parts: RunnerParts) {
  const { clock, log, metrics } = parts;
  const cache = createByteCache(clock, (key, problem) => log.debug("refresh failed", { key, problem }));
  const seconds = metrics.histogram(
    "crowdtape_http_request_seconds",
    "Time to answer.",
    LATENCY_BOUNDS_SECONDS,
  );
  const answered = metrics.counter(
    "crowdtape_http_requests_total",
    "Requests answered, by route and status.",
  );

  /** `access` is who may call: everyone by their key, or the explorer's visitors. What is cached is the same for both. */
  return function runnerOf<R extends AnyRoute>(
    route: R,
    handler: Handler<R>,
    access: Access = parts.access,
  ): RunRoute {
    const handle = handler as unknown as AnyHandler;
    const parsed = createLru<string, ReadInput>(PARSED_INPUTS_KEPT);
    const routeSeconds = seconds.of({ route: route.id });
    const statuses = new Map<number, ReturnType<typeof answered.of>>();

    const readInput = async (request: Request, params: () => Record<string, string>): Promise<ReadInput> => {
      const query = queryOf(request.url);
      const text = route.body ? await readBodyText(request) : "";
      const read = readRequest(route, {
        params: params(),
        query,
        ...(route.body ? { body: parseJson(text) } : {}),
      });
      const entry = {
        input: read as unknown as Input,
        key: `${route.id} ${JSON.stringify([read.params, read.query])}`,
        units: route.unitsAtMost?.(read.query as never) ?? 1,
        text,
      };
      if (route.method === "GET" && request.url.length <= PARSED_URL_LENGTH_AT_MOST)
        parsed.set(request.url, entry);
      return entry;
    };

    const answer = (exchange: Running, caller: Caller, read: ReadInput): MaybePromise<Response> =>
      after(access.admit(caller, route, read.units), (admission) => {
        exchange.admission = admission;
        exchange.remaining = admission.remaining();
        return after(produce(exchange, caller, read), (packed) =>
          after(compressed(exchange, packed), (ready) => payAndSend(exchange, admission, ready)),
        );
      });

    /** A look that found nothing is charged before it is told. */
    const payMiss = async (exchange: Exchange, problem: unknown): Promise<unknown> => {
      const { admission } = exchange;
      const isMiss = problem instanceof Fault && problem.code === "not_found" && route.price.miss > 0;
      if (!admission || !isMiss) return problem;
      const end = { requestId: exchange.requestId, units: 0, outcome: "miss" } as const;
      try {
        return await admission.finish(end, (receipt) => {
          note(exchange, receipt);
          return problem;
        });
      } catch (unpaid) {
        return unpaid;
      }
    };

    const produce = (exchange: Exchange, caller: Caller, read: ReadInput): MaybePromise<Packed> => {
      // Only what is not cached needs to know who asks.
      const work = () => handle(read.input, callOf(exchange, caller));
      if (route.cache.kind === "shared") return cache.read(read.key, route.cache, work);
      const fresh = async () => pack(await work(), route.cache, clock.now());
      const repeatable = route.method === "POST" ? exchange.request.headers.get("idempotency-key") : null;
      return repeatable === null ? fresh() : once(exchange, caller, read, repeatable, fresh);
    };

    const callOf = (exchange: Exchange, caller: Caller): Call => {
      const startedAt = clock.now();
      return {
        requestId: exchange.requestId,
        caller,
        rate: exchange.rate as RateStanding,
        carried(cost, rate) {
          exchange.cost += cost;
          exchange.rate = rate;
        },
        delayMs: access.delayMsOf(caller, startedAt),
        get deadlineMs() {
          return Math.max(0, startedAt + parts.deadlineMs - clock.now());
        },
      };
    };

    /** A repeated POST gets the first one's answer. */
    const once = async (
      exchange: Exchange,
      caller: Caller,
      read: ReadInput,
      idempotencyKey: string,
      work: () => Promise<Packed>,
    ): Promise<Packed> => {
      const kept = await access.idempotency.run(
        {
          subject: caller.kind === "key" ? caller.accountId : caller.subject,
          routeId: route.id,
          idempotencyKey,
          credential: exchange.request.headers.get("authorization") ?? "",
          body: read.text === "" ? read.key : `${read.key} ${read.text}`,
          atMostOnce: route.id === ROUTES.batch.id,
        },
        async () => ({ status: route.status, answer: new TextDecoder().decode((await work()).bytes) }),
      );
      if (kept.replayed) exchange.extra = { "idempotency-replayed": "true" };
      return pack(
        { body: null, instead: { contentType: null, text: kept.answer } },
        route.cache,
        clock.now(),
      );
    };

    const payAndSend = (exchange: Running, admission: Admission, packed: Packed): MaybePromise<Response> => {
      const maxAgeSeconds = Math.max(0, Math.ceil((packed.freshUntil - clock.now()) / 1_000));
      if (
        route.cache.kind === "shared" &&
        matchesEtag(exchange.request.headers.get("if-none-match"), packed.etag)
      ) {
        return sendNotModified(exchange, packed, maxAgeSeconds);
      }
      exchange.inside?.fit(packed.bytes.byteLength);
      if (packed.free) return sendPacked(exchange, packed, route.status, maxAgeSeconds);
      const outcome = packed.found ? "hit" : "miss";
      const end = { requestId: exchange.requestId, units: packed.units, outcome } as const;
      const settle = (receipt: Receipt) => {
        note(exchange, receipt);
        return exchange.counted(sendPacked(exchange, packed, route.status, maxAgeSeconds));
      };
      const sent = admission.finish(end, settle, exchange.failed);
      if (sent instanceof Promise) exchange.paying = sent;
      return sent;
    };

    const note = (exchange: Exchange, receipt: Receipt) => {
      exchange.cost += receipt.cost;
      exchange.remaining = receipt.remaining;
    };

    const count = (status: number, startedAt: number) => {
      let counter = statuses.get(status);
      if (!counter) {
        counter = answered.of({ route: route.id, status: String(status) });
        statuses.set(status, counter);
      }
      counter.add();
      routeSeconds.observe((performance.now() - startedAt) / 1_000);
    };

    const fail = async (exchange: Exchange, address: Address, given: unknown): Promise<Response> => {
      const problem = isUnauthorized(given)
        ? ((await access.paceRefused(address).catch(same)) ?? given)
        : await payMiss(exchange, given);
      exchange.admission?.release();
      if (problem instanceof RateRefusal) exchange.rate = problem.rate;
      // Who could not be told is answered with the address's standing.
      exchange.rate ??= await access.standing(
        exchange.inside?.caller ?? (await access.identify(null, address, "open")),
      );
      return sendFault(exchange, translate(problem, exchange.requestId, log));
    };

    const serve = (
      exchange: Running,
      params: () => Record<string, string>,
      address: Address,
    ): MaybePromise<Response> => {
      const { request, inside } = exchange;
      const known =
        inside?.caller ?? access.identify(request.headers.get("authorization"), address, route.access);
      return after(known, (caller) => {
        exchange.remaining = access.remainingOf(caller);
        return after(inside?.rate ?? access.pace(caller, route.access), (standing) => {
          exchange.rate = standing;
          return after(parsed.get(request.url) ?? readInput(request, params), (read) =>
            answer(exchange, caller, read),
          );
        });
      });
    };

    return (request, params, address, inside) => {
      const startedAt = performance.now();
      let isCounted = false;
      const counted = (response: Response) => {
        if (isCounted) return response;
        isCounted = true;
        exchange.admission?.release();
        count(response.status, startedAt);
        return response;
      };
      const failed = (problem: unknown) => fail(exchange, address, problem).then(counted);
      const exchange: Running = {
        request,
        requestId: freshRequestId(),
        cost: 0,
        remaining: null,
        rate: null,
        extra: null,
        admission: null,
        counted,
        failed,
        paying: null,
      };
      if (inside) exchange.inside = inside;
      try {
        const response = serve(exchange, params, address);
        if (!(response instanceof Promise)) return counted(response);
        return response === exchange.paying ? response : response.then(counted, failed);
      } catch (problem) {
        return failed(problem);
      }
    };
  };
}

const isUnauthorized = (problem: unknown) => problem instanceof Fault && problem.code === "unauthorized";

const same = (problem: unknown) => problem;

/** What a caller may know of a problem. Anything that is not a stated refusal is logged and hidden. */
export function translate(problem: unknown, requestId: string, log: Log): Fault {
  if (problem instanceof Fault) return problem;
  if (problem instanceof Unsupported) return fault("not_found", UNSUPPORTED_NOTE);
  if (problem instanceof StoreUnavailable) {
    log.warn("store unavailable", { requestId, problem });
    return fault(
      "unavailable",
      "The database does not answer right now. Nothing was charged; try again shortly.",
    );
  }
  log.error("request failed", { requestId, problem });
  return fault("internal", "Something broke on our side. It is logged under this request id.");
}
