import { expect, test } from "bun:test";
import { createLog } from "../../kit/log.ts";
import { type PlatformApi, UNSUPPORTED } from "../../protocol/platform.ts";
import { Away } from "../../protocol/server/answer.ts";
import { fixedPlatform } from "../../protocol/test-platform.ts";
import { TOKEN_ADDRESS, TRADE_ID, USER_ID } from "../../protocol/test-samples.ts";
import { openSimulator } from "../../simulator/open.ts";
import { testClock } from "../../test/support/steered-clock.ts";
import { inProcessUpstream } from "./in-process.ts";
import { upstreamSuite } from "./suite.ts";
import { silentLog, smallWorld } from "./test-served.ts";

upstreamSuite("in-process", async () => {
  const platform = await openSimulator(smallWorld(testClock));
  const upstream = inProcessUpstream(platform, { log: silentLog, clock: testClock });
  return {
    platform,
    upstream,
    close: async () => {
      await upstream.close();
      await platform.close();
    },
  };
});

test("a platform that throws or breaks its protocol is an outcome, and a closed upstream says so", async () => {
  const platform = fixedPlatform();
  const api: PlatformApi = platform.api;
  const call = { deadlineMs: 1_000 };
  const upstream = inProcessUpstream(platform, { log: silentLog, clock: testClock });
  api.board = () => {
    throw new Error("a fault of the world");
  };
  expect(await upstream.board("trending", call)).toEqual({ kind: "failed", reason: "status" });
  api.leaderboard = () => ({ asOf: Number.NaN, rows: [] });
  expect(await upstream.leaderboard("all", null, call)).toEqual({ kind: "failed", reason: "malformed" });
  api.token = async () => {
    throw new Error("a fault that takes its time");
  };
  expect(await upstream.token(TOKEN_ADDRESS, null, call)).toEqual({ kind: "failed", reason: "status" });
  api.tokens = () => new Promise(() => {});
  expect(await upstream.tokens(null, { deadlineMs: 20 })).toEqual({ kind: "timedOut" });
  await upstream.close();
  expect(await upstream.ping(call)).toEqual({ kind: "failed", reason: "closed" });
});

test("a fault of a platform is logged, and that it is away for now is not", async () => {
  const platform = fixedPlatform();
  const api: PlatformApi = platform.api;
  const lines: string[] = [];
  const log = createLog(
    "error",
    () => 0,
    (line) => void lines.push(line),
  );
  const upstream = inProcessUpstream(platform, { log, clock: testClock });
  const failed = { kind: "failed", reason: "status" } as const;
  api.board = () => {
    throw new Away("as was asked for");
  };
  expect(await upstream.board("trending", { deadlineMs: 1_000 })).toEqual(failed);
  expect(lines).toEqual([]);
  api.board = () => {
    throw new Error("a fault of the world");
  };
  expect(await upstream.board("trending", { deadlineMs: 1_000 })).toEqual(failed);
  expect(lines).toHaveLength(1);
  await upstream.close();
});

test("questions that a platform can't answer are unsupported: not implemented, refused as such, or undeclared", async () => {
  const platform = fixedPlatform();
  const api: PlatformApi = platform.api;
  const call = { deadlineMs: 1_000 };
  const open = () => inProcessUpstream(platform, { log: silentLog, clock: testClock });
  delete api.followers;
  expect(await open().followers(USER_ID, call)).toEqual({ kind: "unsupported" });
  api.comments = () => UNSUPPORTED;
  expect(await open().comments(TRADE_ID, null, call)).toEqual({ kind: "unsupported" });
  let asked = 0;
  api.theses = () => {
    asked += 1;
    return { rows: [], nextCursor: null };
  };
  platform.declare({ questions: ["users"], feeds: ["chain"] });
  const upstream = open();
  expect((await upstream.capabilities(call)).kind).toBe("found");
  expect(await upstream.theses({}, call)).toEqual({ kind: "unsupported" });
  expect(await upstream.feed("push", 0, 10, call)).toEqual({ kind: "unsupported" });
  expect((await upstream.feed("chain", 0, 10, call)).kind).toBe("found");
  expect(asked).toBe(0);
});
