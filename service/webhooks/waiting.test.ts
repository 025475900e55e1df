// A webhook that waits for its account continues when the account changes, also when the change comes just while the webhook
// looks: what it read then is what the account was before.
import { afterEach, expect, test } from "bun:test";
import { eventually } from "../../test/support/eventually.ts";
import type { Access } from "../access/access.ts";
import { buy, openTape, startEndpoint, type TestEndpoint, type WebhookTape, wanted } from "./test-support.ts";

let tape: WebhookTape;
let endpoint: TestEndpoint;
afterEach(async () => {
  await tape?.close();
  await endpoint?.stop();
});

async function begin(plan: "starter" | "growth") {
  endpoint = startEndpoint();
  tape = await openTape("sqlite");
  return tape.caller(plan);
}

/** A node of which one look at an account, counted from when it is armed, is overtaken: it finds the account as it was. */
async function overtakenNode(change: () => Promise<unknown>) {
  let looksLeft = Number.POSITIVE_INFINITY;
  const { access, store } = tape;
  const account: Access["grants"]["account"] = async (accountId) => {
    const before = await access.grants.account(accountId);
    looksLeft -= 1;
    if (looksLeft === 0) await change();
    return before;
  };
  const node = await tape.node({ store, access: { ...access, grants: { ...access.grants, account } } });
  const overtake = (look: number) => {
    looksLeft = look;
  };
  return { node, overtake, isOvertaken: () => looksLeft <= 0 };
}

test("credits that come while it looks for them are found", async () => {
  const caller = await begin("starter");
  const { accountId, keyId } = caller;
  await tape.store.database.write(async (tx) => {
    const at = tape.clock.now();
    await tape.access.within.prepare(at);
    const order = {
      requestId: "spent",
      accountId,
      keyId,
      routeId: "listAlerts",
      resolutions: 0,
      capOf: null,
    };
    await tape.access.within.charge(tx, [{ ...order, credits: await tape.credits(accountId), at }]);
  });
  expect(await tape.credits(accountId)).toBe(0);
  const more = { accountId, credits: 10_000, reference: `more:${accountId}` };
  const { node, overtake, isOvertaken } = await overtakenNode(() => tape.access.grants.addPrepaid(more));
  await node.manage.create(caller, wanted(endpoint.url("/c")));
  // The first look is for the plan, the second for the credits.
  overtake(2);
  const event = buy();
  await tape.append([event]);
  await eventually(isOvertaken, "it looked");
  await eventually(() => endpoint.ids("/c").includes(event.eventId), "it continues");
});

test("a plan that comes while it looks for it is found", async () => {
  const caller = await begin("growth");
  const { accountId } = caller;
  const growth = () => tape.access.grants.payForPlan({ accountId, plan: "growth", reference: "more" });
  const { node, overtake, isOvertaken } = await overtakenNode(growth);
  for (const path of ["/1", "/2"]) {
    const { webhook } = await node.manage.create(caller, wanted(endpoint.url(path)));
    await node.manage.update(accountId, webhook.id, { status: "paused" });
    tape.clock.push(5);
  }
  await node.manage.create(caller, wanted(endpoint.url("/3")));
  await tape.access.grants.endPlan({ accountId, reference: "end" });
  await tape.access.grants.payForPlan({ accountId, plan: "starter", reference: "less" });
  overtake(1);
  const event = buy();
  await tape.append([event]);
  await eventually(isOvertaken, "it looked");
  await eventually(() => endpoint.ids("/3").includes(event.eventId), "it continues");
});
