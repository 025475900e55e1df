// The rules of retries, pauses and prices, for every sequence of attempts.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { WEBHOOK } from "../../contract/webhooks.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { StoredWebhook } from "../store/money/webhooks.ts";
import type { Posted } from "./post.ts";
import { retryWaitMs, settle, unpaidBlocks } from "./state.ts";

const START = Date.UTC(2026, 5, 1);

const fresh = {
  id: "whk_1",
  status: "active",
  pausedBecause: null,
  waitingFor: null,
  position: 0,
  pendingTo: null,
  gap: null,
  delivered: 0,
  paidBlocks: 0,
  failures: 0,
  failingSince: null,
  nextTryAt: 0,
  generation: 0,
} as unknown as StoredWebhook;

const posted = (outcome: Posted["outcome"], retryAfterMs = 0): Posted => ({
  outcome,
  status: null,
  durationMs: 10,
  note: null,
  retryAfterMs,
});

const attempt = (webhook: StoredWebhook, at: number, result: Posted, events = 1) => ({
  webhookId: webhook.id,
  generation: webhook.generation,
  fromSeq: webhook.position + 1,
  toSeq: webhook.position + events,
  events,
  at,
  posted: result,
});

test("waits grow, are spread by chance, never shrink below what the endpoint asked for, and stay bounded", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.integer({ min: 0, max: HOUR_MS }),
      (failures, chance, retryAfterMs) => {
        const waitMs = retryWaitMs(failures, chance, retryAfterMs);
        expect(waitMs).toBeGreaterThanOrEqual(Math.max(2_500, retryAfterMs));
        expect(waitMs).toBeLessThanOrEqual(3 * HOUR_MS);
        expect(retryWaitMs(failures + 1, chance, retryAfterMs)).toBeGreaterThanOrEqual(waitMs);
      },
    ),
  );
});

test("an endpoint that only fails is tried for exactly three days, then paused once", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), (chance) => {
      let [webhook, at, attempts] = [fresh, START, 0];
      for (; webhook.status === "active"; attempts++) {
        const settled = settle(webhook, attempt(webhook, at, posted("refused")), chance);
        webhook = settled.webhook;
        expect(settled.gaveUp).toBe(webhook.status === "paused");
        at = webhook.nextTryAt;
      }
      expect([webhook.pausedBecause, webhook.position, webhook.pendingTo]).toEqual(["failing", 0, 1]);
      expect(attempts).toBeGreaterThan(30);
      expect(attempts).toBeLessThan(80);
    }),
  );
});

test("the last attempt is when the time is up", () => {
  const almost = { ...fresh, failures: 40, failingSince: START - WEBHOOK.retryDays * DAY_MS + 60_000 };
  const { webhook } = settle(almost, attempt(almost, START, posted("timeout")), 0.9);
  expect([webhook.status, webhook.nextTryAt]).toEqual(["active", START + 60_000]);
  const last = settle(webhook, attempt(webhook, webhook.nextTryAt, posted("timeout")), 0.9);
  expect([last.webhook.pausedBecause, last.gaveUp]).toEqual(["failing", true]);
});

test("410 pauses at once and sends no mail", () => {
  const { webhook, gaveUp } = settle(fresh, attempt(fresh, START, posted("gone")), 0);
  expect([webhook.status, webhook.pausedBecause, gaveUp]).toEqual(["paused", "gone", false]);
});

test("what was delivered for an earlier generation is counted and moves nothing", () => {
  const replayed = { ...fresh, generation: 3, position: 10, failures: 2 };
  const { webhook } = settle(replayed, { ...attempt(fresh, START, posted("delivered"), 7) }, 0);
  expect(webhook).toEqual({ ...replayed, delivered: 7 });
  const failed = settle(replayed, attempt(fresh, START, posted("refused")), 0);
  expect(failed.webhook).toEqual(replayed);
});

test("each hundred events is owed once, however they were cut into requests and whatever failed", () => {
  const step = fc.record({ events: fc.integer({ min: 1, max: 100 }), works: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      let [webhook, charges, delivered] = [fresh, 0, 0];
      for (const { events, works } of steps) {
        const result = posted(works ? "delivered" : "refused");
        ({ webhook } = settle(webhook, attempt(webhook, START, result, events), 0));
        const owed = unpaidBlocks(webhook);
        expect(owed).toBeLessThanOrEqual(1);
        charges += owed;
        webhook = { ...webhook, paidBlocks: webhook.paidBlocks + owed };
        if (works) delivered += events;
      }
      expect(webhook.delivered).toBe(delivered);
      expect(charges).toBe(Math.ceil(delivered / 100));
    }),
  );
});
