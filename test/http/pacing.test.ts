// Free calls are rate-limited too, by IP address. This needs its own service, because all other tests come from the same
// address.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Asked, type LiveService, START_MS_MAX, startLiveService } from "../support/live-service.ts";

let live: LiveService;
beforeAll(async () => {
  live = await startLiveService({ traders: 50, historyDays: 1, eventsPerSecond: 1 });
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);

test("wrong keys and open pages are limited by address, and good keys from there are not", async () => {
  // However long the calls take, they fall into one minute.
  live.clock.hold();
  const statuses = async (path: string, asked: Asked, times: number) => {
    const seen = new Set<number>();
    for (let n = 0; n < times; n++) seen.add((await live.ask(path, asked)).status);
    return [...seen];
  };
  const wrong = { key: { secret: "ct_live_wrong", accountId: "" } };
  expect(await statuses("/v2/me", wrong, 320)).toEqual([401, 429]);
  expect(await statuses("/health", { key: null }, 320)).toEqual([200, 429]);
  expect((await live.ask("/v2/me")).status).toBe(200);
});
