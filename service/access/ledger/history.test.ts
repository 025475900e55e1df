import { expect, test } from "bun:test";
import { price } from "../../../contract/route.ts";
import { DAY_MS } from "../../../kit/units.ts";
import { onEngine } from "../../../test/support/needing.ts";
import { rollUpAll } from "../../../test/support/rolled-up.ts";
import { sumUpHours } from "../../store/money/usage.ts";
import type { Access } from "../access.ts";
import { DIALECTS, makeKey, START, testAccess } from "../test-support.ts";

let made = 0;
const call = async (access: Access, secret: string, routeId: string, credits: number) => {
  const caller = await access.identifyKey(secret);
  const admission = await access.admit(caller, { id: routeId, access: "key", price: price(credits) }, 1);
  await admission.finish({ requestId: `req_${++made}`, units: 1, outcome: "hit" });
  admission.release();
};

for (const dialect of DIALECTS) {
  onEngine(dialect).describe(`usage on ${dialect}`, () => {
    test("usage by day, route and key is the same before and after old charges become days", async () => {
      const { access, account, clock, database, close } = await testAccess(dialect);
      const { secret, accountId, key } = await makeKey(access, { plan: "growth" });
      const other = await access.keys.create({ accountId, name: "other" });
      const stranger = await makeKey(access);
      // Until the whole of January is old enough, which is when PostgreSQL's month of it may go.
      for (let day = 0; day < 52; day++) {
        await call(access, secret, "getTrader", 2_500);
        await call(access, day % 2 === 0 ? secret : other.secret, "getAlerts", 125);
        if (day % 10 === 0) await call(access, stranger.secret, "getAlerts", 125);
        await clock.advance(DAY_MS);
      }
      const range = { from: START - DAY_MS, to: clock.now() };
      const read = async () => ({
        day: await account.usage(accountId, range, "day"),
        route: await account.usage(accountId, range, "route"),
        key: await account.usage(accountId, range, "key"),
      });
      const before = await read();
      expect(before.day).toHaveLength(52);
      expect(before.day[0]).toEqual({ group: "2026-01-15", calls: 2, credits: 2_625, resolutions: 0 });
      expect(before.route).toEqual([
        { group: "getAlerts", calls: 52, credits: 6_500, resolutions: 0 },
        { group: "getTrader", calls: 52, credits: 130_000, resolutions: 0 },
      ]);
      expect(new Map(before.key.map((row) => [row.group, row.calls]))).toEqual(
        new Map([
          [key.id, 78],
          [other.key.id, 26],
        ]),
      );
      await rollUpAll(database);
      const tidied = await access.history.tidy();
      // The hours of 17 days: two routes each, and two of a stranger. PostgreSQL drops a month when all of it is old.
      expect(tidied.hours).toBe(2 * 17 + 2);
      expect(tidied.batches).toBeGreaterThan(0);
      expect(await read()).toEqual(before);
      expect(await access.history.tidy()).toMatchObject({ hours: 0, batches: 0 });
      expect(await access.imbalances()).toEqual([]);
      const week = { from: clock.now() - 7 * DAY_MS, to: clock.now() };
      expect(await account.usage(accountId, week, "day")).toHaveLength(7);
      expect(await account.charges(accountId, { ...week, to: week.to + 1 })).toHaveLength(14);
      await close();
    });

    test("a step of summing up takes one account's hour of many, and usage is the same between any two steps", async () => {
      const { access, account, clock, database, close } = await testAccess(dialect);
      const owners = await Promise.all([1, 2, 3].map(() => makeKey(access)));
      for (const { secret } of owners)
        for (const route of ["getTrader", "getAlerts"]) await call(access, secret, route, 125);
      await clock.advance(40 * DAY_MS);
      const range = { from: START - DAY_MS, to: clock.now() };
      const read = () => Promise.all(owners.map(({ accountId }) => account.usage(accountId, range, "route")));
      await rollUpAll(database);
      const before = await read();
      expect(before[0]).toHaveLength(2);
      for (const _ of owners) {
        expect(await database.write((tx) => sumUpHours(tx, clock.now(), 1))).toBe(2);
        expect(await read()).toEqual(before);
      }
      expect(await database.write((tx) => sumUpHours(tx, clock.now(), 1))).toBe(0);
      await close();
    });

    test("charges of a time are found, none twice and none left out, rolled up or not", async () => {
      const { access, account, clock, close } = await testAccess(dialect);
      const { secret, accountId } = await makeKey(access);
      for (let i = 0; i < 25; i++) {
        await call(access, secret, "getThing", 10);
        if (i % 3 === 0) await clock.advance(1);
      }
      const all = await account.charges(accountId, { from: START, to: clock.now() + 1 });
      expect(new Set(all.map((charge) => charge.requestId)).size).toBe(25);
      const some = await account.charges(accountId, { from: START + 2, to: START + 5 });
      expect(some).toEqual(all.filter(({ at }) => at >= START + 2 && at < START + 5));
      expect(some.length).toBeGreaterThan(0);
      await access.history.tidy();
      expect(await account.charges(accountId, { from: START, to: clock.now() + 1 })).toEqual(all);
      await close();
    });

    test("an owner's keys tell what they used this month and when", async () => {
      const { access, account, clock, close } = await testAccess(dialect);
      const { secret, key } = await makeKey(access);
      await call(access, secret, "getThing", 250);
      await clock.advance(32 * DAY_MS);
      const usedAt = clock.now();
      await call(access, secret, "getThing", 100);
      const caller = await access.identifyKey(secret);
      const keys = await account.keys(caller);
      expect(keys).toEqual([
        { key: expect.objectContaining({ id: key.id }), usedThisMonth: 100, lastUsedAt: usedAt },
      ]);
      expect(account.me(caller).credits).toMatchObject({
        monthly: 250_000,
        usedThisMonth: 100,
        remaining: 249_900,
      });
      await close();
    });

    test("tickets and kept answers that are over are deleted", async () => {
      const { access, clock, close } = await testAccess(dialect);
      const { key } = await makeKey(access);
      await access.tickets.create(key.id);
      const once = { subject: "a", routeId: "r", idempotencyKey: "k", credential: "", body: "" };
      await access.idempotency.run(once, async () => ({ status: 200, answer: "" }));
      expect(await access.history.tidy()).toEqual({ hours: 0, batches: 0, tickets: 0, answers: 0 });
      await clock.advance(DAY_MS);
      expect(await access.history.tidy()).toEqual({ hours: 0, batches: 0, tickets: 1, answers: 1 });
      await close();
    });
  });
}
