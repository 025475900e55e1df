// The campaign is only as good as its checks: each one is silent on a true record, and reports one that was tampered with.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROUTES } from "../../contract/routes.ts";
import { systemClock } from "../../kit/clock.ts";
import { freshRequestId } from "../../kit/ids.ts";
import { createLog } from "../../kit/log.ts";
import { type Access, createAccess } from "../../service/access/access.ts";
import { createMemoryRate } from "../../service/access/limits/rate-memory.ts";
import { openStore, type Store } from "../../service/store/store.ts";
import { appEvent } from "../support/nouns.ts";
import type { FrameEntry, MintedEntry, RequestEntry } from "./journal.ts";
import { checkLog, checkMinted, checkMoney, checkStreams } from "./verify.ts";

const EVENTS = 20;
const clock = systemClock();
const log = createLog("silent", clock.now);
const folder = mkdtempSync(join(tmpdir(), "crowdtape-verify-"));
// Later than the start of the log, so that they are news.
const events = Array.from({ length: EVENTS }, () => appEvent({ at: clock.now() + 60_000 }));
/** The platform's record of its app feed. */
let record = events.map((event) => event.eventId);
let forgotten = 0;
const platform = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) => {
    const url = new URL(request.url);
    const after = Number(url.searchParams.get("after"));
    const reported = url.pathname.endsWith("/app") ? record : [];
    const items = reported.map((eventId, index) => ({ position: index + 1, item: { eventId } }));
    return Response.json({ items: items.filter(({ position }) => position > Math.max(after, forgotten)) });
  },
});
let store: Store;
let access: Access;

beforeAll(async () => {
  store = await openStore({ location: { file: join(folder, "store.sqlite") }, clock, log });
  const links = { upgradeUrl: "/pricing", topUp: "/pay/create" };
  access = createAccess({
    database: store.database,
    clock,
    log,
    rate: createMemoryRate(clock),
    links,
    testKeys: () => true,
  });
  const lease = await store.leases.acquire("writer", "test", 60_000);
  if (!lease) throw new Error("no lease");
  const positions = [{ source: "test", feed: "app" as const, position: EVENTS }];
  await store.log.append(lease, { events, capturedAt: clock.now(), positions });
});
afterAll(async () => {
  await access.close();
  await store.close();
  await platform.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

describe("the log against the platform's record", () => {
  const ids = events.map((event) => event.eventId);
  const check = (recorded: string[]) => {
    record = recorded;
    return checkLog(store, platform.url.origin);
  };
  test("a true record has no errors, even if its beginning was dropped", async () => {
    expect(await check(ids)).toEqual([]);
    forgotten = 3;
    expect(await check(ids)).toEqual([]);
    forgotten = 0;
  });
  test("an event that the log lost, one that it made up and a wrong order are seen", async () => {
    expect(await check([...ids.slice(0, 5), "lost", ...ids.slice(5, -1)])).not.toEqual([]);
    expect(await check(ids.filter((id) => id !== ids[7]))).not.toEqual([]);
    expect(await check(ids.toReversed())).not.toEqual([]);
  });
});

describe("frames against the log", () => {
  const lane = { lane: "alerts", feeds: ["app"] as const, delayMs: 15_000 };
  const frame = (kind: FrameEntry["kind"], seq: number): FrameEntry => ({
    type: "frame",
    lane: "alerts",
    kind,
    seq,
    at: clock.now() + lane.delayMs + 1_000,
  });
  const reported = () => [
    frame("welcome", 3),
    ...Array.from({ length: 10 }, (_, index) => frame("event", 4 + index)),
  ];
  const check = (frames: FrameEntry[]) => checkStreams(store, [lane], frames);

  test("complete and timely frames have no errors, even over several sockets", async () => {
    expect(await check(reported())).toEqual([]);
    expect(
      await check([...reported(), frame("close", 1006), frame("welcome", 18), frame("event", 14)]),
    ).toEqual([]);
  });
  test("a frame that is missing, repeated, out of order, early or never sent is seen", async () => {
    const frames = reported();
    expect(await check(frames.filter(({ seq }) => seq !== 8))).not.toEqual([]);
    expect(await check([...frames, frame("event", 13)])).not.toEqual([]);
    expect(await check([frame("welcome", 3), ...frames.slice(1).toReversed()])).not.toEqual([]);
    expect(await check(frames.map((one) => ({ ...one, at: one.at - lane.delayMs })))).not.toEqual([]);
    expect(await check([])).not.toEqual([]);
    expect(await check([...frames, { ...frame("gap", 15), note: "from 14" }])).not.toEqual([]);
  });
});

describe("answers against the ledger", () => {
  const route = ROUTES.search;
  const { credits } = route.price;

  /** An account with two paid answers and one charge whose answer got lost. */
  async function charged() {
    const { id: accountId } = await access.grants.openAccount("verify@example.com");
    const { secret } = await access.keys.create({ accountId, name: null });
    const caller = await access.identifyKey(secret);
    const startedAt = clock.now();
    const requestIds = [freshRequestId(), freshRequestId(), freshRequestId()];
    for (const requestId of requestIds) {
      const admission = await access.admit(caller, route, 1);
      await admission.finish({ requestId, units: 1, outcome: "hit" });
      admission.release();
    }
    const entry = (requestId: string | null, status = 200, cost: number = credits): RequestEntry => ({
      type: "request",
      lane: "http",
      routeId: route.id,
      path: "/v2/search",
      startedAt,
      endedAt: clock.now(),
      wrong: [],
      answer: requestId === null ? null : { status, cost, requestId, error: null },
    });
    const [first = "", second = "", third = ""] = requestIds;
    return { accounts: { http: accountId }, entry, ids: { first, second, third } };
  }

  test("each answer with its charge, and a charge that an unanswered request explains, have no errors", async () => {
    const { accounts, entry, ids } = await charged();
    const free = entry(freshRequestId(), 503, 0);
    const requests = [entry(ids.first), entry(ids.second), entry(null), entry(null), free];
    expect(await checkMoney({ store, access }, accounts, requests)).toEqual([]);
  });
  test("a charge that nothing explains, a wrong price, an unpaid answer and a charged refusal are seen", async () => {
    const { accounts, entry, ids } = await charged();
    const good = [entry(ids.first), entry(ids.second), entry(null)];
    const check = (requests: RequestEntry[]) => checkMoney({ store, access }, accounts, requests);
    expect(await check(good)).toEqual([]);
    expect(await check(good.slice(0, 2))).not.toEqual([]);
    expect(await check([...good.slice(0, 2), { ...entry(null), routeId: "getMe" }])).not.toEqual([]);
    expect(await check([entry(ids.first, 200, credits + 1), ...good.slice(1)])).not.toEqual([]);
    expect(await check([...good, entry(freshRequestId())])).not.toEqual([]);
    expect(await check([...good.slice(0, 2), entry(ids.third, 503, 0)])).not.toEqual([]);
    const lose = (credits: number) =>
      store.database.write((tx) =>
        tx.run({
          text: "UPDATE balance SET monthly_remaining = monthly_remaining - ? WHERE account_id = ?",
          values: [credits, accounts.http],
        }),
      );
    await lose(1);
    expect(await check(good)).not.toEqual([]);
    // The books are checked as a whole, so the next test needs them in order again.
    await lose(-1);
    expect(await check(good)).toEqual([]);
  });
});

test("a key that exists twice, is missing, or exists although it was refused is seen", async () => {
  const { id: accountId } = await access.grants.openAccount("minted@example.com");
  for (const name of ["once", "twice", "twice"]) await access.keys.create({ accountId, name });
  const minted = (name: string, status: number | null, wrong: string[] = []): MintedEntry => ({
    type: "minted",
    lane: "mint",
    name,
    status,
    wrong,
  });
  const check = (...entries: MintedEntry[]) => checkMinted(access, { mint: accountId }, entries);
  expect(await check(minted("once", 201), minted("once", null), minted("none", null))).toEqual([]);
  expect(await check(minted("refused", 403))).toEqual([]);
  for (const entry of [minted("twice", 201), minted("twice", null), minted("none", 201), minted("once", 403)])
    expect(await check(entry)).toHaveLength(1);
  expect(await check(minted("once", 201, ["201 in place of 403"]))).toHaveLength(1);
});
