// A live read that does not finish by its deadline, which is a setting, is a free, retryable 503. Upstream accepts every
// request here and answers none, so any answer means that the deadline held.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ServedService, START_MS_MAX, startServedService } from "../support/live-service.ts";
import { expectErrorBody } from "./conform.ts";
import { everyUser } from "./world.ts";

let live: ServedService;

beforeAll(async () => {
  const faults = [{ kind: "stall", path: "/api/" }];
  live = await startServedService({ traders: 60, historyDays: 1, deadlineMs: 300, faults });
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);

test("a trader who can't be read by the deadline is a free 503 with a retry time", async () => {
  const [{ userId, handle } = {}] = everyUser(live.platform);
  const address = "0x00000000000000000000000000000000deadbeef";
  const before = await live.remaining();
  const paths = [
    `/v2/users/${handle}`,
    `/v2/users/id/${userId}`,
    `/v2/users/${userId}/trades`,
    `/v2/users/${userId}/trades?deep=1`,
    `/v2/users/${userId}/swaps`,
    `/v2/users/${userId}/balances`,
    `/v2/users/${userId}/following`,
    `/v2/users/${userId}/followers`,
    `/v2/users/${userId}/spotlight`,
    "/v2/trades/00000000-0000-4000-8000-000000000000",
    "/v2/trades/00000000-0000-4000-8000-000000000000/comments",
    `/v2/thesis/user/${userId}`,
    `/v2/thesis/token/${address}`,
    `/v2/thesis/token/${address}?pages=3`,
    `/v2/token/${address}/devs?networkId=8453`,
    `/v2/token/${address}/stats?networkId=8453`,
    `/v2/token/${address}/candles?networkId=8453`,
    "/v2/search?q=qqzzxx",
  ];
  const answers = await Promise.all(paths.map((path) => live.ask(path)));
  for (const [index, answered] of answers.entries()) {
    expect([paths[index], answered.status, answered.cost]).toEqual([paths[index], 503, 0]);
    const error = expectErrorBody(503, answered.headers, answered.body);
    expect([error.error, error.retryable]).toEqual(["upstream_timeout", true]);
  }
  expect(await live.remaining()).toBe(before);
});
