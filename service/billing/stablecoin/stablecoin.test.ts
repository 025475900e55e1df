import { afterEach, describe, expect, test } from "bun:test";
import { Fault } from "../../../contract/errors.ts";
import { PLANS } from "../../../contract/plans.ts";
import { Payment } from "../../../contract/shapes/account.ts";
import { DAY_MS, MINUTE_MS } from "../../../kit/units.ts";
import { freshPublicKey } from "./base58.ts";
import { TOKEN_2022 } from "./test-rpc.ts";
import { EXPIRES_MINUTES, makeSolanaWorld, type SolanaWorld } from "./test-support.ts";

const USD = 1_000_000n;
const FREE_CREDITS = PLANS.free.creditsPerMonth;

let worlds: SolanaWorld[] = [];
const solanaWorld = async (options: Parameters<typeof makeSolanaWorld>[0] = {}) => {
  const world = await makeSolanaWorld(options);
  worlds.push(world);
  return world;
};
afterEach(async () => {
  const done = worlds;
  worlds = [];
  for (const world of done) await world.close();
});

const status = async (world: SolanaWorld, paymentId: string) =>
  (await world.payments.get(paymentId, world.accountId)).status;
const verdicts = async (world: SolanaWorld, paymentId: string) =>
  (await world.payments.transfers(paymentId)).map((transfer) => transfer.verdict);
const prepaid = async (world: SolanaWorld) => (await world.account()).prepaidRemaining;

describe("a payment is asked for", () => {
  test("its answer is the contract's, and its link a Solana Pay request of its own", async () => {
    const world = await solanaWorld();
    const payment = await world.payments.create({ plan: "credits", amount: 50.5 }, world.accountId);
    const other = await world.payments.create({ plan: "growth" }, world.accountId);
    expect(Payment.parse(payment)).toEqual(payment);
    expect(payment).toMatchObject({
      status: "awaiting_payment",
      credits: 2_020_000,
      amountAtomic: "50500000",
    });
    expect(other).toMatchObject({ amount: 599, amountAtomic: "599000000", credits: 37_500_000, test: false });
    expect(other.reference).not.toBe(payment.reference);
    const link = new URL(payment.url);
    expect(link.protocol + link.pathname).toBe(`solana:${world.recipient}`);
    expect(Object.fromEntries(link.searchParams)).toEqual({
      amount: "50.5",
      "spl-token": world.mint,
      reference: payment.reference,
      label: "Crowdtape",
      message: "2,020,000 prepaid credits",
      memo: payment.memo,
    });
    expect(payment.url).not.toContain("+");
    // The id opens the payment's page, so it must not be readable on the chain.
    expect(payment.url).not.toContain(payment.paymentId);
  });

  test("amounts that can't be paid are refused in a sentence", async () => {
    const world = await solanaWorld();
    const refused = async (plan: "credits" | "starter", amount?: number) => {
      const order = amount === undefined ? { plan } : { plan, amount };
      const error = await world.payments.create(order, world.accountId).catch((error) => error);
      expect(error).toBeInstanceOf(Fault);
      expect(error.status).toBe(400);
      return error.message as string;
    };
    for (const amount of [4.99, 10_000.01, 0, -5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(await refused("credits", amount)).toBe("Credits can be bought for from 5 to 10,000 US dollars.");
    }
    expect(await refused("credits", 5.001)).toBe("An amount has at most two decimals.");
    expect(await refused("credits")).toContain("Say for how much");
    expect(await refused("starter", 50)).toContain("costs exactly 49.99");
    expect(await world.payments.create({ plan: "starter", amount: 49.99 }, world.accountId)).toMatchObject({
      amountAtomic: "49990000",
    });
  });

  test("another account's payment is as unknown as none, and an account has at most twenty open ones", async () => {
    const world = await solanaWorld();
    const { paymentId } = await world.payments.create({ plan: "starter" }, world.accountId);
    for (const attempt of [
      world.payments.get(paymentId, "acc_other"),
      world.payments.get("pay_none", world.accountId),
    ]) {
      expect(await attempt.catch((error) => error)).toMatchObject({ code: "not_found" });
    }
    for (let i = 1; i < 20; i++) await world.payments.create({ plan: "starter" }, world.accountId);
    const refused = await world.payments.create({ plan: "starter" }, world.accountId).catch((error) => error);
    expect(refused).toMatchObject({
      code: "rate_limited",
      details: { retryAfterSeconds: EXPIRES_MINUTES * 60 },
    });
    await world.clock.advance(EXPIRES_MINUTES * MINUTE_MS);
    expect(await status(world, paymentId)).toBe("expired");
    await world.payments.create({ plan: "starter" }, world.accountId);
  });
});

describe("a transfer that pays", () => {
  test("is credited once, no matter how many times it is seen, by any node, across a restart", async () => {
    const world = await solanaWorld();
    const payment = await world.payments.create({ plan: "credits", amount: 25 }, world.accountId);
    const { signature } = await world.pay(payment.reference, 25n * USD);
    await world.look();
    await world.restart();
    await world.payments.recheck(payment.paymentId);
    await world.look(5);
    expect(await world.payments.get(payment.paymentId, world.accountId)).toMatchObject({
      status: "credited",
      receivedAmount: 25,
      signature,
    });
    expect(await world.granted()).toEqual(["prepaid 1000000"]);
    expect(await prepaid(world)).toBe(1_000_000);
    expect(await verdicts(world, payment.paymentId)).toEqual(["credited"]);
  });

  test("buys one month of a plan that then ends, and paying early again lengthens it", async () => {
    const world = await solanaWorld();
    const pay = async () => {
      const payment = await world.payments.create({ plan: "growth" }, world.accountId);
      await world.pay(payment.reference, 599n * USD);
      await world.look();
    };
    await pay();
    const first = await world.account();
    expect(first).toMatchObject({
      plan: "growth",
      monthlyRemaining: PLANS.growth.creditsPerMonth,
      graceMs: 0,
    });
    await pay();
    const second = await world.account();
    expect(second.paidUntil ?? 0).toBeGreaterThan((first.paidUntil ?? 0) + 27 * DAY_MS);
    expect(await prepaid(world)).toBe(0);
  });

  test("works with Token-2022, and counts what arrived rather than what was sent", async () => {
    const world = await solanaWorld({ program: TOKEN_2022 });
    const payment = await world.payments.create({ plan: "credits", amount: 10 }, world.accountId);
    await world.pay(payment.reference, 10n * USD, { fee: 1n * USD });
    await world.look();
    expect(await status(world, payment.paymentId)).toBe("underpaid");
    expect(await world.granted()).toEqual(["prepaid 360000"]);
  });

  test("is found by the account that received it even when its reference is no longer looked for", async () => {
    const world = await solanaWorld();
    const old = await world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
    await world.clock.advance(40 * DAY_MS);
    await world.look(1);
    await world.payments.create({ plan: "credits", amount: 6 }, world.accountId);
    await world.pay(old.reference, 5n * USD);
    await world.look();
    expect(await status(world, old.paymentId)).toBe("late");
    expect(await world.granted()).toEqual(["prepaid 200000"]);
  });
});

describe("short, over and late", () => {
  test("a short payment says so and is completed by the rest, in whatever order the node tells of them", async () => {
    const world = await solanaWorld();
    world.node.twist = (method, result) =>
      method === "getSignaturesForAddress" ? [...(result as unknown[])].reverse() : result;
    const payment = await world.payments.create({ plan: "starter" }, world.accountId);
    await world.pay(payment.reference, 20n * USD);
    await world.look();
    expect(await status(world, payment.paymentId)).toBe("underpaid");
    expect((await world.account()).plan).toBe("free");
    // A wallet that opens the link again is asked for the rest, not for everything once more.
    expect((await world.payments.page(payment.paymentId)).url).toContain("?amount=29.99&");
    await world.pay(payment.reference, 15n * USD);
    await world.pay(payment.reference, 14_990_000n);
    await world.look(4);
    expect(await status(world, payment.paymentId)).toBe("credited");
    expect(await world.account()).toMatchObject({ plan: "starter", prepaidRemaining: 0 });
    expect(await verdicts(world, payment.paymentId)).toEqual(["credited", "credited", "credited"]);
  });

  test("what stays short of a plan becomes prepaid credits when time is up, and so does the rest if it comes late", async () => {
    const world = await solanaWorld();
    const payment = await world.payments.create({ plan: "growth" }, world.accountId);
    await world.pay(payment.reference, 500n * USD);
    await world.look();
    expect(await prepaid(world)).toBe(0);
    await world.clock.advance(EXPIRES_MINUTES * MINUTE_MS);
    await world.look(10);
    expect(await status(world, payment.paymentId)).toBe("underpaid");
    expect(await prepaid(world)).toBe(20_000_000);
    await world.pay(payment.reference, 99n * USD);
    await world.clock.advance(DAY_MS);
    await world.look(4);
    expect(await status(world, payment.paymentId)).toBe("late");
    expect(await prepaid(world)).toBe(599 * 40_000);
    expect((await world.account()).plan).toBe("free");
  });

  test("too much, at once or by paying twice, is never kept: the excess becomes prepaid credits", async () => {
    const world = await solanaWorld();
    const plan = await world.payments.create({ plan: "starter" }, world.accountId);
    await world.pay(plan.reference, 50n * USD);
    await world.look();
    expect(await status(world, plan.paymentId)).toBe("overpaid");
    expect(await world.account()).toMatchObject({ plan: "starter", prepaidRemaining: 400 });
    await world.pay(plan.reference, 49_990_000n);
    await world.look(4);
    expect(await prepaid(world)).toBe(400 + 1_999_600);
    const credits = await world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
    await world.pay(credits.reference, 7n * USD);
    await world.look();
    expect(await status(world, credits.paymentId)).toBe("overpaid");
    expect(await prepaid(world)).toBe(400 + 1_999_600 + 280_000);
  });

  test("a late payment in full still buys its plan", async () => {
    const world = await solanaWorld();
    const payment = await world.payments.create({ plan: "scale" }, world.accountId);
    await world.clock.advance(20 * DAY_MS);
    await world.look();
    expect(await status(world, payment.paymentId)).toBe("expired");
    await world.pay(payment.reference, 1_500n * USD);
    await world.look();
    expect(await status(world, payment.paymentId)).toBe("late");
    expect((await world.account()).plan).toBe("scale");
  });

  test("dust adds up: fractions of a credit are not lost between transfers", async () => {
    const world = await solanaWorld();
    const payment = await world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
    for (let i = 0; i < 5; i++) {
      await world.pay(payment.reference, 13n);
      await world.look(1);
    }
    // 65 millionths of a dollar are 2.6 credits; each transfer alone would be 0.52.
    expect(await prepaid(world)).toBe(2);
  });
});

describe("what does not pay", () => {
  const cases = [
    ["another coin", "wrong_coin", (world: SolanaWorld) => ({ mint: world.node.addMint() })],
    ["to somebody else", "wrong_recipient", () => ({ to: freshPublicKey() })],
    ["a transaction that failed", "failed", () => ({ fails: true })],
    ["nothing at all", "no_transfer", () => ({ amount: 0n })],
  ] as const;
  for (const [what, verdict, more] of cases) {
    test(`${what} is never credited, and is findable as ${verdict}`, async () => {
      const world = await solanaWorld();
      const payment = await world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
      const { signature } = await world.pay(payment.reference, 5n * USD, more(world));
      await world.look(4);
      expect(await status(world, payment.paymentId)).toBe("awaiting_payment");
      expect([...(await world.payments.transfersWith(verdict))]).toMatchObject([
        { signature, paymentId: payment.paymentId },
      ]);
      expect(await world.granted()).toEqual([]);
    });
  }

  test("a transfer without the reference is kept as unmatched until the operator says whose it is", async () => {
    const world = await solanaWorld();
    const payment = await world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
    const other = await world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
    const { signature } = await world.node.transfer({
      mint: world.mint,
      to: world.recipient,
      amount: 5n * USD,
      references: [],
      atMs: world.clock.now(),
    });
    await world.look(4);
    expect(await world.granted()).toEqual([]);
    expect([...(await world.payments.transfersWith("unmatched"))]).toMatchObject([
      { signature, amountAtomic: "5000000" },
    ]);
    expect(await world.payments.assign(signature, payment.paymentId)).toMatchObject({ status: "credited" });
    const again = [payment.paymentId, other.paymentId].map((id) => world.payments.assign(signature, id));
    for (const refused of await Promise.allSettled(again)) {
      expect(refused).toMatchObject({ status: "rejected", reason: { code: "conflict" } });
    }
    await world.look(2);
    expect(await world.granted()).toEqual(["prepaid 200000"]);
    expect([...(await world.payments.transfersWith("unmatched"))]).toEqual([]);
  });

  test("a signature that the node wrongly lists for a payment is refused for lack of the reference", async () => {
    const world = await solanaWorld();
    const payment = await world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
    const theirs = await world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
    const sent = await world.pay(theirs.reference, 5n * USD);
    sent.accounts.push(payment.reference);
    await world.look(3);
    expect(await verdicts(world, payment.paymentId)).toEqual(["no_reference"]);
    expect(await world.granted()).toEqual(["prepaid 200000"]);
  });

  test("one transaction that names two payments pays one of them", async () => {
    const world = await solanaWorld();
    const one = await world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
    const two = await world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
    await world.pay(one.reference, 10n * USD, { references: [one.reference, two.reference] });
    await world.look(3);
    const both = [...(await verdicts(world, one.paymentId)), ...(await verdicts(world, two.paymentId))];
    expect(both.sort()).toEqual(["claimed", "credited"]);
    expect(await world.granted()).toEqual(["prepaid 400000"]);
  });
});

describe("finality", () => {
  test("a confirmed transfer is shown but not credited until it is final", async () => {
    const world = await solanaWorld();
    const payment = await world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
    const sent = await world.pay(payment.reference, 5n * USD, { status: "confirmed" });
    await world.look();
    expect(await status(world, payment.paymentId)).toBe("confirming");
    expect(await world.granted()).toEqual([]);
    sent.status = "finalized";
    await world.look();
    expect(await status(world, payment.paymentId)).toBe("credited");
  });

  test("a transfer that was forked away is written down as such, and credited should it come back", async () => {
    const world = await solanaWorld();
    const payment = await world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
    const sent = await world.pay(payment.reference, 5n * USD, { status: "confirmed" });
    await world.look();
    sent.status = "gone";
    await world.clock.advance(6 * MINUTE_MS);
    await world.look();
    expect(await status(world, payment.paymentId)).toBe("awaiting_payment");
    expect(await verdicts(world, payment.paymentId)).toEqual(["forked"]);
    expect(await world.granted()).toEqual([]);
    sent.status = "finalized";
    await world.look();
    expect(await status(world, payment.paymentId)).toBe("credited");
    expect(await verdicts(world, payment.paymentId)).toEqual(["credited"]);
    expect(await prepaid(world)).toBe(200_000);
    expect((await world.account()).monthlyRemaining).toBe(FREE_CREDITS);
  });
});
