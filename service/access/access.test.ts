import { expect, test } from "bun:test";
import { Fault } from "../../contract/errors.ts";
import { KEYLESS, PLANS } from "../../contract/plans.ts";
import { type AccessRule, FREE, type Price, price } from "../../contract/route.ts";
import { manualClock } from "../../kit/clock.ts";
import { DAY_MS } from "../../kit/units.ts";
import { eventually } from "../../test/support/eventually.ts";
import { needing } from "../../test/support/needing.ts";
import { throwAwayRedis } from "../../test/support/redis.ts";
import { type Access, type Admission, type Caller, RateRefusal } from "./access.ts";
import { createRedisRate } from "./limits/rate-redis.ts";
import { drainTo, makeKey, START, silent, testAccess, testStore } from "./test-support.ts";

let made = 0;
const requestId = () => `req_${++made}`;
const route = (more: { access?: AccessRule; price?: Price } = {}) => ({
  id: "getThing",
  access: more.access ?? "key",
  price: more.price ?? price(250),
});
const refusal = async (work: () => unknown): Promise<Fault> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("It was not refused.");
};
const keyless = (access: Access, address = "203.0.113.9") => access.identify(null, address, "keyless");
const callerOf = async (access: Access, secret: string): Promise<Caller> =>
  access.identify(`Bearer ${secret}`, "203.0.113.9", "key");
const spend = async (
  access: Access,
  caller: Caller,
  of = route(),
  end: { units: number; outcome: "hit" | "miss" | "free" } = { units: 1, outcome: "hit" },
) => {
  const admission = await access.admit(caller, of, end.units);
  try {
    return await admission.finish({ requestId: requestId(), ...end });
  } finally {
    admission.release();
  }
};

test("who calls: a key, an address where that is allowed, and no one with a bad key except on open routes", async () => {
  const { access, close } = await testAccess();
  const { secret, key } = await makeKey(access, { plan: "growth" });
  const caller = await callerOf(access, secret);
  expect(caller.kind === "key" && [caller.keyId, caller.plan]).toEqual([key.id, "growth"]);
  expect(await keyless(access)).toMatchObject({ kind: "keyless", address: "203.0.113.9" });
  for (const rule of ["key", "onChain"] as const) {
    expect((await refusal(() => access.identify(null, "1.1.1.1", rule))).code).toBe("unauthorized");
  }
  for (const header of ["Bearer nonsense", "Basic abc", `bearer  ${secret}x`, "Bearer"]) {
    expect((await refusal(() => access.identify(header, "1.1.1.1", "keyless"))).code).toBe("unauthorized");
    expect((await access.identify(header, "1.1.1.1", "open")).kind).toBe("keyless");
  }
  expect((await access.identify(`bearer ${secret}`, "1.1.1.1", "open")).kind).toBe("key");
  await close();
});

test("the plan's rate is allowed, the next request is a 429 that says how long to wait and where it stands", async () => {
  const { access, clock, close } = await testAccess();
  const caller = await callerOf(access, (await makeKey(access)).secret);
  for (let i = 0; i < PLANS.free.requestsPerMinute; i++) await access.pace(caller);
  await clock.advance(10_500);
  const error = await refusal(() => access.pace(caller));
  expect(error).toBeInstanceOf(RateRefusal);
  expect([error.status, error.details.retryAfterSeconds]).toEqual([429, 50]);
  expect((error as RateRefusal).rate).toEqual({ limit: '"minute";r=0;t=50', policy: '"minute";q=60;w=60' });
  await access.pace(caller, "open");
  const raised = await callerOf(access, (await makeKey(access, { requestsPerMinute: 2 })).secret);
  await access.pace(raised);
  await access.pace(raised);
  expect((await refusal(() => access.pace(raised))).code).toBe("rate_limited");
  await close();
});

test("callers without a key share their address's rate, a /64 on IPv6", async () => {
  const { access, close } = await testAccess();
  for (let i = 0; i < KEYLESS.requestsPerMinute; i++)
    await access.pace(await keyless(access, `2001:db8::${i + 1}`));
  expect((await refusal(async () => access.pace(await keyless(access, "2001:db8::ffff")))).status).toBe(429);
  await access.pace(await keyless(access, "2001:db8:0:1::1"));
  await close();
});

test("a rotated key and its successor share one rate", async () => {
  const { access, close } = await testAccess();
  const { secret, accountId, key } = await makeKey(access, { requestsPerMinute: 3 });
  const next = await access.keys.rotate({ accountId, keyId: key.id, overlapSeconds: 60 });
  for (const each of [secret, next.secret, secret]) await access.pace(await callerOf(access, each));
  expect((await refusal(async () => access.pace(await callerOf(access, next.secret)))).status).toBe(429);
  await close();
});

test("requests at the same moment are bounded, and each place is given back once", async () => {
  const { access, close } = await testAccess();
  const caller = await callerOf(access, (await makeKey(access)).secret);
  const open = await Promise.all(Array.from({ length: 10 }, () => access.admit(caller, route(), 1)));
  expect((await refusal(() => access.admit(caller, route(), 1))).code).toBe("rate_limited");
  open[0]?.release();
  open[0]?.release();
  const again = await access.admit(caller, route(), 1);
  expect((await refusal(() => access.admit(caller, route(), 1))).code).toBe("rate_limited");
  for (const admission of [...open, again]) admission.release();
  await close();
});

needing("redis").test(
  "requests at the same moment are bounded over all nodes of one Redis, and those that ended make room",
  async () => {
    const redis = await throwAwayRedis();
    const clock = manualClock(START);
    const store = await testStore("sqlite");
    const node = () =>
      testAccess("sqlite", {
        clock,
        store,
        // Counts are exact only while Redis answers in time, and on a busy machine it may need its time.
        rate: createRedisRate({ url: redis.url, clock, log: silent, now: clock.now, deadlineMs: 5_000 }),
      });
    const [one, other] = [await node(), await node()];
    // The most a minute that leaves the plan's ten at the same moment as they are.
    const { secret } = await makeKey(one.access, { requestsPerMinute: 120 });
    expect(PLANS.free.requestsPerMinute).toBeLessThan(120);
    const begin = async ({ access }: typeof one) => {
      const caller = await callerOf(access, secret);
      await access.pace(caller);
      return access.admit(caller, route(), 1);
    };
    const here: Admission[] = [];
    for (let i = 0; i < 6; i++) here.push(await begin(one));
    const there: Admission[] = [];
    for (let i = 0; i < 4; i++) there.push(await begin(other));
    const error = await refusal(() => begin(other));
    expect(error).toBeInstanceOf(RateRefusal);
    expect([error.status, error.message]).toEqual([429, "More than 10 requests at the same moment."]);
    for (const admission of here) admission.release();
    const hasRoom = async () => {
      // Four stay under way and are reported again and again, so that nothing expires for lack of a report.
      there.pop()?.release();
      there.push(await begin(other));
      await clock.advance(200);
      return begin(other).then(
        (admission) => there.push(admission) > 0,
        () => false,
      );
    };
    await eventually(hasRoom, "the other node has room again");
    for (const admission of there) admission.release();
    await Promise.all([one.close(), other.close()]);
    await store.remove();
    await redis.stop();
  },
);

test("on-chain routes want a plan that has them", async () => {
  const { access, close } = await testAccess();
  const onChain = route({ access: "onChain" });
  for (const plan of ["free", "starter"] as const) {
    const caller = await callerOf(access, (await makeKey(access, { plan })).secret);
    const error = await refusal(() => access.admit(caller, onChain, 1));
    expect([error.code, error.details.plan, error.details.upgradeUrl]).toEqual([
      "plan_required",
      plan,
      "/pricing",
    ]);
  }
  const caller = await callerOf(access, (await makeKey(access, { plan: "growth" })).secret);
  expect((await spend(access, caller, onChain)).cost).toBe(250);
  expect((await refusal(async () => access.admit(await keyless(access), onChain, 1))).code).toBe(
    "unauthorized",
  );
  await close();
});

test("a call costs its price by units, the miss price, or nothing, and tells what is left", async () => {
  const { access, close } = await testAccess();
  const { secret } = await makeKey(access);
  const caller = await callerOf(access, secret);
  let left = PLANS.free.creditsPerMonth;
  const paid = async (of: Price, units: number, outcome: "hit" | "miss" | "free", cost: number) => {
    const receipt = await spend(access, caller, route({ price: of }), { units, outcome });
    left -= cost;
    expect(receipt).toEqual({ cost, remaining: left });
  };
  await paid(price(250), 1, "hit", 250);
  await paid(price(250), 7, "hit", 250);
  await paid(price(1_250, "page"), 3, "hit", 3_750);
  await paid(price(250, "upstream call"), 5, "hit", 1_250);
  await paid(price(2_500), 1, "miss", 250);
  await paid(price(125), 1, "miss", 125);
  await paid(price(250, "call", 0), 1, "miss", 0);
  await paid(price(250), 1, "free", 0);
  await paid(FREE, 1, "hit", 0);
  expect(await spend(access, await keyless(access), route({ access: "keyless" }))).toEqual({
    cost: 0,
    remaining: null,
  });
  expect(await access.imbalances()).toEqual([]);
  await close();
});

test("a hit on a resolution route uses one of the month's, a miss none; without any left it is a 402 of its own", async () => {
  const { access, account, close } = await testAccess();
  const { secret } = await makeKey(access);
  const caller = await callerOf(access, secret);
  const byId = route({ price: { credits: 10, unit: "call", miss: 0, resolution: true } });
  await spend(access, caller, byId, { units: 1, outcome: "miss" });
  for (let i = 0; i < PLANS.free.resolutionsPerMonth; i++) await spend(access, caller, byId);
  const me = caller.kind === "key" ? account.me(caller) : null;
  expect(me?.resolutions).toMatchObject({ monthly: 100, usedThisMonth: 100, remaining: 0 });
  const error = await refusal(() => access.admit(caller, byId, 1));
  expect([error.status, error.code]).toEqual([402, "resolutions_exhausted"]);
  expect((await spend(access, caller)).cost).toBe(250);
  await close();
});

test("a call that can't be paid is refused before work, with what is left and what to do", async () => {
  const { access, database, close } = await testAccess();
  const { secret, accountId } = await makeKey(access);
  await drainTo(database, accountId, 700);
  const caller = await callerOf(access, secret);
  const perPage = route({ price: price(250, "page") });
  expect((await spend(access, caller, perPage, { units: 2, outcome: "hit" })).remaining).toBe(200);
  const error = await refusal(() => access.admit(caller, perPage, 3));
  expect([error.status, error.code]).toEqual([402, "credits_exhausted"]);
  expect(error.details).toEqual({
    plan: "free",
    remaining: 200,
    required: 750,
    resetsAt: new Date(Date.UTC(2026, 1, 15, 10, 30)).toISOString(),
    upgradeUrl: "/pricing",
    topUp: "/pay/create",
  });
  await close();
});

test("500 calls at once for the last 100 units: 100 answers, 400 times 402, and every place is free again", async () => {
  const { access, database, close } = await testAccess();
  const { secret, accountId } = await makeKey(access, { requestsPerMinute: 60_000 });
  await drainTo(database, accountId, 25_000);
  const caller = await callerOf(access, secret);
  const outcomes = await Promise.all(
    Array.from({ length: 500 }, () =>
      spend(access, caller).then(
        (receipt) => receipt.cost,
        (error: Fault) => error.code,
      ),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === 250)).toHaveLength(100);
  expect(outcomes.filter((outcome) => outcome === "credits_exhausted")).toHaveLength(400);
  expect(await access.imbalances()).toEqual([]);
  await access.grants.addPrepaid({ accountId, credits: 250, reference: "top-up" });
  expect((await spend(access, caller)).remaining).toBe(0);
  await close();
});

test("a top-up on one node is felt on the other within a second, without any hint", async () => {
  const first = await testAccess();
  const second = await testAccess("sqlite", { store: first.store, clock: first.clock });
  const { secret, accountId } = await makeKey(first.access);
  await drainTo(first.database, accountId, 0);
  const caller = await callerOf(second.access, secret);
  expect((await refusal(() => second.access.admit(caller, route(), 1))).code).toBe("credits_exhausted");
  await first.access.grants.addPrepaid({ accountId, credits: 500, reference: "top-up" });
  await first.clock.advance(1_001);
  expect((await spend(second.access, caller)).remaining).toBe(250);
  await second.close();
  await first.close();
});

test("a key's cap refuses before work and tells what it leaves", async () => {
  const { access, close } = await testAccess();
  const { secret } = await makeKey(access, { monthlyCap: 600 });
  const caller = await callerOf(access, secret);
  await spend(access, caller);
  await spend(access, caller);
  const error = await refusal(() => access.admit(caller, route(), 1));
  expect([error.code, error.details.remaining, error.details.required]).toEqual([
    "key_cap_reached",
    100,
    250,
  ]);
  await close();
});

test("each payment is applied once, on any node and any number of times it arrives", async () => {
  const first = await testAccess();
  const second = await testAccess("sqlite", { store: first.store, clock: first.clock });
  const { accountId } = await makeKey(first.access);
  const other = await makeKey(first.access);
  const grant = (access: Access, to = accountId) =>
    access.grants.addPrepaid({ accountId: to, credits: 40_000, reference: "session-1" });
  const results = await Promise.all([grant(first.access), grant(second.access), grant(first.access)]);
  expect(results.filter((result) => result.applied)).toHaveLength(1);
  expect((await grant(second.access, other.accountId)).applied).toBe(false);
  expect((await first.access.grants.account(accountId))?.prepaidRemaining).toBe(40_000);
  const refund = { accountId, credits: 50_000, reference: "refund-1" };
  expect((await second.access.grants.takeBackPrepaid(refund)).taken).toBe(40_000);
  expect((await second.access.grants.takeBackPrepaid(refund)).taken).toBe(0);
  expect(await first.access.imbalances()).toEqual([]);
  await second.close();
  await first.close();
});

test("the feed's delay: 60 s without a key, none for a free key's first 7 days, then 15 s, none when paid", async () => {
  const { access, clock, close } = await testAccess();
  const fresh = await callerOf(access, (await makeKey(access)).secret);
  const old = await callerOf(access, (await makeKey(access, { createdAt: START - 8 * DAY_MS })).secret);
  const paid = await callerOf(access, (await makeKey(access, { plan: "starter" })).secret);
  const delays = async (now: number) =>
    [await keyless(access), fresh, old, paid].map((caller) => access.delayMsOf(caller, now));
  expect(await delays(clock.now())).toEqual([60_000, 0, 15_000, 0]);
  expect(await delays(START + 7 * DAY_MS - 1)).toEqual([60_000, 0, 15_000, 0]);
  expect(await delays(START + 7 * DAY_MS)).toEqual([60_000, 15_000, 15_000, 0]);
  expect(await delays(START + 40 * DAY_MS)).toEqual([60_000, 15_000, 15_000, 15_000]);
  await close();
});

test("five keys of an account have one account's rate, sockets and requests at the same moment", async () => {
  const { access, close } = await testAccess();
  const { secret, accountId } = await makeKey(access);
  const secrets = [secret];
  for (let i = 1; i < 5; i++) secrets.push((await access.keys.create({ accountId, name: null })).secret);
  const callers = await Promise.all(secrets.map((each) => callerOf(access, each)));
  const next = (i: number) => callers[i % 5] as Caller;
  for (let i = 0; i < 2; i++) await access.openSocket(next(i));
  expect((await refusal(() => access.openSocket(next(2)))).status).toBe(429);
  const open = [];
  for (let i = 0; i < 10; i++) open.push(await access.admit(next(i), route(), 1));
  expect((await refusal(() => access.admit(next(3), route(), 1))).status).toBe(429);
  for (const admission of open) admission.release();
  for (let i = 0; i < PLANS.free.requestsPerMinute; i++) await access.pace(next(i));
  for (const caller of callers) expect((await refusal(() => access.pace(caller))).status).toBe(429);
  await close();
});

test("a rate set below the plan's bounds its key within the account, one above comes on top", async () => {
  const { access, close } = await testAccess();
  const { secret, accountId } = await makeKey(access, { requestsPerMinute: 5 });
  const usual = await callerOf(access, (await access.keys.create({ accountId, name: null })).secret);
  const raised = await access.keys.create({ accountId, name: null, requestsPerMinute: 100 });
  const low = await callerOf(access, secret);
  for (let i = 0; i < 5; i++) await access.pace(low);
  expect((await refusal(() => access.pace(low))).message).toContain("More than 5 requests");
  for (let i = 5; i < PLANS.free.requestsPerMinute; i++) await access.pace(usual);
  expect((await refusal(() => access.pace(usual))).message).toContain("More than 60 requests");
  const high = await callerOf(access, raised.secret);
  for (let i = 0; i < 100; i++) await access.pace(high);
  expect((await refusal(() => access.pace(high))).message).toContain("More than 100 requests");
  await close();
});

test("sockets are counted per account and per address, and a closed one makes room once", async () => {
  const { access, close } = await testAccess();
  const { secret } = await makeKey(access);
  for (const caller of [await callerOf(access, secret), await keyless(access)]) {
    const release = await access.openSocket(caller);
    await access.openSocket(caller);
    expect((await refusal(() => access.openSocket(caller))).status).toBe(429);
    release();
    release();
    await access.openSocket(caller);
    expect((await refusal(() => access.openSocket(caller))).status).toBe(429);
  }
  await close();
});

test("a ticket opens once, within a minute, on any node, and only for a key that still works", async () => {
  const first = await testAccess();
  const second = await testAccess("sqlite", { store: first.store, clock: first.clock });
  const { key, accountId } = await makeKey(first.access);
  const take = async (access: Access, ticket: string) =>
    access
      .identifyTicket(ticket)
      .then(async (caller) => {
        await access.redeemTicket(ticket);
        return caller.keyId;
      })
      .catch((error: Fault) => error.code);
  const { ticket } = await first.access.tickets.create(key.id);
  const both = await Promise.all([take(first.access, ticket), take(second.access, ticket)]);
  expect(new Set<string>(both)).toEqual(new Set([key.id, "unauthorized"]));
  const late = await first.access.tickets.create(key.id);
  await first.clock.advance(60_000);
  expect(await take(second.access, late.ticket)).toBe("unauthorized");
  const orphan = await first.access.tickets.create(key.id);
  await first.access.keys.revoke({ accountId, keyId: key.id });
  expect(await take(second.access, orphan.ticket)).toBe("unauthorized");
  expect(await take(second.access, "tkt_nonsense")).toBe("unauthorized");
  await second.close();
  await first.close();
});

test("accounts of an address are found whatever its case, and none of another", async () => {
  const { access, close } = await testAccess();
  const first = await access.grants.openAccount(" Ann@Example.com ");
  const second = await access.grants.openAccount("ann@example.com");
  await access.grants.openAccount("ben@example.com");
  const found = await access.grants.accountsOf("ANN@example.com");
  expect(found.map((account) => account.id).sort()).toEqual([first.id, second.id].sort());
  await close();
});
