// Card payments through the real Stripe SDK and a stand-in of Stripe's API.
import { afterEach, describe, expect, test } from "bun:test";
import { onEngine } from "../../../test/support/needing.ts";
import { DIALECTS } from "../../access/test-support.ts";
import { findEvent } from "../../store/money/card-invoices.ts";
import { entriesOfAccount } from "../../store/money/ledger.ts";
import { type CardWorld, cardWorld } from "./test-support.ts";

const worlds: CardWorld[] = [];
const open = async (...options: Parameters<typeof cardWorld>) => {
  const world = await cardWorld(...options);
  worlds.push(world);
  return world;
};
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const success = (sessionId: string) => `/checkout/success?session_id=${sessionId}`;
const paidMonths = async (world: CardWorld, sessionId: string) => {
  const account = await world.account(sessionId);
  const entries = await entriesOfAccount(world.database.read, account.id, 100);
  return entries.filter(({ reference }) => /^card:(first|invoice):[^:]+$/.test(reference ?? "")).length;
};
/** A paid Starter checkout whose notice has come. */
const buy = async (world: CardWorld, plan = "starter") => {
  const sessionId = await world.begin(plan);
  const session = world.stripe.pay(sessionId);
  await world.tell("checkout.session.completed", session);
  return { sessionId, session };
};
for (const dialect of DIALECTS) {
  onEngine(dialect).describe(`a card payment on ${dialect}`, () => {
    test("gives one account, one month and one key when its notice comes first", async () => {
      const world = await open({ dialect });
      const { sessionId } = await buy(world);
      expect(await world.account(sessionId)).toMatchObject({ plan: "starter", email: "buyer@example.com" });
      const key = world.keyOf(await world.get(success(sessionId)));
      const caller = await world.access.identifyKey(String(key));
      expect(caller.plan).toBe("starter");
      expect(await world.accounts()).toBe(1);
    });

    test("gives the same when the buyer is back before the notice, and the notice then changes nothing", async () => {
      const world = await open({ dialect });
      const sessionId = await world.begin();
      const session = world.stripe.pay(sessionId);
      const shown = world.keyOf(await world.get(success(sessionId)));
      expect(shown).toStartWith("ct_");
      const before = await world.account(sessionId);
      await world.tell("checkout.session.completed", session);
      await world.tell("invoice.paid", world.stripe.invoice(session, { id: session.invoice }));
      expect(await world.account(sessionId)).toEqual(before);
      expect(await paidMonths(world, sessionId)).toBe(1);
      expect(await world.accounts()).toBe(1);
    });

    test("reported ten times at once and looked at ten times at once is one month, one account and one key", async () => {
      const world = await open({ dialect });
      const sessionId = await world.begin();
      const session = world.stripe.pay(sessionId);
      const tenfold = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 10 }, work));
      const [, , visits] = await Promise.all([
        tenfold(() => world.tell("checkout.session.completed", session, { id: "evt_same" })),
        tenfold(() => world.tell("invoice.paid", world.stripe.invoice(session, { id: session.invoice }))),
        tenfold(() => world.get(success(sessionId))),
      ]);
      const again = await world.get(success(sessionId));
      const shown = [...visits, again].map(world.keyOf).filter((key) => key !== null);
      expect(shown).toHaveLength(1);
      expect(await world.accounts()).toBe(1);
      expect(await paidMonths(world, sessionId)).toBe(1);
      const { accountId } = await world.stored(sessionId);
      expect(await world.access.keys.list(String(accountId))).toHaveLength(1);
    });
  });
}

describe("the key", () => {
  test("is shown once; later visits say when, and how to replace it", async () => {
    const world = await open();
    const { sessionId } = await buy(world);
    const first = await world.get(success(sessionId));
    expect(world.keyOf(first)).not.toBeNull();
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(first.headers.get("referrer-policy")).toBe("no-referrer");
    const second = await world.get(success(sessionId));
    expect(world.keyOf(second)).toBeNull();
    expect(second.text).toContain("already shown");
    expect(second.text).toContain("/recover");
  });

  test("is not used up by a HEAD request or by a browser that loads the page ahead", async () => {
    const world = await open();
    const { sessionId } = await buy(world);
    await world.get(success(sessionId), {}, "HEAD");
    await world.get(success(sessionId), { "sec-purpose": "prefetch" });
    expect(world.keyOf(await world.get(success(sessionId)))).not.toBeNull();
  });

  test("never reaches the log or the database", async () => {
    const world = await open();
    const { sessionId } = await buy(world);
    const key = String(world.keyOf(await world.get(success(sessionId))));
    expect(world.lines.join("\n")).not.toContain(key);
    const stored = JSON.stringify([
      await world.stored(sessionId),
      await world.database.read.all({ text: "SELECT * FROM api_key", values: [] }),
    ]);
    expect(stored).not.toContain(key);
  });

  test("waits for an unpaid session, and says so when the payment fails", async () => {
    const world = await open();
    const sessionId = await world.begin();
    expect((await world.get(success(sessionId))).text).toContain("Not paid yet");
    const session = world.stripe.pay(sessionId, { payment_status: "unpaid" });
    await world.tell("checkout.session.completed", session);
    expect((await world.get(success(sessionId))).text).toContain("still processing it");
    await world.tell("checkout.session.async_payment_failed", session);
    expect((await world.get(success(sessionId))).text).toContain("payment failed");
    expect(await world.accounts()).toBe(0);
  });

  test("comes with a delayed payment that succeeds in the end", async () => {
    const world = await open();
    const sessionId = await world.begin();
    const session = world.stripe.pay(sessionId, { payment_status: "unpaid" });
    await world.tell("checkout.session.completed", session);
    await world.tell("checkout.session.async_payment_succeeded", { ...session, payment_status: "paid" });
    expect(world.keyOf(await world.get(success(sessionId)))).not.toBeNull();
  });

  test("is not for a session that is made up", async () => {
    const world = await open();
    expect((await world.get(success("cs_invented"))).status).toBe(404);
  });
});

describe("a notice", () => {
  const refusal = { code: "invalid_body", status: 400 };
  const prepared = async () => {
    const world = await open();
    const sessionId = await world.begin();
    return { world, session: world.stripe.pay(sessionId), now: world.clock.now() };
  };
  const send = (world: CardWorld, body: string, signature: string | null) =>
    world.checkout.cards.notice(Buffer.from(body), signature);

  test("with another secret's signature, none, or a changed body is refused and changes nothing", async () => {
    const { world, session, now } = await prepared();
    const type = "checkout.session.completed";
    const forged = await world.stripe.signed(type, session, now, { secret: "whsec_of_someone_else" });
    const good = await world.stripe.signed(type, session, now);
    for (const [body, signature] of [
      [forged.body, forged.signature],
      [good.body, null],
      [good.body, "t=1,v1=00"],
      [good.body.replace("paid", "PAID"), good.signature],
      [good.body.slice(0, -40), good.signature],
      ["", good.signature],
    ] as const) {
      await expect(send(world, body, signature)).rejects.toMatchObject(refusal);
    }
    expect(await world.accounts()).toBe(0);
    await send(world, good.body, good.signature);
    expect(await world.accounts()).toBe(1);
  });

  test("is taken at 300 seconds of age and refused at 301", async () => {
    const { world, session, now } = await prepared();
    const at = (ageSeconds: number) =>
      world.stripe.signed("checkout.session.completed", session, now, { signedAt: now - ageSeconds * 1_000 });
    const stale = await at(301);
    await expect(send(world, stale.body, stale.signature)).rejects.toMatchObject(refusal);
    const fresh = await at(300);
    await send(world, fresh.body, fresh.signature);
    expect(await world.accounts()).toBe(1);
  });

  test("of an unknown type, or of somebody else's objects, is taken and ignored", async () => {
    const world = await open();
    await world.tell("customer.created", { id: "cus_1" }, { id: "evt_other" });
    await world.tell("toString", {}, { id: "evt_odd" });
    await world.tell("invoice.paid", { id: "in_x", amount_paid: 5, lines: { data: [] } });
    await world.tell("charge.refunded", { amount_refunded: 5, refunded: true, payment_intent: "pi_x" });
    expect((await findEvent(world.database.read, "evt_other"))?.outcome).toBe("not one of ours");
    expect(await world.accounts()).toBe(0);
  });

  test("that could not be applied is applied when it comes again", async () => {
    const { world, session } = await prepared();
    const { payForPlan } = world.access.grants;
    world.access.grants.payForPlan = () => Promise.reject(new Error("the store went away"));
    await expect(world.tell("checkout.session.completed", session, { id: "evt_1" })).rejects.toThrow(
      "went away",
    );
    world.access.grants.payForPlan = payForPlan;
    await world.tell("checkout.session.completed", session, { id: "evt_1" });
    expect(await paidMonths(world, session.id)).toBe(1);
    expect((await findEvent(world.database.read, "evt_1"))?.outcome).toBe("applied before");
  });

  test("that was recorded before a crash reaches the ledger by the sweep", async () => {
    const { world, session } = await prepared();
    const { payForPlan } = world.access.grants;
    world.access.grants.payForPlan = () => Promise.reject(new Error("crash"));
    await world.tell("checkout.session.completed", session).catch(() => {});
    world.access.grants.payForPlan = payForPlan;
    expect((await world.account(session.id)).plan).toBe("free");
    await world.clock.advance(31_000);
    await world.checkout.cards.sweep();
    expect((await world.account(session.id)).plan).toBe("starter");
  });
});

describe("a checkout", () => {
  test("asks Stripe for the plan's own price, made once, and carries its name into the subscription", async () => {
    const world = await open();
    const sessionId = await world.begin("growth", { email: "me@example.com" });
    await world.begin("growth");
    const session = world.stripe.sessions.get(sessionId);
    expect(session).toMatchObject({ mode: "subscription", customer_email: "me@example.com" });
    expect(session?.checkout).toBe(session?.client_reference_id);
    expect(String(session?.success_url)).toBe(
      "https://tape.example/checkout/success?session_id={CHECKOUT_SESSION_ID}",
    );
    expect([...world.stripe.prices.values()]).toMatchObject([
      { unit_amount: 59_900, tax_behavior: "inclusive", lookup_key: "crowdtape_growth_59900" },
    ]);
  });

  test("for an account that has a key puts the plan on it and makes no other key", async () => {
    const world = await open();
    const account = await world.access.grants.openAccount("owner@example.com");
    const { secret } = await world.access.keys.create({ accountId: account.id, name: "own" });
    const sessionId = await world.begin("growth", { key: secret });
    await world.tell("checkout.session.completed", world.stripe.pay(sessionId));
    const arrived = await world.get(success(sessionId));
    expect(world.keyOf(arrived)).toBeNull();
    expect(arrived.text).toContain("Growth is yours");
    expect((await world.access.grants.account(account.id))?.plan).toBe("growth");
    expect(await world.accounts()).toBe(1);
    const again = await world.post("/checkout", { plan: "scale", key: secret });
    expect(again.status).toBe(409);
    expect(again.text).not.toContain(secret);
  });

  test("is refused with a wrong key, a wrong plan, from another site, or while Stripe is away", async () => {
    const world = await open();
    expect((await world.post("/checkout", { plan: "starter", key: "ct_live_wrong" })).status).toBe(401);
    expect((await world.post("/checkout", { plan: "free" })).status).toBe(400);
    const foreign = { "sec-fetch-site": "cross-site" };
    expect((await world.post("/checkout", { plan: "starter" }, foreign)).status).toBe(403);
    for (const origin of ["https://evil.example", "null"]) {
      expect((await world.post("/checkout", { plan: "starter" }, { origin })).status).toBe(403);
    }
    world.stripe.down = true;
    const away = await world.post("/checkout", { plan: "starter" });
    expect(away.status).toBe(503);
    expect(away.text).not.toContain("stand-in");
  }, 900_000);

  test("is limited for each address", async () => {
    const world = await open({ stripe: false });
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) statuses.push((await world.post("/checkout", { plan: "starter" })).status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(30);
    const refused = await world.post("/checkout", { plan: "starter" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    expect((await world.post("/checkout", { plan: "starter" }, { "x-from": "198.51.100.7" })).status).toBe(
      303,
    );
  });
});

describe("the built-in test checkout", () => {
  const begin = async (world: CardWorld) => {
    const answer = await world.post("/checkout", { plan: "growth" });
    return String(answer.headers.get("location"));
  };

  test("says what it is, can be declined, and leads to a key on the plan", async () => {
    const world = await open({ stripe: false });
    const path = await begin(world);
    expect((await world.get(path)).text).toContain("TEST CHECKOUT");
    const declined = await world.post(path, { decision: "decline" });
    expect([declined.status, await world.accounts()]).toEqual([402, 0]);
    expect((await world.post(path, { decision: "pay", email: "nonsense" })).status).toBe(400);
    const paid = await world.post(path, { decision: "pay", email: "Try@Example.com" });
    await world.post(path, { decision: "pay", email: "other@example.com" });
    const arrived = await world.get(String(paid.headers.get("location")));
    expect(world.keyOf(arrived)).toStartWith("ct_test_");
    expect((await world.access.identifyKey(String(world.keyOf(arrived)))).plan).toBe("growth");
    expect(await world.accounts()).toBe(1);
    expect((await world.get(path)).status).toBe(303);
  });

  test("is not there where Stripe is, nor where there is a real world without Stripe", async () => {
    const withStripe = await open();
    expect((await withStripe.get("/checkout/test/cs_builtin_x")).status).toBe(404);
    const without = await open({ stripe: false, settings: { simulated: false } });
    expect((await without.post("/checkout", { plan: "scale" })).status).toBe(404);
    expect((await without.get("/pricing")).text).toContain("Cards are not taken here");
    await expect(without.tell("invoice.paid", {})).rejects.toMatchObject({ code: "not_found" });
  });
});
