// What deliveries guarantee, on both engines: every matching event, at least once, in order, signed so that the reference
// library takes it, paid exactly, whatever endpoints do and at any point where the node that works them stops.

import { afterEach, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { WEBHOOK_CHARGE } from "../../contract/webhooks.ts";
import { DAY_MS } from "../../kit/units.ts";
import { eventually } from "../../test/support/eventually.ts";
import { onEngine } from "../../test/support/needing.ts";
import { createAccountData } from "../accounts/account-data.ts";
import {
  buy,
  DIALECTS,
  idsIn,
  once,
  openTape,
  startEndpoint,
  type TestEndpoint,
  type WebhookTape,
  wanted,
} from "./test-support.ts";

const PATIENT_MS = 900_000;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function begin(dialect: "sqlite" | "postgres", behave?: Parameters<typeof startEndpoint>[0]) {
  const endpoint = startEndpoint(behave);
  closing.push(endpoint.stop);
  const tape = await openTape(dialect);
  closing.push(tape.close);
  return { tape, endpoint };
}

const buys = (count: number) => Array.from({ length: count }, () => buy());
const idsOf = (events: readonly { eventId: string }[]) => events.map(({ eventId }) => eventId);
const got = (endpoint: TestEndpoint, path: string, ids: readonly string[]) =>
  eventually(() => once(endpoint.ids(path)).length >= ids.length, `${path} got everything`);

/** What the account paid for deliveries, by the journal. */
async function charged(tape: WebhookTape, accountId: string): Promise<{ charges: number; credits: number }> {
  const data = createAccountData({ database: tape.store.database, clock: tape.clock });
  const range = { from: 0, to: tape.clock.now() + 60_000 };
  const own = (await data.charges(accountId, range, 10_000)).filter((one) => one.routeId === WEBHOOK_CHARGE);
  return { charges: own.length, credits: own.reduce((sum, one) => sum + one.credits, 0) };
}

describe.each([...DIALECTS])("on %s", (dialect) => {
  const { test } = onEngine(dialect);
  test(
    "each matching event is posted once, in order, signed, with its eventId as webhook-id",
    async () => {
      const { tape, endpoint } = await begin(dialect);
      const node = await tape.node();
      const caller = await tape.caller();
      const { secret, webhook } = await node.manage.create(
        caller,
        wanted(endpoint.url("/a"), { filter: { types: ["buy"], minUsd: 50 } }),
      );
      const events = buys(12);
      await tape.append([buy({ kind: "sell" }), ...events.slice(0, 5), buy({ fillUsd: 49 })]);
      await tape.append(events.slice(5));
      await got(endpoint, "/a", idsOf(events));
      expect(endpoint.ids("/a")).toEqual(idsOf(events));
      const library = new Webhook(secret);
      for (const { body, headers } of endpoint.received) {
        library.verify(body, headers);
        expect(headers["webhook-id"]).toBe(String(idsIn(body)[0]));
      }
      await eventually(
        async () => (await node.manage.get(caller.accountId, webhook.id)).delivered === 12,
        "it is counted",
      );
      const { deliveries } = await node.manage.deliveries(caller.accountId, webhook.id, {
        limit: 50,
        cursor: null,
      });
      expect(deliveries.map(({ outcome, status, attempt }) => [String(outcome), status, attempt])).toEqual(
        Array(12).fill(["delivered", 204, 1]),
      );
      expect(await charged(tape, caller.accountId)).toEqual({ charges: 1, credits: 125 });
    },
    PATIENT_MS,
  );

  test(
    "one of paper follows is posted every order of its own account's, in order, by whichever node works it",
    async () => {
      const { tape, endpoint } = await begin(dialect, (_path, before) =>
        before === 1 ? new Response("no", { status: 500 }) : undefined,
      );
      const [caller, other] = [await tape.caller(), await tape.caller()];
      await tape.book(caller.accountId, 2);
      const first = await tape.node();
      const paper = wanted(endpoint.url("/paper"), { paper: true, batch: 3 });
      const { webhook } = await first.manage.create(caller, paper);
      expect([webhook.paper, webhook.position]).toEqual([true, "paper.2"]);
      await tape.append([buy()]);
      await tape.book(caller.accountId, 3);
      await tape.book(other.accountId, 5);
      await eventually(() => endpoint.received.length > 0, "the first orders are posted");
      await tape.book(caller.accountId, 4);
      await first.stop();
      const node = await tape.node();
      await eventually(async () => {
        const { delivered, nextAttemptAt } = await node.manage.get(caller.accountId, webhook.id);
        tape.clock.push(Math.max(0, (nextAttemptAt ?? 0) - tape.clock.now()));
        return delivered === 7;
      }, "all are delivered");
      const posted = endpoint.received.map(({ body }) => JSON.parse(body));
      const seqs = posted.flatMap(({ data }) =>
        data.orders.map((each: { paperSeq: number }) => each.paperSeq),
      );
      expect([...new Set(seqs)]).toEqual([3, 4, 5, 6, 7, 8, 9]);
      expect(new Set(posted.map(({ type, data }) => `${type} ${data.epoch} ${data.alerts.length}`))).toEqual(
        new Set(["paper paper 0"]),
      );
      expect(await charged(tape, caller.accountId)).toEqual({ charges: 1, credits: 125 });
      const again = await node.manage.replay(caller.accountId, webhook.id, { epoch: "paper", seq: 8 });
      expect(again.position).toBe("paper.8");
      await eventually(
        async () => (await node.manage.get(caller.accountId, webhook.id)).delivered === 8,
        "the last order is posted again",
      );
    },
    PATIENT_MS,
  );

  test(
    "a batch is one request with an id of its positions, and each hundred events are paid once",
    async () => {
      const { tape, endpoint } = await begin(dialect, (_path, before) =>
        before % 3 === 1 ? new Response("no", { status: 500 }) : undefined,
      );
      const caller = await tape.caller();
      const first = await tape.node();
      await first.manage.create(caller, wanted(endpoint.url("/batch"), { batch: 40 }));
      await first.stop();
      const before = await tape.credits(caller.accountId);
      const events = buys(250);
      await tape.append(events);
      const node = await tape.node();
      const [{ id } = { id: "" }] = await node.manage.list(caller.accountId);
      await eventually(async () => {
        const { delivered, nextAttemptAt } = await node.manage.get(caller.accountId, id);
        tape.clock.push(Math.max(0, (nextAttemptAt ?? 0) - tape.clock.now()));
        return delivered === 250;
      }, "all are delivered");
      expect(once(endpoint.ids("/batch"))).toEqual(idsOf(events));
      // The clock jumps past claims, so a request may come again; it is paid once all the same.
      expect(endpoint.ids("/batch").length).toBeGreaterThanOrEqual(250);
      // A request that failed came again as it was.
      const bodies = new Map<string, Set<string>>();
      for (const { headers, body } of endpoint.received) {
        const messageId = String(headers["webhook-id"]);
        expect(messageId).toMatch(/^batch_\d+_\d+$/);
        bodies.set(messageId, (bodies.get(messageId) ?? new Set()).add(idsIn(body).join()));
      }
      for (const each of bodies.values()) expect(each.size).toBe(1);
      expect(await charged(tape, caller.accountId)).toEqual({ charges: 3, credits: 375 });
      expect(before - (await tape.credits(caller.accountId))).toBe(375);
      expect(await tape.access.imbalances()).toEqual([]);
    },
    PATIENT_MS,
  );

  test(
    "a node that stops in the middle of retries leaves the next one exactly where it was",
    async () => {
      let isWell = false;
      // However slowly this goes, its time has not come before the clock is pushed.
      const headers = { "retry-after": "600" };
      const { tape, endpoint } = await begin(dialect, () =>
        isWell ? undefined : new Response(null, { status: 503, headers }),
      );
      const caller = await tape.caller();
      const first = await tape.node();
      const { webhook } = await first.manage.create(caller, wanted(endpoint.url("/r"), { batch: 10 }));
      const events = buys(25);
      await tape.append(events);
      const failures = async () => (await first.manage.get(caller.accountId, webhook.id)).failures;
      await eventually(async () => (await failures()) >= 1, "it failed");
      const failed = await first.manage.get(caller.accountId, webhook.id);
      expect(failed.nextAttemptAt).toBeGreaterThan(tape.clock.now());
      expect(failed.failingSince).not.toBeNull();
      const before = endpoint.received.length;
      await first.stop();
      isWell = true;
      const second = await tape.node();
      // Another one, which follows the same log on the same node, is the measure of how far that node has read.
      await second.manage.create(caller, wanted(endpoint.url("/measure")));
      await tape.append(buys(3));
      await eventually(() => endpoint.ids("/measure").length === 3, "the node has read on");
      // Not before its time, whichever node it is.
      const here = () => endpoint.received.filter(({ path }) => path === "/r");
      expect(here().length).toBe(before);
      tape.clock.push(660_000);
      await eventually(() => endpoint.ids("/r").length >= 28, "the rest came");
      expect(endpoint.ids("/r").slice(0, 25)).toEqual(idsOf(events));
      const ids = here().map(({ headers }) => headers["webhook-id"]);
      expect(ids[before]).toBe(String(ids[0]));
      await eventually(
        async () => (await second.manage.get(caller.accountId, webhook.id)).delivered === 28,
        "it is counted",
      );
    },
    PATIENT_MS,
  );

  test(
    "two nodes share the webhooks; when one goes, the other takes over, and no endpoint misses or reorders anything",
    async () => {
      const { tape, endpoint } = await begin(dialect);
      const caller = await tape.caller();
      const nodes = [await tape.node(), await tape.node()] as const;
      const paths = Array.from({ length: 12 }, (_, index) => `/e${index}`);
      for (const path of paths) await nodes[0].manage.create(caller, wanted(endpoint.url(path)));
      const first = buys(10);
      await tape.append(first);
      for (const path of paths) await got(endpoint, path, idsOf(first));
      await nodes[0].stop();
      const second = buys(10);
      await tape.append(second);
      for (const path of paths) {
        await got(endpoint, path, idsOf([...first, ...second]));
        expect(once(endpoint.ids(path))).toEqual(idsOf([...first, ...second]));
      }
      await eventually(
        async () => (await nodes[1].manage.list(caller.accountId)).every(({ delivered }) => delivered === 20),
        "all are counted once",
      );
      expect(await charged(tape, caller.accountId)).toEqual({ charges: 12, credits: 12 * 125 });
    },
    PATIENT_MS,
  );

  test(
    "without credits it waits and says so; with them it continues where it stopped, and every hundred is paid",
    async () => {
      const { tape, endpoint } = await begin(dialect);
      const caller = await tape.caller("starter");
      const { accountId } = caller;
      const node = await tape.node();
      const { webhook } = await node.manage.create(caller, wanted(endpoint.url("/c"), { batch: 50 }));
      await tape.store.database.write(async (tx) => {
        await tape.access.within.prepare(tape.clock.now());
        const spent = 2_500_000 - 200;
        await tape.access.within.charge(tx, [
          {
            requestId: "spent",
            accountId,
            keyId: caller.keyId,
            routeId: "listAlerts",
            resolutions: 0,
            credits: spent,
            at: tape.clock.now(),
            capOf: null,
          },
        ]);
      });
      expect(await tape.credits(accountId)).toBe(200);
      const events = buys(220);
      await tape.append(events);
      const view = () => node.manage.get(accountId, webhook.id);
      await eventually(async () => (await view()).waitingFor === "credits", "it waits");
      expect(endpoint.ids("/c")).toEqual(idsOf(events.slice(0, 100)));
      expect(await tape.credits(accountId)).toBe(75);
      await tape.access.grants.addPrepaid({ accountId, credits: 10_000, reference: `more:${accountId}` });
      await eventually(async () => (await view()).delivered === 220, "it continues");
      expect(endpoint.ids("/c")).toEqual(idsOf(events));
      expect((await view()).waitingFor).toBeNull();
      expect(await charged(tape, accountId)).toEqual({ charges: 3, credits: 375 });
      expect(await tape.credits(accountId)).toBe(10_200 - 375);
      expect(await tape.access.imbalances()).toEqual([]);
    },
    PATIENT_MS,
  );

  test(
    "a slow endpoint and one that redirects for ever delay no one",
    async () => {
      const held: (() => void)[] = [];
      const { tape, endpoint } = await begin(dialect, (path) => {
        if (path === "/slow")
          return new Promise((done) => held.push(() => done(new Response(null, { status: 200 }))));
        if (path === "/loop" || path === "/further")
          return new Response(null, { status: 302, headers: { location: "/further" } });
        return undefined;
      });
      const caller = await tape.caller();
      const node = await tape.node();
      for (const path of ["/slow", "/loop", "/well"])
        await node.manage.create(caller, wanted(endpoint.url(path)));
      const events = buys(30);
      await tape.append(events);
      await got(endpoint, "/well", idsOf(events));
      expect(endpoint.ids("/well")).toEqual(idsOf(events));
      await eventually(() => held.length >= 1, "the slow one is being waited for");
      await eventually(() => endpoint.received.some(({ path }) => path === "/loop"), "the loop was tried");
      await eventually(async () => {
        const own = (await node.manage.list(caller.accountId)).find(({ url }) => url.endsWith("/loop"));
        return (own?.failures ?? 0) >= 1;
      }, "a redirect is a failure");
      expect(endpoint.received.filter(({ path }) => path === "/further")).toEqual([]);
      for (const done of held) done();
    },
    PATIENT_MS,
  );
});

test(
  "410 pauses; three days of failures pause and mail once; resuming continues with nothing missing",
  async () => {
    let isWell = false;
    const { tape, endpoint } = await begin("sqlite", (path) => {
      if (isWell) return undefined;
      return new Response(null, { status: path === "/gone" ? 410 : 500 });
    });
    const caller = await tape.caller();
    const { accountId } = caller;
    const node = await tape.node();
    const gone = await node.manage.create(caller, wanted(endpoint.url("/gone")));
    const bad = await node.manage.create(caller, wanted(endpoint.url("/bad")));
    const events = buys(5);
    await tape.append(events);
    await eventually(
      async () => (await node.manage.get(accountId, gone.webhook.id)).pausedBecause === "gone",
      "it is gone",
    );
    const view = () => node.manage.get(accountId, bad.webhook.id);
    await eventually(async () => (await view()).failures > 0, "it failed");
    // The waits themselves are in state.test.ts; here a day passes at a time.
    for (let days = 0; days < 5 && (await view()).status === "active"; days++) {
      const { failures } = await view();
      tape.clock.push(DAY_MS);
      await eventually(async () => (await view()).failures > failures, "it was tried again");
    }
    const given = await view();
    expect([given.status, given.pausedBecause]).toEqual(["paused", "failing"]);
    expect(tape.clock.now() - (given.failingSince ?? 0)).toBeGreaterThanOrEqual(3 * DAY_MS);
    expect(tape.mails).toEqual([bad.webhook.id]);
    isWell = true;
    const more = buys(2);
    await tape.append(more);
    for (const { webhook } of [gone, bad])
      await node.manage.update(accountId, webhook.id, { status: "active" });
    for (const path of ["/gone", "/bad"]) {
      await got(endpoint, path, idsOf([...events, ...more]));
      expect(endpoint.ids(path)).toEqual(idsOf([...events, ...more]));
    }
    expect((await view()).pausedBecause).toBeNull();
  },
  PATIENT_MS,
);

test(
  "rotating signs with both secrets for a day, then with the new one alone",
  async () => {
    const { tape, endpoint } = await begin("sqlite");
    const caller = await tape.caller();
    const node = await tape.node();
    const made = await node.manage.create(caller, wanted(endpoint.url("/s")));
    const turned = await node.manage.rotate(caller.accountId, made.webhook.id);
    expect(turned.secret).not.toBe(made.secret);
    await node.manage.test(caller.accountId, made.webhook.id);
    const [both] = endpoint.received;
    for (const secret of [made.secret, turned.secret])
      new Webhook(secret).verify(both?.body ?? "", both?.headers ?? {});
    tape.clock.push(86_400_001);
    await node.manage.test(caller.accountId, made.webhook.id);
    const [, alone] = endpoint.received;
    expect(alone?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  },
  PATIENT_MS,
);

test(
  "a replay delivers again from a position; latest skips what waits",
  async () => {
    const { tape, endpoint } = await begin("sqlite");
    const caller = await tape.caller();
    const { accountId } = caller;
    const node = await tape.node();
    const { webhook } = await node.manage.create(caller, wanted(endpoint.url("/p")));
    const events = await tape.append(buys(6));
    await eventually(async () => (await node.manage.get(accountId, webhook.id)).delivered === 6, "all came");
    const [epoch] = webhook.position.split(".");
    await node.manage.replay(accountId, webhook.id, { epoch: String(epoch), seq: Number(events[2]?.seq) });
    await eventually(() => endpoint.ids("/p").length === 9, "three came again");
    expect(endpoint.ids("/p").slice(6)).toEqual(idsOf(events.slice(3)));
    await node.manage.update(accountId, webhook.id, { status: "paused" });
    // A node learns about a pause a moment later and may deliver until then: one that begins after it can't.
    await node.stop();
    await tape.append(buys(4));
    const after = await tape.node();
    await after.manage.replay(accountId, webhook.id, "latest");
    await after.manage.update(accountId, webhook.id, { status: "active" });
    const next = buys(1);
    await tape.append(next);
    await eventually(() => endpoint.ids("/p").length > 9, "it continues");
    expect(endpoint.ids("/p").slice(9)).toEqual(idsOf(next));
    await expect(after.manage.replay(accountId, webhook.id, { epoch: "other", seq: 1 })).rejects.toThrow(
      "position",
    );
  },
  PATIENT_MS,
);

test(
  "what the log lost before it could be delivered is reported as a gap, once",
  async () => {
    const { tape, endpoint } = await begin("sqlite");
    const caller = await tape.caller();
    const { accountId } = caller;
    const node = await tape.node();
    const { webhook } = await node.manage.create(caller, wanted(endpoint.url("/g")));
    await node.manage.update(accountId, webhook.id, { status: "paused" });
    // As above: a node that works it may not have heard of the pause yet.
    await node.stop();
    const lost = await tape.append(buys(5));
    tape.clock.push(10_000);
    const kept = await tape.append(buys(2));
    while ((await tape.store.log.prune((kept[0]?.capturedAt ?? 0) - 1, 100)) > 0);
    const after = await tape.node();
    await after.manage.update(accountId, webhook.id, { status: "active" });
    await got(endpoint, "/g", idsOf(kept));
    expect(endpoint.ids("/g")).toEqual(idsOf(kept));
    const gaps = endpoint.received.map(({ body }) => JSON.parse(body).data.gap);
    expect(gaps[0]).toMatchObject({ fromSeq: lost[0]?.seq, toSeq: lost.at(-1)?.seq });
    expect(gaps[1]).toBeNull();
  },
  PATIENT_MS,
);

test(
  "a plan that no longer includes a webhook makes it wait, while the oldest ones continue",
  async () => {
    const { tape, endpoint } = await begin("sqlite");
    const caller = await tape.caller("growth");
    const { accountId } = caller;
    const node = await tape.node();
    for (const path of ["/1", "/2", "/3"]) {
      await node.manage.create(caller, wanted(endpoint.url(path)));
      tape.clock.push(5);
    }
    await tape.access.grants.endPlan({ accountId, reference: "end" });
    await tape.access.grants.payForPlan({ accountId, plan: "starter", reference: "less" });
    const events = buys(3);
    await tape.append(events);
    for (const path of ["/1", "/2"]) await got(endpoint, path, idsOf(events));
    await eventually(async () => {
      const [, , last] = await node.manage.list(accountId);
      return last?.waitingFor === "plan";
    }, "the third waits");
    expect(endpoint.ids("/3")).toEqual([]);
    await tape.access.grants.payForPlan({ accountId, plan: "growth", reference: "more" });
    await got(endpoint, "/3", idsOf(events));
  },
  PATIENT_MS,
);
