import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openDatabase } from "../../../database/open.ts";
import { createMetrics } from "../../../kit/metrics.ts";
import { seededRandom } from "../../../kit/random.ts";
import { MINUTE_MS } from "../../../kit/units.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { needing } from "../../../test/support/needing.ts";
import { sharedPostgres } from "../../../test/support/postgres.ts";
import { migrateStore } from "../../store/migrations.ts";
import { createStablecoinPayments } from "./payments.ts";
import { payTest } from "./test-chain.ts";
import {
  EXPIRES_MINUTES,
  makeSolanaWorld,
  makeWorld,
  type PaymentWorld,
  PUBLIC_URL,
  realGrants,
} from "./test-support.ts";

const USD = 1_000_000n;

let worlds: PaymentWorld[] = [];
const kept = <W extends PaymentWorld>(world: W): W => {
  worlds.push(world);
  return world;
};
afterEach(async () => {
  const done = worlds;
  worlds = [];
  for (const world of done) await world.close();
});

describe("without payment settings", () => {
  test("the same journey runs on the test chain and says so, from request over confirming to credit", async () => {
    const world = kept(await makeWorld());
    const payment = await world.payments.create({ plan: "growth" }, world.accountId);
    expect(payment).toMatchObject({ test: true, network: "test", status: "awaiting_payment" });
    expect(decodeURIComponent(payment.url)).toContain("message=TEST: One month of Growth");
    const { signature } = await payTest(world, payment.paymentId);
    await world.payments.watcher.pass();
    expect((await world.payments.get(payment.paymentId, world.accountId)).status).toBe("confirming");
    await world.look();
    expect(await world.payments.get(payment.paymentId, world.accountId)).toMatchObject({
      status: "credited",
      signature,
    });
    expect((await world.account()).plan).toBe("growth");
  });

  test("another process pays by opening the same database; short, twice and unknown are distinguished", async () => {
    const world = kept(await makeWorld());
    const payment = await world.payments.create({ plan: "credits", amount: 10 }, world.accountId);
    await payTest(world, payment.paymentId, { amount: 4 });
    await world.look();
    expect((await world.payments.page(payment.paymentId)).status).toBe("underpaid");
    await payTest(world, payment.paymentId, { amount: 7.5 });
    await world.look();
    expect(await world.payments.page(payment.paymentId)).toMatchObject({
      status: "overpaid",
      receivedAmount: 11.5,
    });
    expect((await world.account()).prepaidRemaining).toBe(460_000);
    const refusals = [payTest(world, "pay_none"), payTest(world, payment.paymentId, { amount: 0 })];
    const results = await Promise.allSettled(refusals);
    expect(results).toMatchObject([
      { reason: { code: "not_found" } },
      { reason: { code: "invalid_parameter" } },
    ]);
  });

  test("a real payment can't be paid with test coins", async () => {
    const world = kept(await makeSolanaWorld());
    const payment = await world.payments.create({ plan: "credits", amount: 10 }, world.accountId);
    expect(await payTest(world, payment.paymentId).catch((error) => error)).toMatchObject({
      code: "conflict",
    });
  });
});

describe("many nodes", () => {
  needing("postgres").test(
    "two that look at the same PostgreSQL at the same moment credit each transfer once",
    async () => {
      const url = await (await sharedPostgres()).createDatabase();
      const world = kept(await makeSolanaWorld({ location: { url } }));
      const database = await openDatabase({ url });
      await migrateStore(database, world.clock.now());
      const { mint, recipient, node } = world;
      const second = createStablecoinPayments({
        database,
        grants: realGrants(database, world.clock),
        clock: world.clock,
        random: seededRandom(2),
        metrics: createMetrics(),
        log: { debug() {}, info() {}, warn() {}, error() {}, with: () => second as never },
        settings: {
          solana: { rpcUrl: node.url, recipient, mint, symbol: "USDC", decimals: 6 },
          testChain: true,
          expiresMinutes: EXPIRES_MINUTES,
          publicUrl: () => PUBLIC_URL,
        },
      });
      const ids: string[] = [];
      for (let i = 0; i < 8; i++) {
        const payment = await world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
        ids.push(payment.paymentId);
        await world.pay(payment.reference, 5n * USD);
        await world.pay(payment.reference, 1n * USD);
      }
      for (let i = 0; i < 3; i++) {
        await Promise.all([world.payments.watcher.pass(), second.watcher.pass()]);
        for (const id of ids) await world.payments.recheck(id);
      }
      expect((await world.account()).prepaidRemaining).toBe(8 * 6 * 40_000);
      for (const id of ids) expect((await world.payments.page(id)).status).toBe("overpaid");
      await database.close();
    },
  );
});

describe("any history", () => {
  const action = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("pay" as const), cents: fc.integer({ min: 1, max: 9_000 }) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("payBadly" as const), how: fc.nat({ max: 2 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("finalize" as const), share: fc.nat({ max: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("fork" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("outage" as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("wait" as const), minutes: fc.integer({ min: 0, max: 40 }) }),
    },
  );

  test("ends with every final transfer credited exactly once and nothing else, and the ledger adding up", async () => {
    const history = fc.array(action, { minLength: 3, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("credits", "starter"), history, async (plan, actions) => {
        const world = await makeSolanaWorld();
        try {
          const order = plan === "credits" ? { plan, amount: 50 } : { plan };
          const payment = await world.payments.create(order as never, world.accountId);
          const good: Awaited<ReturnType<typeof world.pay>>[] = [];
          const sums: bigint[] = [];
          let down = false;
          for (const step of actions) {
            if (step.do === "pay") {
              sums.push(BigInt(step.cents) * 10_000n);
              good.push(await world.pay(payment.reference, sums.at(-1) ?? 0n, { status: "confirmed" }));
            } else if (step.do === "payBadly") {
              const bad = [{ fails: true }, { mint: world.node.addMint() }, { to: world.node.payer.address }][
                step.how
              ];
              if (step.how < 2) await world.pay(payment.reference, 5n * USD, bad);
            } else if (step.do === "finalize") {
              for (const sent of good.slice(step.share))
                if (sent.status === "confirmed") sent.status = "finalized";
            } else if (step.do === "fork") {
              const open = good.find((sent) => sent.status === "confirmed");
              if (open) open.status = "gone";
            } else if (step.do === "restart") {
              await world.restart();
            } else if (step.do === "outage") {
              down = !down;
              world.node.instead = () => (down ? new Response("down", { status: 502 }) : null);
            } else {
              await world.clock.advance(step.minutes * MINUTE_MS);
            }
            await world.payments.watcher.pass();
          }
          world.node.instead = () => null;
          for (const sent of good) if (sent.status === "confirmed") sent.status = "finalized";
          await world.clock.advance(2 * EXPIRES_MINUTES * MINUTE_MS);
          await world.look(20);
          const paid = good.reduce(
            (sum, sent, i) => (sent.status === "finalized" ? sum + (sums[i] ?? 0n) : sum),
            0n,
          );
          const transfers = await world.payments.transfers(payment.paymentId);
          const credited = transfers.filter((transfer) => transfer.verdict === "credited");
          expect(credited.map((transfer) => transfer.signature).sort()).toEqual(
            good
              .filter((sent) => sent.status === "finalized")
              .map((sent) => sent.signature)
              .sort(),
          );
          const { plan: now, prepaidRemaining } = await world.account();
          const spent = now === "starter" ? 49_990_000n : 0n;
          expect(BigInt(prepaidRemaining)).toBe(((paid - spent) * 40_000n) / USD);
          const { receivedAmount } = await world.payments.page(payment.paymentId);
          expect(receivedAmount).toBe(paid > 0n ? Number(paid) / 1e6 : null);
        } finally {
          await world.close();
        }
      }),
      { numRuns: 12 },
    );
  }, 900_000);
});

describe("the watcher's loop", () => {
  test("finds a payment by itself and stops when asked to", async () => {
    const world = kept(await makeWorld());
    const payment = await world.payments.create({ plan: "credits", amount: 10 }, world.accountId);
    await payTest(world, payment.paymentId);
    world.payments.watcher.start();
    await eventually(async () => {
      await world.clock.advance(1_000);
      return (await world.payments.page(payment.paymentId)).status === "credited";
    }, "the payment is credited");
    await world.payments.watcher.stop();
  });
});
