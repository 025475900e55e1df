// The tracker as a child of the service: it is restarted when it is killed, and stops when the service stops.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { eventually } from "../../test/support/eventually.ts";
import { PROGRAM_COMMAND } from "../commands/program.ts";
import { readConfig } from "../config.ts";
import { startTrackerProcess } from "./tracker-process.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-tracker-process-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const clock = systemClock();
const kitOf = () => ({ clock, log: createLog("silent", clock.now), metrics: createMetrics() });
/** Nothing answers there: the tracker runs anyway, and reports that it is late. */
const settings = {
  DATA_DIR: folder,
  LOG_LEVEL: "silent",
  UPSTREAM: "chain",
  RPC_BASE: "http://127.0.0.1:9/key",
  TRACKER_WAKE_SECRET: "a-secret-of-some-length",
};

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const status = async (url: string) => (await fetch(`${url}/api/status`)).status;

test("a killed tracker is reported by health, comes back on another port, and ends with the service", async () => {
  const kit = kitOf();
  const tracker = await startTrackerProcess(readConfig(settings), kit, PROGRAM_COMMAND);
  const [first = 0] = tracker.pids();
  const url = tracker.url();
  expect(await status(url)).toBe(200);
  await eventually(() => tracker.chains()[0]?.reason !== null, "it says why it is late");
  expect(kit.metrics.render()).toContain('crowdtape_tracker_errors_total{chain="base"}');
  const wake = () => {
    const headers = { "x-wake-secret": settings.TRACKER_WAKE_SECRET };
    return tracker.wake(new Request("http://localhost/", { method: "POST", headers, body: "{}" }), "alchemy");
  };
  expect(await (await wake()).json()).toEqual({ woken: 0 });
  process.kill(first, "SIGKILL");
  await eventually(() => tracker.chains()[0]?.reason?.includes("started again") === true, "it is away");
  expect((await wake()).status).toBe(503);
  await eventually(() => tracker.url() !== url, "it is back");
  const [second = 0] = tracker.pids();
  expect(second).not.toBe(first);
  expect(await status(tracker.url())).toBe(200);
  // A signal to the whole group is for the service: the tracker waits for its message.
  process.kill(second, "SIGTERM");
  expect(await status(tracker.url())).toBe(200);
  await tracker.stop();
  expect(isAlive(second)).toBe(false);
}, 900_000);

test("a tracker that can't start says so, and is not restarted", async () => {
  const config = readConfig({ ...settings, PRICES_HISTORY: join(folder, "nowhere.csv") });
  await expect(startTrackerProcess(config, kitOf(), PROGRAM_COMMAND)).rejects.toThrow("did not start");
}, 900_000);
