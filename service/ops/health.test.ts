import { expect, test } from "bun:test";
import { StoreUnavailable } from "../../database/errors.ts";
import { manualClock } from "../../kit/clock.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { busCheck, captureCheck, chainsCheck, upstreamCheck, writesCheck } from "./checks.ts";
import { createHealth, type HealthCheck } from "./health.ts";
import { metricsPages, probePages, serveProbes } from "./probes.ts";

const check = (name: string, gates: boolean, look: HealthCheck["look"]): HealthCheck => ({
  name,
  gates,
  look,
});

test("a gating check's fault keeps traffic away and says why; any other is only reported", async () => {
  const clock = manualClock(0);
  const health = createHealth({
    clock,
    checks: [check("store", true, () => "the store is away"), check("bus", false, () => "Redis is away")],
  });
  health.open();
  expect(await health.ready()).toEqual({
    ready: false,
    reasons: ["the store is away"],
    checks: { store: "the store is away", bus: "Redis is away" },
  });
});

test("a check that throws or hangs is a fault, reported without the error", async () => {
  const clock = manualClock(0);
  const health = createHealth({
    clock,
    checks: [
      check("store", true, () => Promise.reject(new Error("postgres://user:secret@host"))),
      check("upstream", true, () => new Promise(() => {})),
    ],
  });
  health.open();
  const looked = health.ready();
  await clock.advance(0);
  await clock.advance(1_500);
  const { ready, reasons } = await looked;
  expect(ready).toBe(false);
  expect(reasons[0]).toBe("store does not answer");
  expect(reasons[1]).toStartWith("upstream did not answer within");
});

test("a check runs once a second, however many callers ask", async () => {
  const clock = manualClock(0);
  let looks = 0;
  const look = () => {
    looks += 1;
    return null;
  };
  const health = createHealth({ clock, checks: [check("store", true, look)] });
  await Promise.all(Array.from({ length: 50 }, () => health.ready()));
  expect(looks).toBe(1);
  await clock.advance(1_000);
  await health.ready();
  expect(looks).toBe(2);
});

test("a process is ready from when it listens to when it drains, and never again; it lives all the time", async () => {
  const clock = manualClock(0);
  const health = createHealth({ clock, checks: [] });
  expect(await health.ready()).toMatchObject({ ready: false, reasons: ["this process is starting"] });
  health.open();
  expect((await health.ready()).ready).toBe(true);
  health.drain();
  health.open();
  await clock.advance(5_000);
  expect(await health.ready()).toMatchObject({ ready: false, reasons: ["this process is shutting down"] });
  expect(health.live()).toEqual({ ok: true, uptimeSeconds: 5 });
});

test("upstream counts once it was reached, even when it is down later", async () => {
  let known = false;
  const { look } = upstreamCheck(async () => known);
  expect(await look()).not.toBeNull();
  known = true;
  expect(await look()).toBeNull();
  known = false;
  expect(await look()).toBeNull();
});

test("a capture node is ready while it writes or another does", async () => {
  const clock = manualClock(1_000);
  let writing = false;
  let expiresAt = 2_000;
  const current = async (name: string) => ({ name, holder: "another", term: 1, expiresAt });
  const { look } = captureCheck({ leases: { current }, leaseName: "w", clock, writing: () => writing });
  expect(await look()).toBeNull();
  expiresAt = 1_000;
  expect(await look()).toBe("no node writes the log");
  writing = true;
  expect(await look()).toBeNull();
  expect(await busCheck({ state: () => "degraded" }).look()).toContain("Redis is away");
});

test("the probes answer 200 and 503 as JSON, and /metrics in Prometheus's form", async () => {
  const metrics = createMetrics();
  metrics.counter("things_total", "Things.").add(3);
  const health = createHealth({ clock: manualClock(0), checks: [] });
  const server = serveProbes(
    { host: "127.0.0.1", port: 0 },
    { ...probePages(health), ...metricsPages(metrics) },
  );
  const ask = (path: string) => fetch(`${server.url}${path}`);
  expect((await ask("/readyz")).status).toBe(503);
  health.open();
  expect((await ask("/readyz")).status).toBe(200);
  health.drain();
  expect((await ask("/readyz")).status).toBe(503);
  expect((await ask("/livez")).status).toBe(200);
  const shown = await ask("/metrics");
  expect(shown.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
  expect(await shown.text()).toContain("things_total 3");
  expect((await ask("/v2/me")).status).toBe(404);
  await server.stop();
});

test("a store that takes no writes keeps traffic away; one that is only busy or slow does not", async () => {
  const clock = manualClock(0);
  const refusing = (acquire: () => Promise<null>) => writesCheck({ acquire }, clock).look();
  const unavailable = (reason: StoreUnavailable["reason"]) =>
    refusing(() => Promise.reject(new StoreUnavailable(reason, false)));
  expect(await refusing(async () => null)).toBeNull();
  expect(await unavailable("disk")).toBe("the store takes no writes: its disk is full or failing");
  expect(await unavailable("connection")).toBe("the store takes no writes");
  expect(await unavailable("busy")).toBeNull();
  const slow = refusing(() => new Promise(() => {}));
  await clock.advance(1_000);
  expect(await slow).toBeNull();
});

test("it is well while no gating check has a fault, even while it drains", async () => {
  const clock = manualClock(0);
  let fault: string | null = null;
  const health = createHealth({
    clock,
    checks: [check("store", true, () => fault), check("bus", false, () => "Redis is away")],
  });
  health.drain();
  expect(await health.isWell()).toBe(true);
  fault = "the store takes no writes";
  await clock.advance(1_000);
  expect(await health.isWell()).toBe(false);
});

test("a chain that is late is named with the reason, and keeps no traffic away", async () => {
  const chains = [
    { chain: "base", lagMs: 2_000, reason: null },
    { chain: "eth", lagMs: 300_000, reason: "the provider is over its rate limit" },
    { chain: "solana", lagMs: null, reason: "no provider answers" },
  ];
  const health = createHealth({ clock: manualClock(0), checks: chainsCheck(() => chains) });
  health.open();
  expect(await health.ready()).toEqual({
    ready: true,
    reasons: [],
    checks: {
      chains:
        "eth is 300 s behind: the provider is over its rate limit; solana is not read yet: no provider answers",
    },
  });
  expect(chainsCheck(null)).toEqual([]);
});
