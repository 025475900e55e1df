// Reads of the contract on behalf of the chart's caller: with their key, or as a visitor if visitors are allowed.
import { ErrorBody, Fault, fault } from "../../../contract/errors.ts";
import type { AnswerOf } from "../../../contract/route.ts";
import type { RouteId, Routes } from "../../../contract/routes.ts";
import type { RunRoute } from "../../api/answer.ts";
import type { PageRequest } from "../../api/page.ts";
import { isFromOwnPage } from "../own-origin.ts";

export interface UdfAccess {
  /** On behalf of a key's owner. */
  runOf(id: RouteId): RunRoute;
  /** As a visitor of the explorer; null if visitors need a key. */
  visitorRunOf: ((id: RouteId) => RunRoute) | null;
  publicUrl(): string;
}

export interface ReadWish {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
}

export interface ChartReader {
  /** Throws the route's own error. */
  read<Id extends RouteId>(id: Id, asked: ReadWish): Promise<AnswerOf<Routes[Id]>>;
  /** The cost of the reads so far. */
  credits(): number;
}

export function readerFor(request: PageRequest, address: string, access: UdfAccess): ChartReader {
  const authorization = request.headers.get("authorization");
  const runOf = authorization === null ? visitorRuns(request, access) : access.runOf;
  let credits = 0;
  return {
    credits: () => credits,
    async read(id, { params = {}, query = {} }) {
      const given = Object.entries(query).filter(([, value]) => value !== undefined);
      const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
      const asked = new Request(`http://chart/?${search}`, {
        headers: authorization === null ? {} : { authorization },
        signal: request.signal,
      });
      const answer = await runOf(id)(asked, () => params, address);
      credits += Number(answer.headers.get("x-credits-cost") ?? 0);
      const body = await answer.json();
      if (!answer.ok) throw refusalOf(body);
      return body as never;
    },
  };
}

/** A page of another site would use up its visitors' limits here. */
function visitorRuns(request: PageRequest, access: UdfAccess): (id: RouteId) => RunRoute {
  if (access.visitorRunOf === null || !isFromOwnPage(request, access.publicUrl()))
    throw fault("unauthorized", "Send a key: Authorization: Bearer ct_...");
  return access.visitorRunOf;
}

function refusalOf(body: unknown): Fault {
  const {
    error,
    message,
    status: _,
    requestId: __,
    docs: ___,
    retryable: ____,
    ...details
  } = ErrorBody.parse(body);
  return new Fault(error, message, details);
}
