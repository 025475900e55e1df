import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { runSimulator } from "./run.ts";

const clock = systemClock();

test("serves a world until it is told to stop, and leaves it kept and the port free", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "platform-run-"));
  const stopping = new AbortController();
  const listening = Promise.withResolvers<string>();
  const running = runSimulator({
    seed: "run",
    eventsPerSecond: 5,
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
  expect((await readdir(dataFolder)).length).toBeGreaterThan(0);
  await rm(dataFolder, { recursive: true });
}, 30_000);
