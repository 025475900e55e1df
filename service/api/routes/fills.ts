// All captured fills, from the store. A walk ends at a moment before which nothing can arrive any more, so that a cursor
// never skips a late fill. The rows that one call scans are bounded, whatever its filter.
import { fault } from "../../../contract/errors.ts";
import { readChain } from "../../../contract/parts.ts";
import type { AnswerOf, QueryOf } from "../../../contract/route.ts";
import type { Routes } from "../../../contract/routes.ts";
import type { Keyset } from "../../../database/keyset.ts";
import { csvHead, csvLine } from "../../../kit/csv.ts";
import { servingTurn } from "../../../kit/turn.ts";
import type { Fill } from "../../../protocol/shapes/position.ts";
import { normaliseAddress } from "../../../protocol/values.ts";
import type { FillWalk } from "../../store/captured/fills.ts";
import type { Handler, RouteCall } from "../answer.ts";
import { isStart, readKeyset, writeKeyset } from "../cursor.ts";
import { iso } from "../present/common.ts";
import { presentSwap } from "../present/trades.ts";
import type { Services } from "../services.ts";
import type { Identify } from "../traders.ts";

/** Rows per turn of the event loop: a few milliseconds of parsing. */
const PAGE_ROWS = 200;
/** The most rows that one call scans; with a filter that matches fewer, the next call continues. */
const SCANNED_MAX = 2_000;

type FillsQuery = QueryOf<Routes["listFills"]>;
type FillsBody = AnswerOf<Routes["listFills"]>;
type ServedFill = FillsBody["fills"][number];

export function fillRoutes(
  { store, chains }: Pick<Services, "store" | "chains">,
  identify: Identify,
): { listFills: Handler<Routes["listFills"]> } {
  return {
    async listFills({ query }, call) {
      const { order } = query;
      const coveredFrom = Math.max(await store.log.beganAt(), (await store.fills.oldestAt()) ?? 0);
      const coveredTo = Math.min(call.asOf, (await store.log.head()).capturedAt);
      const walk = await walkOf(query, coveredTo, call);
      const { fills, next } = await scan(query, walk, call);
      const wanted = { from: query.from ?? Number.NEGATIVE_INFINITY, to: query.to ?? coveredTo };
      const isCovered = wanted.from >= coveredFrom && wanted.to <= coveredTo;
      const body: FillsBody = {
        order,
        count: fills.length,
        fills: await presented(fills, order),
        coveredFrom: iso(coveredFrom),
        coveredTo: iso(coveredTo),
        nextCursor: writeKeyset(`fills${order}`, next),
        complete: next === null && isCovered,
        note: isCovered ? null : "Not all of the asked time is between coveredFrom and coveredTo.",
      };
      return query.format === "json" ? { body } : { body, instead: written(body, query.format) };
    },
  };

  async function walkOf(query: FillsQuery, coveredTo: number, call: RouteCall): Promise<FillWalk> {
    return {
      from: query.from ?? 0,
      to: Math.min(query.to ?? coveredTo, coveredTo),
      order: query.order,
      of: await subjectOf(query, call),
      limit: isNarrowed(query) ? PAGE_ROWS : Math.min(PAGE_ROWS, query.limit),
      cursor: isStart(query.cursor) ? null : readKeyset(String(query.cursor), `fills${query.order}`),
    };
  }

  /** The part of a filter that has an index; the rest is checked row by row. */
  async function subjectOf({ trader, token }: FillsQuery, call: RouteCall): Promise<FillWalk["of"]> {
    if (trader) return { kind: "trader", userId: (await identify(trader, call)).userId };
    const [known, ...others] = token === undefined ? [] : await store.tokens.byAddress(token);
    return known && others.length === 0
      ? { kind: "token", address: known.address, networkId: known.networkId }
      : { kind: "everybody" };
  }

  async function scan(
    query: FillsQuery,
    walk: FillWalk,
    call: RouteCall,
  ): Promise<{ fills: Fill[]; next: Keyset | null }> {
    const network = query.chain === undefined ? null : readChain(query.chain, chains, "chain").id;
    const isWanted = (fill: Fill) =>
      (network === null || fill.networkId === network) &&
      (query.token === undefined || isSameAddress(tradedIn(fill).address, query.token)) &&
      (query.side === undefined || fill.side === query.side) &&
      (query.minUsd === undefined || (tradedIn(fill).usd ?? 0) >= query.minUsd);
    const fills: Fill[] = [];
    let { cursor } = walk;
    for (let scanned = 0; scanned < SCANNED_MAX; scanned += PAGE_ROWS) {
      const page = await store.fills.between({ ...walk, cursor: cursor ?? null });
      for (const [index, fill] of page.rows.entries()) {
        if (!isWanted(fill)) continue;
        fills.push(fill);
        const isLast = index === page.rows.length - 1 && page.next === null;
        if (fills.length === query.limit)
          return { fills, next: isLast ? null : { value: fill.at, id: fill.swapId } };
      }
      if (page.next === null) return { fills, next: null };
      cursor = page.next;
      await servingTurn();
      if (call.signal.aborted) throw fault("unavailable", "The caller has gone.");
    }
    return { fills, next: cursor ?? null };
  }

  async function presented(fills: readonly Fill[], order: string): Promise<ServedFill[]> {
    const ids = [...new Set(fills.map(({ userId }) => userId))];
    const handles = new Map((await store.traders.byIds(ids)).map(({ userId, handle }) => [userId, handle]));
    return fills.map((fill) => ({
      ...presentSwap(chains, fill),
      userId: fill.userId,
      handle: handles.get(fill.userId) ?? null,
      cursor: `fills${order}:${fill.at}:${fill.swapId}`,
    }));
  }
}

/** Whether a filter may drop rows from a walk; otherwise as many are read as are sent. */
const isNarrowed = ({ chain, token, side, minUsd }: FillsQuery) =>
  [chain, token, side, minUsd].some((given) => given !== undefined);

const tradedIn = ({ side, tokenIn, tokenOut }: Fill) => (side === "buy" ? tokenOut : tokenIn);
const isSameAddress = (a: string, b: string) => (normaliseAddress(a) ?? a) === (normaliseAddress(b) ?? b);

function written({ fills }: FillsBody, format: "ndjson" | "csv"): { contentType: string; text: string } {
  if (format === "ndjson")
    return {
      contentType: "application/x-ndjson; charset=utf-8",
      text: fills.map((fill) => `${JSON.stringify(fill)}\n`).join(""),
    };
  const text = fills.map((fill) => csvLine(fill, CSV_COLUMNS)).join("");
  return { contentType: "text/csv; charset=utf-8", text: `${csvHead(CSV_COLUMNS)}${text}` };
}

const CSV_COLUMNS = [
  "at",
  "swapId",
  "userId",
  "handle",
  "side",
  "chain",
  "tokenIn.address",
  "tokenIn.symbol",
  "tokenIn.amount",
  "tokenIn.usd",
  "tokenOut.address",
  "tokenOut.symbol",
  "tokenOut.amount",
  "tokenOut.usd",
  "priceUsd",
  "feeUsd",
  "txHash",
  "block",
  "cursor",
  "pricedBy",
  "depthUsd",
  "asOf",
  "exact",
];
