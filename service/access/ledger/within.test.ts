// Charges inside another transaction: made exactly when it commits, never bypassing the ledger's own view of the balance.
import { describe, expect } from "bun:test";
import { onEngine } from "../../../test/support/needing.ts";
import { DIALECTS, makeKey, testAccess } from "../test-support.ts";

describe.each([...DIALECTS])("on %s", (dialect) => {
  const { test } = onEngine(dialect);
  const begin = async () => {
    const opened = await testAccess(dialect);
    const key = await makeKey(opened.access, { plan: "scale", prepaid: 10_000 });
    const { access, clock, database } = opened;
    const left = async () => (await access.grants.account(key.accountId))?.prepaidRemaining;
    const order = (requestId: string, credits: number, accountId = key.accountId) => ({
      requestId,
      accountId,
      keyId: key.key.id,
      routeId: "deliverWebhook",
      credits,
      resolutions: 0,
      at: clock.now(),
      capOf: null,
    });
    const caller = await access.identifyKey(key.secret);
    const call = async (n: number) => {
      const price = { credits: 100, unit: "call", miss: 0, resolution: false } as const;
      const admission = await access.admit(caller, { id: "listAlerts", access: "key", price }, 1);
      await admission.finish({ requestId: `req_${n}`, units: 1, outcome: "hit" });
      admission.release();
    };
    return { ...opened, key, database, left, order, call, caller };
  };

  test("it is made when the transaction commits, and leaves no trace when it does not", async () => {
    const { access, database, clock, order, key, close, caller } = await begin();
    const { within } = access;
    await within.prepare(clock.now());
    const rolledBack = database.write(async (tx) => {
      await within.charge(tx, [order("a", 500)]);
      throw new Error("after all not");
    });
    await expect(rolledBack).rejects.toThrow("after all not");
    const total = access.remainingOf(caller) ?? 0;
    expect(await access.grants.account(key.accountId)).toMatchObject({ prepaidRemaining: 10_000 });
    within.keep(await database.write((tx) => within.charge(tx, [order("a", 500)])));
    expect(access.remainingOf(caller)).toBe(total - 500);
    expect(await access.imbalances()).toEqual([]);
    await close();
  });

  test("what can't be paid is refused, and what fits after it is not", async () => {
    const { access, database, clock, order, close } = await begin();
    await access.within.prepare(clock.now());
    const charged = await database.write((tx) =>
      access.within.charge(tx, [order("a", 1e9), order("b", 125)]),
    );
    access.within.keep(charged);
    expect(charged.results.map(({ refused }) => refused)).toEqual(["credits_exhausted", null]);
    expect(await access.imbalances()).toEqual([]);
    await close();
  });

  test("mixed with calls at the same time, balances and books stay exact", async () => {
    const { access, database, clock, order, call, caller, close } = await begin();
    const before = access.remainingOf(caller) ?? 0;
    await access.within.prepare(clock.now());
    const work: Promise<unknown>[] = [];
    for (let n = 0; n < 60; n++) {
      work.push(call(n));
      if (n % 3 === 0)
        work.push(
          database.write((tx) => access.within.charge(tx, [order(`w${n}`, 10)])).then(access.within.keep),
        );
      if (n % 7 === 0) await work.at(-1);
    }
    await Promise.all(work);
    await call(1_000);
    expect(access.remainingOf(caller)).toBe(before - 61 * 100 - 20 * 10);
    expect(await access.imbalances()).toEqual([]);
    await close();
  });
});
