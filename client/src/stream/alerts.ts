// /ws/alerts as an async iterable. What the socket could not give is read from /v2/alerts when asked to: both number
// events alike, so none comes twice.
import type { Alert, AlertFrame, AlertsFilter, ListAlertsInput } from "../generated.ts";
import type { Hole } from "./buffer.ts";
import { splitOptions } from "./options.ts";
import type { Position } from "./position.ts";
import type { Filter, StreamParts } from "./socket.ts";
import { type Gap, openStream, type Stream, type StreamOptions } from "./stream.ts";

export interface AlertStreamOptions extends StreamOptions, AlertsFilter {
  /** Begin with what happened since then, from REST; only where there is no position to resume from. */
  since?: string;
  /** Read what a gap left out from REST. */
  fill?: boolean;
  /** The most rows that one fill reads; 1,000 unless said. */
  fillMax?: number;
}
export type AlertStream = Stream<AlertFrame | Gap>;

/** Ten pages. */
const FILL_MAX = 1_000;
const PAGE_ROWS = 100;

export function alertStream(parts: StreamParts, options: AlertStreamOptions = {}): AlertStream {
  const { filter, stream } = splitOptions(options);
  const { since, fill, fillMax = FILL_MAX } = options;
  const reading = (hole: Hole, from: Position | null, to: Position) =>
    hole.reason === "start" || fill ? readAlerts(parts, filter, { hole, from, to, since, fillMax }) : null;
  return openStream<AlertFrame>(
    parts,
    {
      name: "alerts",
      filter,
      isItem: ({ type }) => type === "alert",
      fill: fill || since !== undefined ? (reading as never) : null,
      startsWithFill: since !== undefined,
    },
    stream,
  );
}

interface Wanted {
  hole: Hole;
  from: Position | null;
  to: Position;
  since: string | undefined;
  fillMax: number;
}

/** The newest rows first, until the hole's beginning or the bound; then handed over oldest first. */
async function* readAlerts(
  { client }: StreamParts,
  filter: Filter,
  { hole, from, to, since, fillMax }: Wanted,
): AsyncGenerator<AlertFrame> {
  const sameLog = hole.reason !== "epoch" && from?.epoch === to.epoch;
  const begin =
    hole.reason === "start" ? since : !sameLog && from?.ts ? new Date(from.ts).toISOString() : null;
  const input: ListAlertsInput = {
    ...(single(filter) as ListAlertsInput),
    limit: Math.min(PAGE_ROWS, fillMax),
    // A cursor is a place in the log, on REST as on the socket.
    before: `${to.epoch}.${to.seq + 1}`,
    ...(begin ? { since: begin } : {}),
  };
  const found: AlertFrame[] = [];
  for await (const alert of client.rows.listAlerts(input)) {
    if (sameLog && from && alert.seq <= from.seq) break;
    if (!matches(alert, filter)) continue;
    found.push({ ...alert, type: "alert", replay: true });
    if (found.length >= fillMax) break;
  }
  yield* found.reverse();
}

const valuesOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const REST_FIELDS = ["trader", "token", "chain", "type", "source"];

/** REST takes one value a field; lists are sorted out here. */
function single(filter: Filter): Filter {
  const fields = REST_FIELDS.flatMap((name) => {
    const values = filter[name] === undefined ? [] : valuesOf(filter[name]);
    return values.length === 1 && !String(values[0]).includes(",") ? [[name, String(values[0])]] : [];
  });
  return Object.fromEntries(fields);
}

function matches(alert: Alert, filter: Filter): boolean {
  const fields: Record<string, unknown[]> = {
    trader: [alert.trader, alert.userId],
    token: [alert.token, alert.tokenAddress],
    chain: [alert.chain, alert.chainId],
    type: [alert.alertType],
    source: [alert.source],
  };
  const asked = single(filter);
  const plain = (value: unknown) => String(value).toLowerCase().replace(/^[@$]/, "");
  for (const [name, has] of Object.entries(fields)) {
    // What REST was asked for, it has answered.
    if (filter[name] === undefined || name in asked) continue;
    const wanted = valuesOf(filter[name])
      .flatMap((value) => String(value).split(","))
      .map(plain);
    if (!has.some((value) => value !== null && wanted.includes(plain(value)))) return false;
  }
  return filter.minUsd === undefined || (alert.fillUsd ?? 0) >= Number(filter.minUsd);
}
