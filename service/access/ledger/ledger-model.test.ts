// The ledger against an exact model of it, through random charges, payments, waits, rollups and restarts; and against kill -9.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { PLANS, type PlanName } from "../../../contract/plans.ts";
import { systemClock } from "../../../kit/clock.ts";
import { DAY_MS } from "../../../kit/units.ts";
import { findAccount, remainingOf } from "../../store/money/accounts.ts";
import { findCharges } from "../../store/money/journal.ts";
import { imbalances } from "../../store/money/ledger.ts";
import { rollUp } from "../../store/money/rollup.ts";
import { makeKey, START, silent, type TestStore, testAccess, testStore } from "../test-support.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { addMonths } from "./months.ts";
import { createViews } from "./views.ts";

/** An account as plainly as it can be said: whole months counted one by one from an anchor. */
class Model {
  plan: PlanName = "free";
  anchor = START;
  month = 0;
  paidMonths = Number.POSITIVE_INFINITY;
  monthly = PLANS.free.creditsPerMonth;
  prepaid = 0;
  resolutions = PLANS.free.resolutionsPerMonth;

  begin(plan: PlanName, at: number, paidMonths: number) {
    Object.assign(this, { plan, anchor: at, month: 0, paidMonths });
    this.fill();
  }
  fill() {
    this.monthly = PLANS[this.plan].creditsPerMonth;
    this.resolutions = PLANS[this.plan].resolutionsPerMonth;
  }
  passTo(at: number) {
    while (at >= addMonths(this.anchor, this.month + 1)) {
      this.month++;
      if (this.month < this.paidMonths) this.fill();
      else this.begin("free", addMonths(this.anchor, this.month), Number.POSITIVE_INFINITY);
    }
  }
  pay(plan: PlanName, at: number) {
    this.passTo(at);
    if (plan === this.plan) this.paidMonths++;
    else {
      if (this.plan !== "free") {
        this.prepaid += this.monthly + (this.paidMonths - this.month - 1) * PLANS[this.plan].creditsPerMonth;
      }
      this.begin(plan, at, 1);
    }
  }
  charge(credits: number, resolutions: number, at: number): string {
    this.passTo(at);
    if (this.monthly + this.prepaid < credits) return "credits_exhausted";
    if (this.resolutions < resolutions) return "resolutions_exhausted";
    const fromMonthly = Math.min(this.monthly, credits);
    this.monthly -= fromMonthly;
    this.prepaid -= credits - fromMonthly;
    this.resolutions -= resolutions;
    return "paid";
  }
}

const cost = fc.record({
  credits: fc.constantFrom(10, 250, 60_000, 240_000, 2_000_000),
  resolutions: fc.constantFrom(0, 0, 1, 40),
});
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant("charge" as const),
      costs: fc.array(cost, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("prepay" as const),
      credits: fc.integer({ min: 1, max: 300_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("plan" as const),
      plan: fc.constantFrom("starter" as const, "growth" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 50 * DAY_MS }) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("restart" as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("rollUp" as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("elsewhere" as const) }) },
);

test("random charges, payments, waits, rollups, restarts and a second process end where an exact model of the rules ends", async () => {
  const store = await testStore("sqlite");
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 30 }), (commands) => follow(store, commands)),
    { numRuns: 60 },
  );
  await store.remove();
});

type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

async function follow(store: TestStore, commands: readonly Command[]): Promise<void> {
  const { access, clock, database, close } = await testAccess("sqlite", { store });
  const { accountId } = await makeKey(access);
  const model = new Model();
  const start = (): Ledger => createLedger({ database, clock, log: silent, views: createViews() });
  let ledger = start();
  const other = start();
  let made = 0;
  for (const step of commands) {
    const at = clock.now();
    if (step.act === "wait") await clock.jump(step.ms);
    else if (step.act === "restart") {
      await ledger.close();
      ledger = start();
    } else if (step.act === "prepay") {
      await access.grants.addPrepaid({
        accountId,
        credits: step.credits,
        reference: `${accountId}:${++made}`,
      });
      model.passTo(at);
      model.prepaid += step.credits;
    } else if (step.act === "plan") {
      await access.grants.payForPlan({ accountId, plan: step.plan, reference: `${accountId}:${++made}` });
      model.pay(step.plan, at);
    } else if (step.act === "rollUp") {
      await database.write((tx) => rollUp(tx));
    } else {
      // What one process holds in memory must hold next to another that charges, too.
      const charging = step.act === "elsewhere" ? other : ledger;
      const costs = step.act === "elsewhere" ? [{ credits: 250, resolutions: 0 }] : step.costs;
      const orders = costs.map((each) => ({
        ...each,
        requestId: `${accountId}:${++made}`,
        accountId,
        keyId: "key",
        routeId: "route",
        at,
        capOf: null,
      }));
      const results = await Promise.all(orders.map((order) => charging.charge(order)));
      for (const [index, order] of orders.entries()) {
        const expected = model.charge(order.credits, order.resolutions, at);
        expect(results[index]?.refused ?? "paid").toBe(expected);
      }
    }
    const account = await access.grants.account(accountId);
    model.passTo(clock.now());
    expect(account).toMatchObject({
      plan: model.plan,
      monthlyRemaining: model.monthly,
      prepaidRemaining: model.prepaid,
      resolutionsRemaining: model.resolutions,
    });
  }
  expect(await imbalances(database.read)).toEqual([]);
  await ledger.close();
  await other.close();
  expect(await imbalances(database.read)).toEqual([]);
  await close();
}

test("kill -9 in the middle of charging: each acknowledged charge is there once and the books are right", async () => {
  const store = await testStore("sqlite");
  const { access, database } = await testAccess("sqlite", { store });
  const { accountId } = await makeKey(access, { plan: "scale" });
  const acknowledged: string[] = [];
  const modules = import.meta.dir;
  const file = "file" in store.location ? store.location.file : "";
  for (let round = 1; round <= 3; round++) {
    const child = Bun.spawn(
      [
        process.execPath,
        "-e",
        `import { openDatabase } from "${modules}/../../../database/open.ts";
         import { createLedger } from "${modules}/ledger.ts";
         import { createViews } from "${modules}/views.ts";
         import { systemClock } from "${modules}/../../../kit/clock.ts";
         import { createLog } from "${modules}/../../../kit/log.ts";
         import { writeSync } from "node:fs";
         const clock = systemClock();
         const database = await openDatabase({ file: "${file}" });
         const ledger = createLedger({ database, clock, log: createLog("silent", clock.now), views: createViews() });
         const client = async (name) => {
           for (let i = 0; ; i++) {
             const requestId = "r${round}-" + name + "-" + i;
             await ledger.charge({ requestId, accountId: "${accountId}", keyId: "k", routeId: "r",
               credits: 1 + (i % 7), resolutions: 0, at: ${START}, capOf: null });
             writeSync(1, requestId + "\\n");
           }
         };
         for (let name = 0; name < 20; name++) void client(name);`,
      ],
      { stdout: "pipe", stderr: "inherit" },
    );
    const before = acknowledged.length;
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      acknowledged.push(...lines);
      if (acknowledged.length - before > 200 * round) child.kill("SIGKILL");
    }
    await child.exited;
  }
  expect(acknowledged.length).toBeGreaterThan(600);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  const stored = await findCharges(
    database.read,
    acknowledged.map((requestId) => ({ accountId, at: START, requestId })),
  );
  expect(stored).toHaveLength(acknowledged.length);
  expect(await imbalances(database.read)).toEqual([]);
  expect(await findAccount(database.read, accountId)).not.toBeNull();
  // The next process begins where the journal ends.
  const ledger = createLedger({ database, clock: systemClock(), log: silent, views: createViews() });
  const order = { accountId, keyId: "k", routeId: "r", credits: 5, resolutions: 0, at: START, capOf: null };
  const [before, next] = [await findAccount(database.read, accountId), { ...order, requestId: "next" }];
  const { remaining } = await ledger.charge(next);
  expect(remaining).toBe(before ? remainingOf(before) - 5 : Number.NaN);
  await ledger.close();
  expect(await imbalances(database.read)).toEqual([]);
  await store.remove();
});
