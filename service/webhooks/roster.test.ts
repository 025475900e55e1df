import { expect, test } from "bun:test";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { manualClock } from "../../kit/clock.ts";
import { entryOf } from "../feed/entry.ts";
import { EVERYTHING } from "../feed/filter.ts";
import type { LogEvent } from "../model/event.ts";
import type { StoredWebhook } from "../store/money/webhooks.ts";
import { createRoster } from "./roster.ts";
import { buy } from "./test-support.ts";

const EPOCH = "e1";

function webhookAt(position: number): StoredWebhook {
  return {
    id: "whk_1",
    waitingFor: null,
    pendingTo: null,
    failures: 0,
    failingSince: null,
    nextTryAt: 0,
    shard: 0,
    accountId: "acc_1",
    keyId: "key_1",
    capOf: null,
    name: null,
    url: "http://127.0.0.1:9/",
    format: "json",
    chatId: null,
    batch: 1,
    filters: "{}",
    filter: JSON.stringify(EVERYTHING),
    secret: "",
    oldSecret: null,
    oldSecretUntil: null,
    status: "active",
    pausedBecause: null,
    epoch: EPOCH,
    position,
    gap: null,
    delivered: 0,
    paidBlocks: 0,
    generation: 0,
    revision: 1,
    createdAt: 0,
  };
}

test("a webhook that begins ahead of this node's reader gets nothing from before its beginning", () => {
  const roster = createRoster({
    clock: manualClock(0),
    schedule: { add: () => {}, remove: () => {} },
    epoch: () => EPOCH,
  });
  roster.take(webhookAt(10), 1);
  const [endpoint] = roster.all();
  if (!endpoint) throw new Error("it was not taken");
  roster.goLive(endpoint);
  for (const seq of [9, 10, 11, 12]) {
    const event: LogEvent = { ...buy(), seq, capturedAt: 0 };
    roster.onEntry(entryOf(event, { chains: DEFAULT_CHAINS, earlier: null, verified: true }));
  }
  expect(endpoint.ready.map(({ seq }) => seq)).toEqual([11, 12]);
});
