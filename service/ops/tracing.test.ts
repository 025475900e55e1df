import { afterEach, expect, test } from "bun:test";
import type { Database } from "../../database/database.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { eventually } from "../../test/support/eventually.ts";
import { createExporter } from "./otlp.ts";
import type { Span } from "./spans.ts";
import { createTracing, type Tracing } from "./tracing.ts";

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}

const clock = systemClock();
const log = createLog("silent", clock.now);
const route = { method: "GET", path: "/v2/search", id: "search" } as const;
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function collector(status = 200) {
  const spans: WireSpan[] = [];
  const headers: Headers[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      headers.push(request.headers);
      if (new URL(request.url).pathname !== "/v1/traces") return new Response(null, { status: 404 });
      const body = (await request.json()) as { resourceSpans: { scopeSpans: { spans: WireSpan[] }[] }[] };
      if (status === 200) spans.push(...(body.resourceSpans[0]?.scopeSpans[0]?.spans ?? []));
      return Response.json({}, { status });
    },
  });
  stops.push(() => server.stop(true));
  return { url: server.url.href.replace(/\/$/, ""), spans, headers };
}

function tracingTo(endpoint: string, share = 1): Tracing {
  const settings = { endpoint, headers: { authorization: "Bearer t" }, serviceName: "crowdtape", share };
  const metrics = createMetrics();
  return createTracing({ settings, version: "2", clock, log, metrics, random: seededRandom("traces") });
}

const answer = async () =>
  new Response("", { headers: { "x-request-id": "req_1", "x-credits-cost": "250" } });
const named = (spans: WireSpan[], name: string) => spans.find((span) => span.name === name) as WireSpan;
const attributeOf = (span: WireSpan, key: string) => span.attributes.find((one) => one.key === key)?.value;

test("a request, its upstream call and its write are one journey, which the caller may have begun", async () => {
  const { url, spans, headers } = collector();
  const tracing = tracingTo(url);
  const upstream = tracing.upstream({
    trades: async () => ({ kind: "failed", reason: "busy" }),
    name: "remote",
  });
  const database = {
    dialect: "sqlite",
    write: async (work: () => unknown) => work(),
    single: async () => [],
  } as unknown as Database;
  tracing.writes(database);
  const run = tracing.route(route, async () => {
    await upstream.trades();
    await database.write(async () => 1);
    await database.single({ text: "", values: [] });
    return answer();
  });
  const traceparent = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`;
  await run(new Request("http://x/", { headers: { traceparent } }));
  expect(upstream.name).toBe("remote");
  await tracing.close();

  expect(spans.map((span) => span.name).sort()).toEqual([
    "GET /v2/search",
    "store write",
    "store write",
    "upstream trades",
  ]);
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set(["ab".repeat(16)]));
  const request = named(spans, "GET /v2/search");
  expect(request).toMatchObject({ parentSpanId: "cd".repeat(8), kind: 2, status: {} });
  expect(attributeOf(request, "http.response.status_code")).toEqual({ intValue: "200" });
  expect(attributeOf(request, "crowdtape.request_id")).toEqual({ stringValue: "req_1" });
  const call = named(spans, "upstream trades");
  expect(call).toMatchObject({ parentSpanId: request.spanId, kind: 3, status: { code: 2 } });
  expect(attributeOf(call, "crowdtape.outcome")).toEqual({ stringValue: "busy" });
  expect(named(spans, "store write").parentSpanId).toBe(request.spanId);
  expect(BigInt(request.endTimeUnixNano) >= BigInt(call.endTimeUnixNano)).toBe(true);
  expect(headers[0]?.get("authorization")).toBe("Bearer t");
});

test("a request that its caller does not trace, or sampling skips, is not recorded, nor anything inside it", async () => {
  const { url, spans } = collector();
  const tracing = tracingTo(url, 0);
  const upstream = tracing.upstream({ ping: async () => ({ kind: "found" }) });
  const run = tracing.route(route, async () => {
    await upstream.ping();
    return answer();
  });
  await run(new Request("http://x/"));
  const traceparent = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-00`;
  await run(new Request("http://x/", { headers: { traceparent } }));
  await tracing.close();
  expect(spans).toEqual([]);
});

test("a malformed traceparent begins a new trace", async () => {
  const { url, spans } = collector();
  const tracing = tracingTo(url);
  const run = tracing.route(route, answer);
  const bad = [
    "",
    "00-x-y-01",
    `00-${"0".repeat(32)}-${"cd".repeat(8)}-01`,
    `00-${"ab".repeat(16)}-${"cd".repeat(8)}-zz`,
  ];
  for (const traceparent of bad) await run(new Request("http://x/", { headers: { traceparent } }));
  await tracing.close();
  expect(new Set(spans.map((span) => span.traceId)).size).toBe(bad.length);
  expect(spans.every((span) => span.parentSpanId === undefined && /^[0-9a-f]{32}$/.test(span.traceId))).toBe(
    true,
  );
});

test("a request's error is rethrown", async () => {
  const { url, spans } = collector();
  const tracing = tracingTo(url);
  const run = tracing.route(route, () => Promise.reject(new Error("broken")));
  await expect(run(new Request("http://x/"))).rejects.toThrow("broken");
  await tracing.close();
  expect(spans[0]?.status).toEqual({ code: 2 });
});

test("without a collector nothing is wrapped", () => {
  const metrics = createMetrics();
  const tracing = createTracing({
    settings: null,
    version: "2",
    clock,
    log,
    metrics,
    random: seededRandom(""),
  });
  const upstream = {};
  expect(tracing.upstream(upstream)).toBe(upstream);
  expect(tracing.route(route, answer)).toBe(answer);
});

const span: Span = {
  traceId: "a",
  spanId: "b",
  parentSpanId: null,
  name: "n",
  kind: "internal",
  startedAtMs: 1,
  endedAtMs: 2,
  attributes: {},
  failed: false,
};

test.each([
  ["a collector that refuses", () => collector(500).url],
  ["a collector that is not there", () => "http://127.0.0.1:9"],
])("%s costs the spans, which are counted, and nothing else", async (_, where) => {
  const metrics = createMetrics();
  const exporter = createExporter({
    endpoint: where(),
    headers: {},
    serviceName: "s",
    version: "1",
    clock,
    log,
    metrics,
  });
  for (let n = 0; n < 10; n++) exporter.record(span);
  await exporter.close();
  expect(metrics.render()).toContain("crowdtape_trace_spans_dropped_total 10");
});

test("spans beyond the queue's capacity are dropped", async () => {
  const { url, spans } = collector();
  const metrics = createMetrics();
  const exporter = createExporter({
    endpoint: url,
    headers: {},
    serviceName: "s",
    version: "1",
    clock,
    log,
    metrics,
  });
  for (let n = 0; n < 3_000; n++) exporter.record(span);
  await exporter.close();
  await eventually(() => spans.length === 2_048, "the queue is delivered");
  expect(metrics.render()).toContain("crowdtape_trace_spans_dropped_total 952");
});
