import { expect, test } from "bun:test";
import { systemClock } from "../../kit/clock.ts";
import { openPlatform } from "../../simulator/open.ts";
import { ROUTES } from "../../simulator/server/routes.ts";
import { PATHS } from "./ask.ts";
import { embeddedUpstream } from "./embedded.ts";
import { fixedPlatform } from "./fixed-platform.ts";
import { silentLog, smallWorld } from "./served.ts";
import { upstreamSuite } from "./suite.ts";

upstreamSuite("embedded", async () => {
  const platform = await openPlatform(smallWorld(systemClock()));
  const upstream = embeddedUpstream(platform, { log: silentLog });
  return {
    platform,
    upstream,
    close: async () => {
      await upstream.close();
      await platform.close();
    },
  };
});

test("the calls an upstream makes are the calls a platform serves", () => {
  expect(Object.values<string>(PATHS).sort()).toEqual(ROUTES.map((route) => route.path).sort());
});

test("a platform that throws or breaks its protocol is an outcome, and a closed upstream says so", async () => {
  const platform = fixedPlatform();
  const call = { deadlineMs: 1_000 };
  const upstream = embeddedUpstream(platform, { log: silentLog });
  platform.api.board = () => {
    throw new Error("a fault of the world");
  };
  expect(await upstream.board("trending", call)).toEqual({ kind: "failed", reason: "status" });
  platform.api.leaderboard = () => ({ asOf: Number.NaN, rows: [] });
  expect(await upstream.leaderboard("all", call)).toEqual({ kind: "failed", reason: "malformed" });
  await upstream.close();
  expect(await upstream.ping(call)).toEqual({ kind: "failed", reason: "closed" });
});
