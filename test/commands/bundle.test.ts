// The program from its bundle is the program: it greets, answers from data, shows its pages and ends as it should.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeBundle } from "../../service/bundle-make.ts";
import { ask, startGreeted, temporaryData } from "./program.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-bundle-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the whole service runs from a bundle", async () => {
  await makeBundle(join(folder, "service"));
  const settings = { DATA_DIR: temporaryData(), SIMULATOR_HISTORY_EVENTS_PER_SECOND: "0.01" };
  const service = await startGreeted(settings, [process.execPath, join(folder, "service", "start.js")]);
  const { status, body } = await ask(`${service.url}/v2/leaderboard/30d?limit=3`, service.keys.growth);
  expect({ status, rows: (body as { traders: unknown[] }).traders.length }).toEqual({ status: 200, rows: 3 });
  for (const path of ["/", "/docs", "/console", "/pricing", "/openapi.json"])
    expect({ path, status: (await fetch(service.url + path)).status }).toEqual({ path, status: 200 });
  // Loaded by the first request to it, from a file beside.
  expect(
    (
      await fetch(`${service.url}/mcp`, {
        method: "POST",
        headers: mcpHeaders(service.keys.growth),
        body: LISTING,
      })
    ).status,
  ).toBe(200);
  expect(await service.end()).toEqual({ code: 0, signal: null });
});

const LISTING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

function mcpHeaders(key: string): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
}
