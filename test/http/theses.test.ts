// Theses, everybody's, a token's, a trader's: as upstream has them, in the requested order, and the captured ones while
// upstream is dead.

import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import { DAY_MS, MINUTE_MS } from "../../kit/units.ts";
import type { WireThesis } from "../../protocol/protocol.ts";
import { readConfig } from "../../service/config.ts";
import { eventually } from "../support/eventually.ts";
import { type ServedService, START_MS_MAX, startServedService } from "../support/live-service.ts";
import { everyToken, everyUser, still } from "./world.ts";

// Even when this file runs alone: a test that timed out continues to run, and moves the clock of later ones.
setDefaultTimeout(START_MS_MAX);

let live: ServedService;
/** The platform's own function, which a test may replace for a while. */
let tokenTheses: ServedService["platform"]["api"]["tokenTheses"];

beforeAll(async () => {
  live = await startServedService({
    traders: 200,
    historyDays: 4,
    historyEventsPerSecond: 0.04,
    eventsPerSecond: 0.1,
  });
  tokenTheses = live.platform.api.tokenTheses;
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);
afterEach(async () => {
  live.platform.api.tokenTheses = tokenTheses;
  await live.misbehave();
  live.clock.release();
  // Past every cache and a breaker's cooldown.
  live.clock.push(2 * MINUTE_MS);
  await live.platform.advance();
});

const idOf = ({ id }: { id: string }) => id;
/** How often to check for a write before its read is repeated: far more than one takes. */
const LOOKS_PER_READ = 200;
/** Retention may delete older ones at any moment, even those that a read has just stored. */
const keptSince = () => live.clock.now() - (readConfig({}).retentionDays.fills - 1) * DAY_MS;

describe("theses", () => {
  const chains = { altchain: 4663, solana: 1399811149, base: 8453 };

  test("of everybody come newest first, each once, on every chain by name and by number", async () => {
    await still(live);
    const own: WireThesis[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = live.platform.api.theses(cursor ? { cursor } : {});
      own.push(...page.rows);
      cursor = page.nextCursor;
    }
    const walk = async (query: string) => {
      const ids: string[] = [];
      for (let cursor: string | null = "start"; cursor !== null; ) {
        const answered: { body: AnswerOf<Routes["listTheses"]>; cost: number } = await live.get(
          "listTheses",
          `/v2/thesis?${query}&cursor=${cursor}`,
        );
        expect(answered.cost).toBe(1_250);
        ids.push(...answered.body.theses.map((thesis) => thesis.id));
        cursor = answered.body.nextCursor;
      }
      return ids;
    };
    expect(own.length).toBeGreaterThan(100);
    expect(await walk("limit=100")).toEqual(own.map((thesis) => thesis.id));
    expect(await walk("limit=40")).toEqual(own.map((thesis) => thesis.id));
    for (const [name, id] of Object.entries(chains)) {
      const wanted = own.filter((thesis) => thesis.token.networkId === id).map((thesis) => thesis.id);
      expect(await walk(`limit=100&chain=${name}`)).toEqual(wanted);
      expect(await walk(`limit=100&chain=${id}`)).toEqual(wanted);
    }
    const refused = await live.refused("/v2/thesis?chain=nowhere");
    expect([refused.status, refused.body.param]).toEqual([400, "chain"]);
    expect(refused.body.allowed).toEqual(expect.arrayContaining(Object.keys(chains)));
  });

  test("do not repeat when new ones are written during a walk", async () => {
    await still(live);
    const seen: string[] = [];
    let cursor: string | null = "start";
    for (let pages = 0; pages < 8 && cursor !== null; pages++) {
      const { body }: { body: AnswerOf<Routes["listTheses"]> } = await live.get(
        "listTheses",
        `/v2/thesis?limit=11&cursor=${cursor}`,
      );
      seen.push(...body.theses.map((thesis) => thesis.id));
      cursor = body.nextCursor;
      live.clock.push(90 * MINUTE_MS);
      await live.platform.advance();
    }
    expect(seen.length).toBe(new Set(seen).size);
  });

  test("about a token are sorted as requested, and its chain can be specified", async () => {
    await still(live);
    const token = talkedAbout();
    const path = `/v2/thesis/token/${token.address}`;
    const list = async (query: string) =>
      (await live.get("listTokenTheses", `${path}?limit=100&${query}`)).body;
    const own = live.platform.api.tokenTheses(token.address, { page: 1 })?.rows ?? [];
    const stored = await list("");
    expect(stored.theses.map((thesis) => thesis.id)).toEqual(own.map((thesis) => thesis.id));
    expect(stored).toMatchObject({
      available: true,
      complete: true,
      partial: false,
      pages: 1,
      source: "live-upstream",
    });
    const likes = (await list("sort=likes")).theses.map((thesis) => Number(thesis.likes));
    expect(likes).toEqual([...likes].sort((a, b) => b - a));
    const times = (await list("sort=recent")).theses.map((thesis) => thesis.ts);
    expect(times).toEqual([...times].sort().reverse());
    expect((await list(`network=${token.networkId}`)).count).toBe(stored.count);
    const elsewhere = token.networkId === 56 ? "base" : "bnb";
    expect(await list(`network=${elsewhere}`)).toMatchObject({ available: false, count: 0 });
    const upper = await live.get("listTokenTheses", `/token/${token.address}/theses?limit=100`);
    expect(upper.body).toEqual(stored);
  });

  test("of several pages are read live every time and charged by the pages that arrived", async () => {
    const token = talkedAbout();
    const { api } = live.platform;
    const all = tokenTheses(token.address, { page: 1 })?.rows ?? [];
    const size = Math.ceil(all.length / 3);
    api.tokenTheses = (_address, { page }) => ({
      rows: all.slice((page - 1) * size, page * size),
      hasMore: all.length > page * size,
    });
    const path = `/v2/thesis/token/${token.address}`;
    const upstream = `/api/tokens/${token.address.toLowerCase()}/theses`;
    const asked = async () =>
      (await live.asked(`/api/tokens/${token.address}/theses`)) +
      (upstream.includes(token.address) ? 0 : await live.asked(upstream));
    const read = (query: string) => live.get("listTokenTheses", `${path}?limit=100&${query}`);
    const two = await read("pages=2");
    expect([two.body.pages, two.cost, two.body.count, two.body.complete]).toEqual([
      2,
      2_500,
      2 * size,
      false,
    ]);
    const whole = await read("pages=10");
    expect([whole.body.pages, whole.cost, whole.body.count, whole.body.complete]).toEqual([
      3,
      3_750,
      all.length,
      true,
    ]);
    /** Capture may make the same request by itself now and then, so the minimum of several tries is the reads' own number. */
    const leastAsked = async (reads: () => Promise<unknown>) => {
      const counts: number[] = [];
      for (let attempt = 0; attempt < 4; attempt++) {
        live.clock.push(2 * MINUTE_MS);
        const before = await asked();
        await reads();
        counts.push((await asked()) - before);
      }
      return Math.min(...counts);
    };
    const twice = (query: string) => async () => {
      await read(query);
      await read(query);
    };
    expect(await leastAsked(twice("pages=2"))).toBe(4);
    expect(await leastAsked(twice("pages=1"))).toBe(1);
    expect((await read("pages=1")).cost).toBe(1_250);
    // The second page never arrives.
    api.tokenTheses = (address, query) => {
      if (query.page > 1) throw new Error("a fault of the world");
      return { rows: all.slice(0, size), hasMore: address !== "" };
    };
    const partial = await read("pages=3");
    expect([partial.body.partial, partial.body.pages, partial.cost, partial.body.complete]).toEqual([
      true,
      1,
      1_250,
      false,
    ]);
  });

  test("while upstream is dead are the captured ones for a single page, and a free 503 for several", async () => {
    const token = talkedAbout();
    const path = `/v2/thesis/token/${token.address}`;
    const { theses } = live.service.store;
    const read = () => live.get("listTokenTheses", `${path}?limit=100`);
    let good = await read();
    const isKept = async () => {
      const kept = await theses.byToken(token.address, { limit: 100, sort: "stored" });
      const capture = await theses.tokenCapture(token.address);
      return capture !== null && Bun.deepEquals(kept.rows.map(idOf), good.body.theses.map(idOf));
    };
    // An answer does not wait for its storage, and a failed write is left to the next read.
    let looks = 0;
    await eventually(async () => {
      if (looks++ % LOOKS_PER_READ > 0) return isKept();
      live.clock.release();
      // The cached answer is too old now; the next one is of a moment at which the world is frozen.
      live.clock.push(MINUTE_MS);
      await still(live);
      good = await read();
      return isKept();
    }, "what was read is kept");
    await live.misbehave({ kind: "status", status: 500, path: "/api/tokens" });
    live.clock.push(10 * MINUTE_MS);
    const kept = await live.get("listTokenTheses", `${path}?limit=100`);
    expect(kept.body).toMatchObject({ source: "captured", available: true });
    // The clock continues: theses from events are captured too, and those past retention are deleted once an hour.
    const known = new Set(good.body.theses.filter(({ ts }) => Date.parse(ts) > keptSince()).map(idOf));
    expect(known.size).toBeGreaterThan(10);
    expect(kept.body.theses.map(idOf).filter((id) => known.has(id))).toEqual([...known]);
    const several = await live.refused(`${path}?pages=2`);
    expect([several.status, several.body.retryable, several.cost]).toEqual([503, true, 0]);
    const silent = everyToken(live.platform).find(
      (each) => live.platform.api.tokenTheses(each.address, { page: 1 })?.rows.length === 0,
    );
    const never = await live.refused(`/v2/thesis/token/${silent?.address}`);
    expect([never.status, never.cost]).toEqual([503, 0]);
  });

  test("about an unknown token are not available, for the price of an ordinary call", async () => {
    const unknown = await live.get(
      "listTokenTheses",
      "/v2/thesis/token/0x00000000000000000000000000000000deadbeef",
    );
    expect(unknown.body).toMatchObject({ available: false, count: 0, theses: [] });
    expect(unknown.cost).toBe(250);
  });

  test("of a trader are complete, by time or by likes, on one chain or about one token", async () => {
    await still(live);
    const { api } = live.platform;
    const counted = everyUser(live.platform).map((user) => ({
      user,
      rows: api.userTheses(user.userId, {})?.rows ?? [],
    }));
    // Upstream's pages contain 95: fewer than that all fit on the first.
    const { user, rows } = counted
      .filter((each) => each.rows.length < 95)
      .filter((each) => each.rows.every((thesis) => thesis.createdAt > keptSince()))
      .reduce((most, each) => (each.rows.length > most.rows.length ? each : most));
    expect(rows.length).toBeGreaterThan(10);
    const read = async (path: string) => {
      let body = (await live.get("listTraderTheses", path)).body;
      // On a machine that was suspended, an answer or its storage may have come too late: then captured ones stand in.
      await eventually(async () => {
        if (body.note !== null) body = (await live.get("listTraderTheses", path)).body;
        return body.note === null;
      }, "upstream answers in time");
      return body;
    };
    const list = (query: string, path = "") =>
      read(`/v2/thesis/user/${user.handle}${path}?limit=100&${query}`);
    expect((await list("")).theses.map((thesis) => thesis.id)).toEqual(rows.map((thesis) => thesis.id));
    const liked = await list("sort=likes");
    const likes = liked.theses.map((thesis) => Number(thesis.likes));
    expect(likes).toEqual([...likes].sort((a, b) => b - a));
    expect(liked.count).toBe(rows.length);
    const chain = rows[0]?.token.networkId;
    const onChain = rows.filter((thesis) => thesis.token.networkId === chain).map((thesis) => thesis.id);
    expect((await list(`chain=${chain}`)).theses.map((thesis) => thesis.id)).toEqual(onChain);
    const address = String(rows[0]?.token.address);
    const about = rows.filter((thesis) => thesis.token.address === address).map((thesis) => thesis.id);
    expect((await list("", `/token/${address}`)).theses.map((thesis) => thesis.id)).toEqual(about);
    const paged: string[] = [];
    for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
      const body: AnswerOf<Routes["listTraderTheses"]> = await read(
        `/v2/thesis/user/${user.userId}?sort=likes&limit=7${cursor ? `&cursor=${cursor}` : ""}`,
      );
      paged.push(...body.theses.map((thesis) => thesis.id));
      cursor = body.nextCursor;
    }
    expect(paged).toEqual(liked.theses.map((thesis) => thesis.id));
  });

  test("by likes are a free 503 when none could be read and none was captured", async () => {
    const { userId } =
      everyUser(live.platform).find(
        (user) => live.platform.api.userTheses(user.userId, {})?.rows.length === 0,
      ) ?? {};
    await live.misbehave({ kind: "status", status: 500, path: `/api/users/${userId}/theses` });
    const refused = await live.refused(`/v2/thesis/user/${userId}?sort=likes`);
    expect([refused.status, refused.body.retryable, refused.cost]).toEqual([503, true, 0]);
  });
});

/** The token with the most theses, and its chain. */
function talkedAbout() {
  const { api } = live.platform;
  const count = (address: string) => api.tokenTheses(address, { page: 1 })?.rows.length ?? 0;
  return everyToken(live.platform).reduce((most, token) =>
    count(token.address) > count(most.address) ? token : most,
  );
}
