import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { openSimulator } from "../open.ts";
import { runSimulator } from "./run.ts";

const clock = systemClock();

const world = { seed: "run", traders: 200, historyDays: 1, eventsPerSecond: 5 };

test("serves the configured world until it is stopped, and leaves it saved and the port free", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "platform-run-"));
  const stopping = new AbortController();
  const listening = Promise.withResolvers<string>();
  const running = runSimulator({
    ...world,
    dataFolder,
    host: "127.0.0.1",
    port: 0,
    clock,
    log: createLog("silent", clock.now),
    signal: stopping.signal,
    onListening: listening.resolve,
  });
  const url = await Promise.race([listening.promise, running.then(() => "stopped too early")]);
  const status = (await (await fetch(`${url}/api/status`)).json()) as { seed: string };
  expect(status.seed).toBe("run");
  stopping.abort();
  await running;
  await expect(fetch(`${url}/api/status`)).rejects.toThrow();
  // A world with other settings would be refused.
  const again = await openSimulator({ ...world, dataFolder, clock });
  await again.close();
  await rm(dataFolder, { recursive: true });
}, 900_000);
