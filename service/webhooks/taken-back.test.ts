// An alert that a re-org undid, on both engines: who was sent it is sent its retraction, once, in order, signed and free, also
// when it is behind or its node ended; who was not sent it by then gets neither.
import { afterEach, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { WebhookPayload } from "../../contract/shapes/webhooks.ts";
import { alertId } from "../../contract/wire/alert.ts";
import { eventually } from "../../test/support/eventually.ts";
import { onEngine } from "../../test/support/needing.ts";
import { SOLANA } from "../../test/support/nouns.ts";
import type { LogEvent } from "../model/event.ts";
import { eventsMessage } from "./message.ts";
import { buy, DIALECTS, openTape, startEndpoint, undo, type WebhookNode, wanted } from "./test-support.ts";

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
  const caller = await tape.caller();
  const got = (path: string, ids: readonly string[]) =>
    eventually(() => endpoint.ids(path).length >= ids.length, `${path} got everything`);
  /** Delivered and written down. */
  const delivered = (node: WebhookNode, id: string, count: number) =>
    eventually(
      async () => (await node.manage.get(caller.accountId, id)).delivered === count,
      `${count} are counted`,
    );
  return { tape, endpoint, caller, got, delivered };
}

const undone = ({ eventId }: { eventId: string }) => `undone ${eventId}`;

/** Answers the first request to /a when it is let go, and says when that one has come. */
function heldFirst() {
  let letGo = () => {};
  let isHeld = false;
  const behave = (path: string, before: number) => {
    if (path !== "/a" || before > 0) return undefined;
    isHeld = true;
    return new Promise<Response>((answer) => {
      letGo = () => answer(new Response(null, { status: 204 }));
    });
  };
  return { behave, letGo: () => letGo(), held: () => eventually(() => isHeld, "the first is under way") };
}

describe.each([...DIALECTS])("on %s", (dialect) => {
  const { test } = onEngine(dialect);
  test(
    "who was sent an alert is sent its retraction, signed and free; another filter or a later webhook is not",
    async () => {
      const { tape, endpoint, caller, got, delivered } = await begin(dialect);
      const node = await tape.node();
      const all = await node.manage.create(caller, wanted(endpoint.url("/all")));
      const small = await node.manage.create(
        caller,
        wanted(endpoint.url("/sells"), { filter: { types: ["sell"] } }),
      );
      const [gone, sold, next] = [buy(), buy({ kind: "sell" }), buy({ kind: "sell" })];
      const [logged] = await tape.append([gone, sold]);
      await delivered(node, all.webhook.id, 2);
      await delivered(node, small.webhook.id, 1);
      tape.clock.push(1);
      await node.manage.create(caller, wanted(endpoint.url("/later")));
      const [retract] = await tape.append([undo(gone)]);
      await tape.append([next]);
      const expected = [gone.eventId, sold.eventId, undone(gone), next.eventId];
      await got("/all", expected);
      await got("/sells", [sold.eventId, next.eventId]);
      await got("/later", [next.eventId]);
      expect(endpoint.ids("/all")).toEqual(expected);
      expect(endpoint.ids("/sells")).toEqual([sold.eventId, next.eventId]);
      expect(endpoint.ids("/later")).toEqual([next.eventId]);
      const sent = endpoint.received.find(({ body }) => body.includes('"retract"'));
      new Webhook(all.secret).verify(sent?.body ?? "", sent?.headers ?? {});
      expect(sent?.headers["webhook-id"]).toBe(`retract_${gone.eventId}`);
      const read = WebhookPayload.parse(JSON.parse(sent?.body ?? "null"));
      expect([read.type, read.data.count, read.data.alerts]).toEqual(["retract", 1, []]);
      expect(read.data.retractions?.[0]).toMatchObject({
        id: alertId(logged as LogEvent),
        eventId: gone.eventId,
        seq: retract?.seq as number,
        reason: "reorg",
        chainId: SOLANA,
      });
      await delivered(node, all.webhook.id, 3);
      const position = (await node.manage.get(caller.accountId, all.webhook.id)).position;
      expect(Number(position.split(".")[1])).toBeGreaterThan(retract?.seq as number);
    },
    PATIENT_MS,
  );

  test(
    "an alert that waits for its turn when it is undone is not sent, nor its retraction",
    async () => {
      const first = heldFirst();
      const { tape, endpoint, caller, got } = await begin(dialect, first.behave);
      const node = await tape.node({ timeoutMs: PATIENT_MS });
      await node.manage.create(caller, wanted(endpoint.url("/a")));
      await node.manage.create(caller, wanted(endpoint.url("/b")));
      const [one, gone, both, last] = [buy(), buy(), buy(), buy()];
      await tape.append([one]);
      await first.held();
      await tape.append([gone]);
      await tape.append([both, undo(both), undo(gone), last]);
      await eventually(() => endpoint.ids("/b").includes(last.eventId), "the node has read all of it");
      first.letGo();
      await got("/a", [one.eventId, last.eventId]);
      expect(endpoint.ids("/a")).toEqual([one.eventId, last.eventId]);
    },
    PATIENT_MS,
  );

  test(
    "one that is behind is sent retractions of what it had, in their place, and of nothing that it missed",
    async () => {
      const { tape, endpoint, caller, delivered, got } = await begin(dialect);
      const node = await tape.node();
      const { webhook } = await node.manage.create(caller, wanted(endpoint.url("/b"), { batch: 7 }));
      const had = buy();
      await tape.append([had]);
      await delivered(node, webhook.id, 1);
      await node.manage.update(caller.accountId, webhook.id, { status: "paused" });
      await node.stop();
      // More than two pages, so that an alert and its retraction are read apart.
      const before = Array.from({ length: 20 }, () => buy());
      const missed = buy();
      const between = Array.from({ length: 230 }, () => buy());
      const after = buy();
      await tape.append([...before, missed, ...between, undo(had), undo(missed), after]);
      const next = await tape.node();
      await next.manage.update(caller.accountId, webhook.id, { status: "active" });
      const ids = (events: readonly { eventId: string }[]) => events.map(({ eventId }) => eventId);
      const expected = [...ids([had, ...before, ...between]), undone(had), after.eventId];
      await got("/b", expected);
      expect(endpoint.ids("/b")).toEqual(expected);
      await delivered(next, webhook.id, expected.length - 1);
    },
    PATIENT_MS,
  );

  test(
    "a node that ended in the middle of a request leaves no alert without its retraction, and none comes twice",
    async () => {
      const { tape, endpoint, caller, got } = await begin(dialect, (_path, before) =>
        before === 0 ? new Promise<Response>(() => {}) : undefined,
      );
      const node = await tape.node();
      const { webhook } = await node.manage.create(caller, wanted(endpoint.url("/k")));
      const [gone, last] = [buy(), buy()];
      await tape.append([gone]);
      await eventually(() => endpoint.received.length === 1, "it is under way");
      // Cut off before an answer came: what became of it was never written down.
      await node.stop();
      await tape.append([undo(gone)]);
      const second = await tape.node();
      await got("/k", [undone(gone)]);
      await eventually(
        async () => (await second.manage.get(caller.accountId, webhook.id)).position.endsWith(".2"),
        "it is written down",
      );
      await second.stop();
      await tape.node();
      await tape.append([last]);
      await got("/k", [undone(gone), last.eventId]);
      expect(endpoint.ids("/k")).toEqual([undone(gone), last.eventId]);
    },
    PATIENT_MS,
  );
});

test(
  "an alert whose request failed is not tried again once it is undone; its retraction is sent instead",
  async () => {
    const { tape, endpoint, caller, got } = await begin("sqlite", (_path, before) =>
      before === 0 ? new Response(null, { status: 500 }) : undefined,
    );
    const node = await tape.node();
    const { webhook } = await node.manage.create(caller, wanted(endpoint.url("/f"), { batch: 5 }));
    const [gone, last] = [buy(), buy()];
    await tape.append([gone]);
    await eventually(
      async () => (await node.manage.get(caller.accountId, webhook.id)).failures === 1,
      "it failed",
    );
    await tape.append([undo(gone), last]);
    tape.clock.push(60_000);
    await got("/f", [undone(gone), last.eventId]);
    expect(endpoint.ids("/f")).toEqual([undone(gone), last.eventId]);
  },
  PATIENT_MS,
);

test("people read which alert was undone", () => {
  const placed = { seq: 1, capturedAt: 0 };
  const event = { ...buy({ handle: "nightowl", fillUsd: 4_270.5 }), ...placed };
  const retract = { ...undo(event), ...placed, seq: 2 };
  const webhook = { id: "whk_1", chatId: "1", epoch: "e", gap: null } as const;
  const textOf = (reason: string) => {
    const events = [{ seq: 2, capturedAt: 0, undone: event, retract: { ...retract, reason } }];
    const telegram = { ...webhook, format: "telegram" } as const;
    return JSON.parse(eventsMessage(telegram, events, DEFAULT_CHAINS, 0).body).text;
  };
  const said = `nightowl bought $4,270.50 of ${event.token?.symbol} on solana`;
  expect(textOf("reorg")).toBe(`↩️ Undone by a re-org: ${said}`);
  expect(textOf("repriced")).toBe(`↩️ Taken back: ${said}`);
});
