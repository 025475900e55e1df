import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { FEEDS, type FeedEvent } from "../../protocol/shapes/event.ts";
import { eventually } from "../../test/support/eventually.ts";
import { type Served, serveForTest } from "../upstream/test-served.ts";
import {
  type CaptureTestStore,
  captureOn,
  sentBy,
  type TestWorld,
  testStore,
  testWorld,
  wholeLog,
  withoutPlace,
} from "./test-support.ts";

describe("capture over a wire that misbehaves", () => {
  let world: TestWorld;
  let served: Served;
  let storage: CaptureTestStore;

  beforeAll(async () => {
    world = await testWorld("wire", { traders: 40, days: 0.3 });
    served = await serveForTest(world.platform, { pollMs: 50 });
    storage = await testStore();
  });
  afterAll(async () => {
    await served.stop();
    await storage.close();
    await world.close();
  });

  test("after doubled, shuffled, spoilt, cut, slow and failed answers the log is upstream's own record", async () => {
    const often = { path: "/api/feeds", probability: 0.3 };
    const rarely = { path: "/api/feeds", probability: 0.05 };
    await served.misbehave(
      ...["duplicates", "reorder", "proto"].map((kind) => ({ kind, ...often })),
      ...["malformed", "truncate", "html", "reset", "emptyLists"].map((kind) => ({ kind, ...rarely })),
      { kind: "status", status: 503, ...rarely },
      { kind: "latency", latencyMs: 20, ...often },
      { kind: "types", share: 0.002, ...often },
    );
    const capture = captureOn(served.upstream, storage.store, { rates: { batch: 40 } });
    capture.start();
    for (let step = 0; step < 6; step++) await world.live(5_000);
    const isDone = async () => {
      const newest = { app: world.platform.api.appFeed(0, 1), push: world.platform.api.pushFeed(0, 1) };
      const chain = world.platform.api.chainFeed(0, 1).newest;
      const [app, push, trades] = await Promise.all(
        FEEDS.map((feed) => storage.store.progress.position(feed)),
      );
      if ((await storage.store.log.historyLeft()).length > 0) return false;
      return app === newest.app.newest && push === newest.push.newest && trades === chain;
    };
    await eventually(isDone, "every feed is read to its end");
    await served.misbehave();
    const sent = await sentBy(world.upstream);
    const log = await wholeLog(storage.store);
    const first = log[0]?.seq ?? 0;
    expect(log.map((event) => event.seq)).toEqual(log.map((_, index) => first + index));
    const times = log.map((event) => event.capturedAt);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const refused = (await storage.store.progress.refusals()).reduce(
      (sum, report) => sum + report.refused,
      0,
    );
    expect(refused).toBe(0);
    for (const feed of FEEDS) {
      // History is read from its newest down, so what a feed sends twice stays where it was last.
      const plain = (events: readonly FeedEvent[]) =>
        events
          .map((event) => ({ ...event, finality: null, raw: null }))
          .sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
      const captured = log.filter((event) => event.feed === feed).map(withoutPlace);
      expect(plain(captured)).toEqual(plain(sent[feed]));
    }
    await capture.stop();
  });
});
