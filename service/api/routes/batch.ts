// Several reads in one round trip. Each goes through its route's runner on the caller's behalf, so that price, limits,
// cache and errors are the route's; only the key is checked once. All are validated before any is run.
import { fault } from "../../../contract/errors.ts";
import type { AnyRoute } from "../../../contract/route.ts";
import type { BatchRequest } from "../../../contract/routes/batch.ts";
import type { Routes } from "../../../contract/routes.ts";
import { freshRequestId } from "../../../kit/ids.ts";
import type { Handler, RouteCall, RunRoute } from "../answer.ts";
import { inTurn } from "../in-turn.ts";
import { sendFault } from "../respond.ts";
import type { Services } from "../services.ts";

/** Half the in-flight limit of the smallest plan, so that a batch leaves room for the account's other calls. */
const READS_IN_FLIGHT_MAX = 5;
/** All bodies of one batch: the response, which is stored for a repeated request, stays well below 2 MB. */
const BODIES_BYTES_MAX = 1_000_000;
/** Plus one live read's deadline, this is still well within clients' timeouts. */
const BEGINS_WITHIN_MS = 15_000;

/** Headers that belong to a single answer; the others are the connection's. */
const HEADERS = [
  "x-credits-cost",
  "x-credits-remaining",
  "x-request-id",
  "ratelimit",
  "ratelimit-policy",
  "cache-control",
  "content-type",
  "etag",
  "retry-after",
];

/** A batch may contain only reads that take a key. */
export const isBatchable = ({ method, access, hasRanges }: AnyRoute) =>
  method === "GET" && access !== "open" && !hasRanges;

interface BatchRead {
  request: Request;
  run: RunRoute;
  params: Record<string, string>;
}

type BatchParts = Pick<Services, "findRead" | "access" | "clock">;

export function batchRoutes({ findRead, access, clock }: BatchParts): { batch: Handler<Routes["batch"]> } {
  const readOf = ({ path, headers }: BatchRequest, index: number, { signal }: RouteCall): BatchRead => {
    const found = findRead(path.split("?", 1)[0] ?? "");
    const etags = headers?.["if-none-match"];
    const init = { signal, ...(etags === undefined ? {} : { headers: { "if-none-match": etags } }) };
    if (found) return { request: new Request(`http://batch${path}`, init), ...found };
    const param = `requests[${index}].path`;
    throw fault(
      "invalid_body",
      `${param} is not a read of this API: a batch takes GET paths that accept a key, see /docs.`,
      { param },
    );
  };

  const refuseLate = async ({ request }: BatchRead, { caller }: RouteCall) => {
    const standing = { cost: 0, remaining: access.remainingOf(caller), rate: await access.standing(caller) };
    return sendFault(
      { request, requestId: freshRequestId(), ...standing, extra: null },
      fault("unavailable", "The batch ran out of time before this request started. It cost nothing."),
    );
  };

  return {
    async batch({ body: { requests } }, call) {
      const reads = requests.map((each, index) => readOf(each, index, call));
      const beginsUntil = clock.now() + BEGINS_WITHIN_MS;
      const fit = roomFor(BODIES_BYTES_MAX);
      const responses = await inTurn(reads, READS_IN_FLIGHT_MAX, async (read, index) => {
        if (clock.now() > beginsUntil) return refuseLate(read, call);
        // The batch was counted as a request when it arrived: its first read takes that count.
        const inside = { caller: call.caller, rate: index === 0 ? call.rate : null, fit, asOf: call.asOf };
        return read.run(read.request, () => read.params, NO_ADDRESS, inside);
      });
      const texts = await Promise.all(
        responses.map((response, index) => textOf(response, requests[index]?.id ?? null)),
      );
      const cost = responses.reduce((sum, { headers }) => sum + Number(headers.get("x-credits-cost")), 0);
      call.carried(cost, await access.standing(call.caller));
      // The bodies are already JSON: parsing and serialising them again would only block the thread.
      const text = `{"responses":[${texts.join(",")}]}`;
      return { body: { responses: [] }, instead: { contentType: null, text } };
    },
  };
}

/** The caller is identified by the key, so the address is never used. */
const NO_ADDRESS = "batch";

function roomFor(bytesMax: number) {
  let used = 0;
  return (bytes: number) => {
    if (used + bytes > bytesMax)
      throw fault(
        "answer_too_large",
        `The answers of a batch may have ${bytesMax} bytes together, and this one exceeds that. Request it separately; it cost nothing.`,
      );
    used += bytes;
  };
}

async function textOf(response: Response, id: string | null): Promise<string> {
  const { status, headers } = response;
  const shown = HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const text = await response.text();
  const isJson = headers.get("content-type")?.startsWith("application/json") ?? false;
  const body = status === 304 ? "null" : isJson ? text : JSON.stringify(text);
  const head = JSON.stringify({ id, status, headers: Object.fromEntries(shown) });
  return `${head.slice(0, -1)},"body":${body}}`;
}
