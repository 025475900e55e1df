// Free keys, lost keys and the mail between: through the pages, an outbox folder and a real SMTP conversation.

import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import { onEngine } from "../../test/support/needing.ts";
import { emailOf, mailboxOf } from "../access/identity/mailbox.ts";
import { DIALECTS, testStore } from "../access/test-support.ts";
import { type CardWorld, cardWorld } from "../billing/card/test-support.ts";
import { smtpStandIn } from "./mail/test-smtp.ts";

const worlds: CardWorld[] = [];
const open = async (...options: Parameters<typeof cardWorld>) => {
  const world = await cardWorld(...options);
  worlds.push(world);
  return world;
};
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const from = (address: string) => ({ "x-from": address });
/** The link in a mail, whatever way its lines were folded. */
const linkIn = (mail: string) => {
  const plain = mail.replace(/=\r?\n/g, "").replace(/=3D/g, "=");
  return String(/https:\/\/tape\.example(\/recover\/link\?token=[\w-]+)/.exec(plain)?.[1]);
};
const freeKey = async (world: CardWorld, email: string, address = "203.0.113.9") =>
  world.keyOf(await world.post("/free-key", { email }, from(address)));
/** Asks for a link and opens its mail. */
const link = async (world: CardWorld, email: string) => {
  await world.post("/recover", { email });
  await world.checkout.outbox.pass();
  const path = linkIn(world.mails().findLast((mail) => mail.includes("/recover/link")) ?? "");
  return { path, token: String(path.split("token=")[1]) };
};
const accountsOf = (world: CardWorld, email: string) => world.access.grants.accountsOf(email);

for (const dialect of DIALECTS) {
  onEngine(dialect).test(
    `asked for ten times at once, a mailbox gets one free account, on ${dialect}`,
    async () => {
      const world = await open({ dialect });
      const spellings = ["a.b@gmail.com", "ab+one@gmail.com", "AB@googlemail.com"];
      const keys = await Promise.all(
        Array.from({ length: 10 }, (_, i) => freeKey(world, spellings[i % 3] ?? "", `203.0.113.${i}`)),
      );
      expect(keys.filter((key) => key !== null)).toHaveLength(1);
      expect(await world.accounts()).toBe(1);
    },
  );
}

test("free keys are limited for a whole IPv6 site, whichever of its networks asks", async () => {
  const world = await open();
  const keys: (string | null)[] = [];
  for (let n = 0; n < 24; n++)
    keys.push(await freeKey(world, `me${n}@example.com`, `2001:db8:7:${(n >> 2).toString(16)}::${n + 1}`));
  expect(keys.filter((key) => key !== null)).toHaveLength(20);
  expect(await freeKey(world, "other@example.com", "2001:db8:8::1")).not.toBeNull();
});

describe("a free key", () => {
  test("works at once, and a second request mails a link in place of a second bucket", async () => {
    const world = await open();
    const key = await freeKey(world, "one@example.com");
    expect((await world.access.identifyKey(String(key))).plan).toBe("free");
    const second = await world.post("/free-key", { email: "One+more@example.com" });
    expect(world.keyOf(second)).toBeNull();
    expect(second.text).toContain("already has a free key");
    await world.checkout.outbox.pass();
    expect(world.mails()).toHaveLength(1);
    expect(world.mails()[0]).toContain("To: one@example.com");
    expect(await world.accounts()).toBe(1);
  });

  test("is given to five mailboxes a day from one address, where an IPv6 network counts as one", async () => {
    const world = await open();
    const ask = (i: number, address: string) =>
      world.post("/free-key", { email: `u${i}@example.com` }, from(address));
    for (let i = 0; i < 5; i++) expect((await ask(i, `2001:db8:1:2::${i}`)).status).toBe(200);
    const refused = await ask(5, "2001:db8:1:2::ffff");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "86400"]);
    expect((await ask(5, "2001:db8:1:3::1")).status).toBe(200);
    await world.clock.advance(DAY_MS);
    expect((await ask(6, "2001:db8:1:2::1")).status).toBe(200);
  });

  test("is not given for what is no address, from another site, or in another form", async () => {
    const world = await open();
    for (const email of ["", "x", "a@b", "a b@example.com", "a@example.com\r\nBcc: b@example.com"])
      expect((await world.post("/free-key", { email })).status).toBe(400);
    expect(
      (await world.post("/free-key", { email: "a@example.com" }, { "sec-fetch-site": "cross-site" })).status,
    ).toBe(403);
    expect(
      (await world.post("/free-key", { email: "a@example.com" }, { "content-type": "text/plain" })).status,
    ).toBe(415);
    expect((await world.post("/free-key", { email: "a".repeat(9_000) })).status).toBe(413);
    expect(await world.accounts()).toBe(0);
  });
});

describe("a lost key", () => {
  test("is replaced once through the mailed link; the old one is revoked", async () => {
    const world = await open();
    const old = String(await freeKey(world, "me@example.com"));
    const { path, token } = await link(world, "ME@example.com");
    // A mail scanner that opens the link uses nothing up.
    for (let i = 0; i < 3; i++) expect((await world.get(path)).text).toContain("Make a new key");
    const [account] = await accountsOf(world, "me@example.com");
    const fields = { token, account: String(account?.id), action: "replace", others: "revoke" };
    const [one, two] = await Promise.all([
      world.post("/recover/link", fields),
      world.post("/recover/link", fields),
    ]);
    const shown = [one, two].map(world.keyOf).filter((key) => key !== null);
    expect(shown).toHaveLength(1);
    expect((await world.access.identifyKey(String(shown[0]))).accountId).toBe(String(account?.id));
    await expect(async () => world.access.identifyKey(old)).toThrow();
    expect((await world.get(path)).status).toBe(404);
  });

  test("may be kept next to the new one, which is no younger: realtime days do not start over", async () => {
    const world = await open();
    const old = String(await freeKey(world, "me@example.com"));
    const madeAt = world.clock.now();
    await world.clock.advance(9 * DAY_MS);
    const { token } = await link(world, "me@example.com");
    const [account] = await accountsOf(world, "me@example.com");
    const fields = { token, account: String(account?.id), action: "replace", others: "keep" };
    const fresh = String(world.keyOf(await world.post("/recover/link", fields)));
    const caller = await world.access.identifyKey(fresh);
    expect(caller.realtimeSince).toBe(madeAt);
    expect(world.access.delayMsOf(caller, world.clock.now())).toBe(15_000);
    expect((await world.access.identifyKey(old)).accountId).toBe(String(account?.id));
  });

  test("is replaced with all others revoked, however many there are", async () => {
    const world = await open();
    const old = String(await freeKey(world, "me@example.com"));
    const [account] = await accountsOf(world, "me@example.com");
    const accountId = String(account?.id);
    // More ended keys than a list shows lie between the first and now.
    await world.database.write(async (tx) => {
      for (let n = 0; n < 520; n++) {
        await tx.run({
          text: `INSERT INTO api_key (secret_hash, id, account_id, mode, hint, lineage, created_at, cap_used, cap_period_start, ends_at)
                 VALUES (?, ?, ?, 'live', 'x', 'x', ?, 0, 0, 1)`,
          values: [`hash-${n}`, `key-${n}`, accountId, world.clock.now() + 1 + n],
        });
      }
    });
    const { token } = await link(world, "me@example.com");
    await world.post("/recover/link", { token, account: accountId, action: "replace" });
    await expect(async () => world.access.identifyKey(old)).toThrow();
  });

  test("is not replaced after 30 minutes, nor for another's account", async () => {
    const world = await open();
    await freeKey(world, "me@example.com");
    await freeKey(world, "you@example.com");
    const { path, token } = await link(world, "me@example.com");
    const [yours] = await accountsOf(world, "you@example.com");
    const foreign = await world.post("/recover/link", {
      token,
      account: String(yours?.id),
      action: "replace",
    });
    expect([foreign.status, world.keyOf(foreign)]).toEqual([404, null]);
    await world.clock.advance(30 * MINUTE_MS - 1);
    expect((await world.get(path)).status).toBe(200);
    await world.clock.advance(1);
    expect((await world.get(path)).status).toBe(404);
    const [mine] = await accountsOf(world, "me@example.com");
    const late = await world.post("/recover/link", { token, account: String(mine?.id), action: "replace" });
    expect([late.status, world.keyOf(late)]).toEqual([404, null]);
  });

  test("is asked for with the same answer whether the address is known or not, and mailed only if it is", async () => {
    const world = await open();
    await freeKey(world, "known@example.com");
    const known = await world.post("/recover", { email: "known@example.com" });
    const unknown = await world.post("/recover", { email: "unknown@example.com" });
    expect(unknown.text).toBe(known.text);
    expect(unknown.status).toBe(known.status);
    await world.checkout.outbox.pass();
    expect(world.mails().map((mail) => /^To: (.*)$/m.exec(mail)?.[1]?.trim())).toEqual(["known@example.com"]);
  });

  test("is mailed three times an hour at most, and then still answered alike", async () => {
    const world = await open();
    await freeKey(world, "me@example.com");
    const texts = new Set<string>();
    for (let i = 0; i < 5; i++)
      texts.add((await world.post("/recover", { email: "me@example.com" }, from(`203.0.113.${i}`))).text);
    await world.checkout.outbox.pass();
    expect([texts.size, world.mails().length]).toEqual([1, 3]);
    for (let i = 0; i < 10; i++) await world.post("/recover", { email: `x${i}@example.com` });
    expect((await world.post("/recover", { email: "x@example.com" })).status).toBe(429);
  });

  test("leaves its link nowhere but in the mail", async () => {
    const world = await open();
    await freeKey(world, "me@example.com");
    const { token } = await link(world, "me@example.com");
    expect(token.length).toBeGreaterThan(40);
    const tables = ["mail", "mail_link", "form_use"];
    for (const table of tables) {
      const rows = await world.database.read.all({ text: `SELECT * FROM ${table}`, values: [] });
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(token);
    }
    expect(world.lines.join("\n")).not.toContain(token);
  });
});

test("a card that renews is stopped through the mailed link", async () => {
  const world = await open();
  const sessionId = await world.begin();
  await world.tell("checkout.session.completed", world.stripe.pay(sessionId));
  const { path, token } = await link(world, "buyer@example.com");
  expect((await world.get(path)).text).toContain("Stop renewing");
  const { accountId, subscriptionId } = await world.stored(sessionId);
  const stopped = await world.post("/recover/link", { token, account: String(accountId), action: "stop" });
  expect(stopped.text).toContain("will not be charged again");
  expect(world.stripe.stopped).toEqual([String(subscriptionId)]);
  expect((await world.get(path)).status).toBe(404);
});

test("a plan renews where it is free, is paid ahead, or a card is charged for the next month; and not where it was paid once", async () => {
  const world = await open();
  const renews = async (secret: string | null) =>
    world.checkout.accountData.renews(await world.access.identifyKey(String(secret)));
  expect(await renews(await freeKey(world, "free@example.com"))).toBe(true);

  const sessionId = await world.begin();
  const session = world.stripe.pay(sessionId);
  await world.tell("checkout.session.completed", session);
  const { accountId } = await world.stored(sessionId);
  const { secret } = await world.access.keys.create({ accountId: String(accountId), name: null });
  expect(await renews(secret)).toBe(true);
  await world.tell("customer.subscription.deleted", {
    id: session.subscription,
    status: "canceled",
    metadata: { crowdtape_checkout: session.client_reference_id },
    items: { data: [] },
  });
  expect(await renews(secret)).toBe(false);

  const { id: once } = await world.access.grants.openAccount("once@example.com");
  const made = await world.access.keys.create({ accountId: once, name: null });
  const pay = (reference: string) =>
    world.access.grants.payForPlan({ accountId: once, plan: "starter", reference });
  await pay("first");
  expect(await renews(made.secret)).toBe(false);
  await pay("second");
  expect(await renews(made.secret)).toBe(true);
});

describe("mail", () => {
  test("for a free key says the same whether or not the address has one", async () => {
    const server = await smtpStandIn();
    const world = await open({ settings: { smtpUrl: server.url } });
    const first = await world.post("/free-key", { email: "me@example.com" });
    const second = await world.post("/free-key", { email: "me@example.com" });
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(await world.accounts()).toBe(1);
    await server.stop();
  });

  test("goes through SMTP as one message to one recipient", async () => {
    const server = await smtpStandIn();
    const world = await open({ settings: { smtpUrl: server.url } });
    const asked = await world.post("/free-key", { email: "me@example.com" });
    // No one gets a key for an address that they can't read.
    expect([world.keyOf(asked), asked.text.includes("on its way")]).toEqual([null, true]);
    await world.checkout.outbox.pass();
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]?.recipients).toEqual(["me@example.com"]);
    const path = linkIn(server.mails[0]?.data ?? "");
    expect((await world.get(path)).status).toBe(200);
    const [account] = await accountsOf(world, "me@example.com");
    const fields = {
      token: String(path.split("token=")[1]),
      account: String(account?.id),
      action: "replace",
    };
    const key = String(world.keyOf(await world.post("/recover/link", fields)));
    expect((await world.access.identifyKey(key)).plan).toBe("free");
    await server.stop();
  });

  test("waits out a mail server's trouble, ever longer, and is sent once it is over", async () => {
    const server = await smtpStandIn();
    const world = await open({ settings: { smtpUrl: server.url } });
    server.answerTo("RCPT", "451 Try again later");
    await freeKey(world, "me@example.com");
    await world.checkout.outbox.pass();
    await world.checkout.outbox.pass();
    expect([server.mails.length, server.refusals]).toEqual([0, 1]);
    await world.clock.advance(15_000);
    await world.checkout.outbox.pass();
    expect(server.refusals).toBe(2);
    server.answerTo("RCPT", null);
    await world.clock.advance(30_000);
    await world.checkout.outbox.pass();
    expect(server.mails).toHaveLength(1);
    expect((await world.get(linkIn(server.mails[0]?.data ?? ""))).status).toBe(200);
    await server.stop();
  });

  test("is given up at once when the server refuses it for good, and after nine tries when it never answers", async () => {
    const server = await smtpStandIn();
    const world = await open({ settings: { smtpUrl: server.url } });
    server.answerTo("RCPT", "550 No such user");
    await freeKey(world, "me@example.com");
    await world.checkout.outbox.pass();
    await world.clock.advance(DAY_MS);
    expect(await world.checkout.outbox.pass()).toBe(0);
    expect(server.refusals).toBe(1);
    server.answerTo("RCPT", "451 Never");
    await world.post("/recover", { email: "me@example.com" });
    let tries = 0;
    for (; (await world.checkout.outbox.pass()) > 0; tries++) await world.clock.advance(HOUR_MS);
    expect(tries).toBe(9);
    await server.stop();
  }, 900_000);

  test("is sent once, however many look for it at the same moment", async () => {
    const world = await open();
    await freeKey(world, "me@example.com");
    await world.post("/recover", { email: "me@example.com" });
    const { pass } = world.checkout.outbox;
    await Promise.all([pass(), pass(), pass()]);
    expect(world.mails()).toHaveLength(1);
  });

  test("that was queued before a restart is sent after it", async () => {
    const store = await testStore("sqlite");
    const before = await cardWorld({ store });
    await freeKey(before, "me@example.com");
    await before.post("/recover", { email: "me@example.com" });
    await before.close();
    const after = await cardWorld({ store });
    await after.checkout.outbox.pass();
    expect(after.mails()).toHaveLength(1);
    await after.close();
    await store.remove();
  });

  test("in the folder is for its owner's eyes only", async () => {
    const world = await open();
    await freeKey(world, "me@example.com");
    await link(world, "me@example.com");
    const outbox = join(world.folder, "outbox");
    const [name = ""] = readdirSync(outbox);
    expect(name).toEndWith(".eml");
    expect(statSync(join(outbox, name)).mode & 0o077).toBe(0);
  });
});

describe("an address", () => {
  test("that is taken can't carry a second line, a second recipient or a space", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        let email = "";
        try {
          email = emailOf(text);
        } catch {
          return;
        }
        expect(email).toMatch(/^[^\s,;<>"()]+@[a-z0-9.-]+$/);
      }),
      { examples: [["a@b.example\nBcc: c@d.example"], ["a@b.example,c@d.example"], ["<a@b.example>"]] },
    );
  });

  test("has one mailbox in all its spellings, and different people have different ones", () => {
    for (const same of ["jo.hn@gmail.com", "john+x@gmail.com", "j.o.h.n@googlemail.com"])
      expect(mailboxOf(same)).toBe("john@gmail.com");
    expect(mailboxOf("jo.hn@example.com")).not.toBe(mailboxOf("john@example.com"));
    expect(mailboxOf("john+x@example.com")).toBe(mailboxOf("john@example.com"));
    expect(mailboxOf("+x@example.com")).toBe("+x@example.com");
  });
});
