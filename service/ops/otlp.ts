// Sends spans to an OpenTelemetry collector as OTLP over HTTP in JSON. It never blocks a caller: spans go into a
// bounded queue and are sent in batches; spans that don't fit, or can't be delivered, are counted and dropped.
import type { Kit } from "../../kit/kit.ts";
import { createLoop } from "../../kit/loop.ts";
import type { AttributeValue, Span } from "./spans.ts";

export interface ExporterParts extends Pick<Kit, "clock" | "log" | "metrics"> {
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  version: string;
}

export interface Exporter {
  record(span: Span): void;
  /** Flushes the queue once, and stops. */
  close(): Promise<void>;
}

/** A few seconds of a busy node; about a megabyte. */
const QUEUE_SPANS = 2_048;
const BATCH_SPANS = 512;
const SEND_EVERY_MS = 2_000;
/** A collector is nearby; one that takes longer is broken, and spans are not worth the wait. */
const SEND_TIMEOUT_MS = 3_000;

export function createExporter(parts: ExporterParts): Exporter {
  const { clock, log, metrics } = parts;
  const sent = metrics.counter("crowdtape_trace_spans_sent_total", "Spans that the collector took.");
  const dropped = metrics.counter(
    "crowdtape_trace_spans_dropped_total",
    "Spans forgotten: queue full, or not taken.",
  );
  const address = `${parts.endpoint}/v1/traces`;
  let queue: Span[] = [];
  let isAway = false;

  const send = async (spans: Span[]): Promise<void> => {
    try {
      const response = await fetch(address, {
        method: "POST",
        headers: { ...parts.headers, "content-type": "application/json" },
        body: JSON.stringify(payload(spans, parts)),
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        redirect: "error",
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The collector answered ${response.status}.`);
      sent.add(spans.length);
      isAway = false;
    } catch (error) {
      dropped.add(spans.length);
      if (!isAway) log.warn("traces can't be delivered", { error });
      isAway = true;
    }
  };
  const flush = async (): Promise<void> => {
    const spans = queue;
    queue = [];
    for (let start = 0; start < spans.length; start += BATCH_SPANS)
      await send(spans.slice(start, start + BATCH_SPANS));
  };
  const sending = createLoop({
    failure: "traces were not sent",
    everyMs: SEND_EVERY_MS,
    first: "later",
    clock,
    log,
    round: flush,
  });
  sending.start();

  return {
    record(span) {
      if (queue.length < QUEUE_SPANS) queue.push(span);
      else dropped.add();
    },
    async close() {
      await sending.stop();
      await flush();
    },
  };
}

const KINDS: Record<Span["kind"], number> = { internal: 1, server: 2, client: 3 };
const FAILED = 2;

function payload(spans: readonly Span[], { serviceName, version }: ExporterParts) {
  const resource = { attributes: attributesOf({ "service.name": serviceName, "service.version": version }) };
  const scope = { name: "crowdtape", version };
  const rows = spans.map((span) => ({
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: nanoseconds(span.startedAtMs),
    endTimeUnixNano: nanoseconds(span.endedAtMs),
    attributes: attributesOf(span.attributes),
    status: span.failed ? { code: FAILED } : {},
  }));
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: rows }] }] };
}

function attributesOf(attributes: Record<string, AttributeValue>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === "string"
        ? { stringValue: value }
        : typeof value === "boolean"
          ? { boolValue: value }
          : Number.isSafeInteger(value)
            ? { intValue: String(value) }
            : { doubleValue: value },
  }));
}

/** As text: nanoseconds since 1970 do not fit a float. */
function nanoseconds(milliseconds: number): string {
  return `${BigInt(Math.round(milliseconds * 1_000)) * 1_000n}`;
}
