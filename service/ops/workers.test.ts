import { expect, test } from "bun:test";
import { BadSettings } from "../../kit/bad-settings.ts";
import { manualClock, systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import { eventually } from "../../test/support/eventually.ts";
import { readConfig, workerEnvironment } from "../config.ts";
import { startWorkers } from "./workers.ts";

const clock = systemClock();
const serving = { ROLE: "api", UPSTREAM: "http://platform", DATABASE_URL: "postgres://db/x" };

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof BadSettings) return error.faults;
    throw error;
  }
}

test("several workers need a serving role and a port to share", () => {
  expect(faultsOf({ WORKERS: "2" })[0]).toStartWith("WORKERS must be 1 unless ROLE is api");
  expect(faultsOf({ ...serving, ROLE: "capture", WORKERS: "2" })[0]).toStartWith("WORKERS must be 1");
  expect(faultsOf({ ...serving, WORKERS: "2", PORT: "0" })[0]).toStartWith("PORT must not be 0");
  expect(faultsOf({ ...serving, WORKERS: "2" })).toEqual([]);
});

test("a worker is a serving process like any other, with its own metrics", () => {
  const environment = { ...serving, WORKERS: "3", METRICS_PORT: "9100" };
  const worker = readConfig(workerEnvironment(readConfig(environment), 2, environment));
  expect(worker).toMatchObject({ workers: 1, sharePort: true, metrics: { port: 9102 } });
});

test("a worker that crashes is started again until a signal, and a failed end is reported", async () => {
  const lines: string[] = [];
  const log = createLog("info", clock.now, (line) => lines.push(line));
  const steered = manualClock(0);
  const workers = startWorkers({
    count: 1,
    command: [process.execPath, "-e", "process.exit(3)"],
    clock: steered,
    log,
    environmentOf: () => ({}),
  });
  await eventually(async () => {
    await steered.advance(MINUTE_MS);
    return lines.filter((line) => line.includes("started again")).length >= 2;
  }, "it is started again");
  workers.signal("SIGTERM");
  await workers.ended;
  const started = lines.length;
  await steered.advance(HOUR_MS);
  expect(lines.length).toBe(started);

  const waiting = "process.on('SIGTERM', () => process.exit(4)); setInterval(() => {}, 1000); console.log()";
  const failing = startWorkers({
    count: 1,
    command: [process.execPath, "-e", waiting],
    clock,
    log,
    environmentOf: () => ({}),
  });
  failing.signal("SIGTERM");
  expect(await failing.ended).toBe(false);
});
