import { expect, test } from "bun:test";
import { systemClock } from "../../kit/clock.ts";
import { HOUR_MS } from "../../kit/units.ts";
import type { FeedName } from "../../protocol/shapes/event.ts";
import { fixedPlatform } from "../../protocol/test-platform.ts";
import { serveSimulator } from "../../simulator/server/serve.ts";
import { serveForTest, silentLog } from "./test-served.ts";

const NEVER_MS = HOUR_MS;

/** Counts hints and waits for more. */
function listener() {
  const heard: FeedName[] = [];
  const waiting: { feed: FeedName; beyond: number; resolve: () => void }[] = [];
  const countOf = (feed: FeedName) => heard.filter((name) => name === feed).length;
  return {
    onMove: (feed: FeedName) => {
      heard.push(feed);
      for (const wait of waiting) if (countOf(wait.feed) > wait.beyond) wait.resolve();
    },
    countOf,
    more: (feed: FeedName) => {
      const beyond = countOf(feed);
      return new Promise<void>((resolve) => void waiting.push({ feed, beyond, resolve }));
    },
  };
}

test("a move arrives over the socket, without any polling", async () => {
  const platform = fixedPlatform();
  const served = await serveForTest(platform, { pollMs: NEVER_MS });
  const { onMove, more } = listener();
  const connected = more("chain").then(() => more("chain"));
  const stop = served.upstream.watch(onMove);
  await connected;
  const heard = more("app");
  platform.grow(1);
  await heard;
  stop();
  await served.stop();
});

test("a silent socket costs only freshness: hints for all feeds continue", async () => {
  const platform = fixedPlatform();
  const served = await serveForTest(platform, { pollMs: 5 });
  await served.misbehave({ kind: "silence" });
  const { onMove, more } = listener();
  served.upstream.watch(onMove);
  for (const feed of ["app", "push", "chain"] as const) {
    await more(feed);
    await more(feed);
  }
  await served.stop();
});

test("a restarted server is found again", async () => {
  const platform = fixedPlatform();
  const served = await serveForTest(platform, { pollMs: NEVER_MS });
  const { onMove, more } = listener();
  const connected = more("push").then(() => more("push"));
  served.upstream.watch(onMove);
  await connected;
  const again = more("push");
  await served.server.stop();
  const port = Number(new URL(served.server.url).port);
  const next = await serveSimulator({
    platform,
    host: "127.0.0.1",
    port,
    log: silentLog,
    clock: systemClock(),
  });
  await again;
  const heard = more("app");
  platform.grow(1);
  await heard;
  await served.upstream.close();
  await next.stop();
});

test("a removed listener gets nothing more, and others still do", async () => {
  const platform = fixedPlatform();
  const served = await serveForTest(platform, { pollMs: 5 });
  const first = listener();
  const second = listener();
  const stop = served.upstream.watch(first.onMove);
  served.upstream.watch(second.onMove);
  await first.more("app");
  stop();
  const before = first.countOf("app");
  await second.more("app");
  await second.more("app");
  expect(first.countOf("app")).toBe(before);
  await served.stop();
});
