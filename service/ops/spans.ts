// Spans and how they relate: a trace id, taken from the caller's `traceparent` or created here, and the active parent.
// Whether a trace is sampled is decided once, where it begins.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Random } from "../../kit/random.ts";
import { secureBytes } from "../../kit/random.ts";

export type AttributeValue = string | number | boolean;

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: "server" | "client" | "internal";
  startedAtMs: number;
  endedAtMs: number;
  attributes: Record<string, AttributeValue>;
  failed: boolean;
}

interface SpanPlace {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

export interface SpanWish {
  name: string;
  kind: Span["kind"];
  attributes: Record<string, AttributeValue>;
  /** The header of a caller that also traces. */
  traceparent?: string | null;
}

export interface Tracer {
  /** Does the work; `describe` turns its result into the span's final attributes. Never fails itself. */
  span<T>(wish: SpanWish, work: () => Promise<T>, describe?: (result: T) => SpanEnding): Promise<T>;
}

export interface SpanEnding {
  attributes?: Record<string, AttributeValue>;
  failed?: boolean;
}

export interface TracerParts {
  /** The share of requests that are sampled. */
  share: number;
  random: Random;
  /** Epoch milliseconds with a fraction. */
  now(): number;
  record(span: Span): void;
}

export function createTracer({ share, random, now, record }: TracerParts): Tracer {
  const places = new AsyncLocalStorage<SpanPlace>();
  return {
    span(wish, work, describe) {
      const caller = placeOf(wish.traceparent);
      const inner = caller ? null : places.getStore();
      const parent = caller ?? inner ?? null;
      // A caller may opt out of sampling. Opting in is up to the share, or any caller could flood the collector.
      const begins = () => (caller?.sampled ?? true) && random.next() < share;
      const place: SpanPlace = {
        traceId: parent?.traceId ?? hexId(16),
        spanId: hexId(8),
        sampled: inner ? inner.sampled : begins(),
      };
      if (!place.sampled) return places.run(place, work);
      const startedAtMs = now();
      const end = (ending: SpanEnding) =>
        record({
          traceId: place.traceId,
          spanId: place.spanId,
          parentSpanId: parent?.spanId ?? null,
          name: wish.name,
          kind: wish.kind,
          startedAtMs,
          endedAtMs: now(),
          attributes: { ...wish.attributes, ...ending.attributes },
          failed: ending.failed ?? false,
        });
      return places.run(place, work).then(
        (result) => {
          end(describe?.(result) ?? {});
          return result;
        },
        (error: unknown) => {
          end({ failed: true });
          throw error;
        },
      );
    },
  };
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

/** The W3C header, or null when it is absent or malformed; then the trace begins here. */
function placeOf(header: string | null | undefined): SpanPlace | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? "") ?? [];
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const hexId = (bytes: number): string => secureBytes(bytes).toHex();
