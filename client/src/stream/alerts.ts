// /ws/alerts as an async iterable: alerts, and retractions of those that a re-org undid. What the socket could not give is read from /v2/alerts when asked to: both number
// events in the same way, so none is delivered twice.
import { UnknownFilter } from "../errors.ts";
import type { AlertFrame, AlertsFilter, ListAlertsInput, RetractFrame } from "../generated.ts";
import type { Hole } from "./buffer.ts";
import { splitOptions } from "./options.ts";
import type { StreamPosition } from "./position.ts";
import type { Filter, StreamParts } from "./socket.ts";
import { type Gap, openStream, type Stream, type StreamOptions } from "./stream.ts";

export interface AlertStreamOptions extends StreamOptions, AlertsFilter {
  /** Start with events since then, from REST; used only if there is no position to resume from. */
  since?: string;
  /** Read the events missing in a gap from REST. */
  fill?: boolean;
  /** The most rows that one fill reads; 1,000 by default. */
  fillMax?: number;
}
export type AlertStream = Stream<AlertFrame | RetractFrame | Gap>;

/** Ten pages: 1,250 credits. */
const FILL_MAX = 1_000;
const PAGE_ROWS = 100;

export function alertStream(parts: StreamParts, options: AlertStreamOptions = {}): AlertStream {
  const { filter, stream } = splitOptions(options);
  const { since, fill, fillMax = FILL_MAX } = options;
  return openStream<AlertFrame | RetractFrame>(
    parts,
    {
      name: "alerts",
      filter,
      isItem: ({ type }) => type === "alert" || type === "retract",
      fill(hole, from, to) {
        if (hole.reason !== "start" && !fill) return null;
        return readAlerts(parts, { ...rangeOf(hole, from, to, since), ...restFilter(filter) }, to, fillMax);
      },
      startsWithFill: since !== undefined,
    },
    stream,
  );
}

/** Forward through the missing range. A cursor is a position in the log, both on REST and on the socket. */
function rangeOf(
  { reason }: Hole,
  from: StreamPosition | null,
  to: StreamPosition,
  since: string | undefined,
): ListAlertsInput {
  const range: ListAlertsInput = { order: "asc", before: `${to.epoch}.${to.seq + 1}` };
  if (reason === "start") return { ...range, since: String(since) };
  // For another log only the time is known.
  if (reason !== "epoch" && from) return { ...range, cursor: `${from.epoch}.${from.seq}` };
  return from?.ts === undefined ? range : { ...range, since: new Date(from.ts).toISOString() };
}

/** REST takes the same filter as the socket. */
const restFilter = (filter: Filter) =>
  Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value]),
  );

async function* readAlerts(
  { client }: StreamParts,
  input: ListAlertsInput,
  to: StreamPosition,
  fillMax: number,
): AsyncGenerator<AlertFrame | Gap> {
  let count = 0;
  let lastSeq: number | null = null;
  try {
    for await (const alert of client.rows.listAlerts({ ...input, limit: Math.min(PAGE_ROWS, fillMax) })) {
      if (count++ === fillMax) {
        const hole = { reason: "fillMax", fromSeq: (lastSeq ?? 0) + 1, toSeq: to.seq } as const;
        return yield { type: "gap", ...hole, filling: false };
      }
      lastSeq = alert.seq;
      yield { ...alert, type: "alert", replay: true };
    }
  } catch (error) {
    // That trader or token is still unknown, so there is nothing to read.
    if (!(error instanceof UnknownFilter)) throw error;
  }
}
