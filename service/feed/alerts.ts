// A page of alerts for a filter. The store narrows the log down by an index; the filter itself, the same function that
// sockets use, decides about each event. How far one call scans is bounded: a page that ends at the bound says how
// far it got, and a cursor continues from there.
import { fault } from "../../contract/errors.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { LogEvent } from "../model/event.ts";
import type { LogStore } from "../store/captured/log.ts";
import type { LogPage, LogQuery } from "../store/captured/log-page.ts";
import { factsOf } from "./facts.ts";
import { type FeedFilter, matches } from "./filter.ts";
import { bareForm } from "./filter-input.ts";

export interface AlertWalk {
  limit: number;
  order: "asc" | "desc";
  /** Strictly newer than this position. */
  after?: number;
  /** Strictly older. */
  before?: number;
  since?: number;
  capturedBy?: number;
}

export interface AlertPage {
  events: LogEvent[];
  /** Rows may remain between the last of these and the walk's other bound. */
  hasMore: boolean;
  /** Where to continue when the bound on looking ended the page before it was full. */
  reached: number | null;
}

/** Rows that are read and filtered at a time: a few milliseconds of the thread. */
const CHUNK_ROWS_MAX = 200;
/** Rows of one pass over all runs, however many names a filter has. */
const PASS_ROWS_MAX = 4_000;
/** Rows of one call, over all its runs and passes: some 100 ms of work, shared with everyone else. */
const ROWS_MAX = 10_000;
/** Passes of one call. A rare match in a long log takes several pages, not a long wait. */
const PASSES_MAX = 10;

/** Ends as soon as the signal reports that the caller disconnected. */
export async function readAlerts(
  log: Pick<LogStore, "page">,
  filter: FeedFilter,
  walk: AlertWalk,
  signal?: AbortSignal,
): Promise<AlertPage> {
  const runs = narrowings(filter);
  if (runs.length === 0) return { events: [], hasMore: false, reached: null };
  const ascending = walk.order === "asc";
  const inOrder = (a: LogEvent, b: LogEvent) => (ascending ? a.seq - b.seq : b.seq - a.seq);
  const wanted = needsLooking(filter, runs) ? CHUNK_ROWS_MAX : walk.limit;
  const chunk = Math.max(1, Math.min(wanted, Math.floor(PASS_ROWS_MAX / runs.length)));
  const passesMax = Math.max(1, Math.min(PASSES_MAX, Math.floor(ROWS_MAX / (chunk * runs.length))));
  const found: LogEvent[] = [];
  let bounds: Partial<AlertWalk> = {};
  let edge: number | null = null;
  for (let passes = 0; passes < passesMax; passes++) {
    if (passes > 0) await nextTurn();
    const pages: LogPage[] = [];
    for (const run of runs) {
      if (pages.length > 0) await nextTurn();
      if (signal?.aborted) throw fault("unavailable", "The caller has gone.");
      pages.push(await log.page({ ...walk, ...run, ...bounds, limit: chunk }));
    }
    // Where one run was cut, another may have rows beyond; the result is complete only up to the nearest cut.
    const cuts = pages.flatMap(({ events, hasMore, reached }) =>
      hasMore ? [reached ?? events.at(-1)?.seq ?? 0] : [],
    );
    edge = cuts.length === 0 ? null : ascending ? Math.min(...cuts) : Math.max(...cuts);
    const whole = (event: LogEvent) => edge === null || (ascending ? event.seq <= edge : event.seq >= edge);
    const unique = new Map(pages.flatMap(({ events }) => events).map((event) => [event.seq, event]));
    found.push(
      ...[...unique.values()].filter((event) => whole(event) && admits(filter, event)).sort(inOrder),
    );
    if (found.length > walk.limit)
      return { events: found.slice(0, walk.limit), hasMore: true, reached: null };
    if (edge === null) return { events: found, hasMore: false, reached: null };
    if (found.length === walk.limit) return { events: found, hasMore: true, reached: edge };
    bounds = ascending ? { after: edge } : { before: edge };
  }
  return { events: found, hasMore: true, reached: edge };
}

function admits(filter: FeedFilter, event: LogEvent): boolean {
  return event.kind !== "retract" && event.feed !== "chain" && matches(filter, factsOf(event));
}

type Narrowing = Pick<
  LogQuery,
  "feed" | "kinds" | "networkId" | "userId" | "handle" | "tokenAddress" | "tokenSymbol"
>;

/** One run of the log for each value of the field that leads; none when nothing can match. */
function narrowings(filter: FeedFilter): Narrowing[] {
  const { traders, tokens, chains, sources } = filter;
  const kinds = possibleKinds(filter);
  if (kinds !== null && kinds.length === 0) return [];
  const [onlyToken] = tokens;
  const [onlyChain] = chains;
  const common: Narrowing = {
    ...(kinds === null ? {} : { kinds }),
    ...(sources.length === 1 ? { feed: sources[0] === "push" ? "push" : "app" } : {}),
    ...(chains.length === 1 && onlyChain !== undefined ? { networkId: onlyChain } : {}),
  };
  const traderRuns = traders.map((form) => ({ ...common, ...byTrader(form) }));
  if (traderRuns.length > 0) {
    const withToken = tokens.length === 1 && onlyToken !== undefined ? byToken(onlyToken) : {};
    return traderRuns.map((run) => ({ ...run, ...withToken }));
  }
  if (tokens.length > 0) return tokens.map((form) => ({ ...common, ...byToken(form) }));
  if (chains.length > 1) return chains.map((networkId) => ({ ...common, networkId }));
  return [common];
}

const byTrader = (form: string): Narrowing =>
  form.startsWith("u:") ? { userId: bareForm(form) } : { handle: bareForm(form) };

const byToken = (form: string): Narrowing =>
  form.startsWith("a:") ? { tokenAddress: bareForm(form) } : { tokenSymbol: bareForm(form) };

/** The kinds that the filter's other fields leave; null for all of them. A push is its own kind and source. */
function possibleKinds({ types, sources, minUsd }: FeedFilter): readonly string[] | null {
  const only = sources.length === 1 ? sources[0] : null;
  const valued = minUsd > 0 ? ["buy", "sell"] : null;
  if (types.length === 0) return only === "push" ? (valued ? [] : ["push"]) : valued;
  return types.filter(
    (type) =>
      (only === null || (type === "push") === (only === "push")) &&
      (valued === null || valued.includes(type)),
  );
}

/** Whether the store's rows may hold some that the filter refuses. */
function needsLooking(filter: FeedFilter, runs: readonly Narrowing[]): boolean {
  return (
    filter.minUsd > 0 ||
    (filter.chains.length > 1 && (filter.traders.length > 0 || filter.tokens.length > 0)) ||
    (filter.tokens.length > 1 && filter.traders.length > 0) ||
    runs.some((run) => run.handle !== undefined)
  );
}
