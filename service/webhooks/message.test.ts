// Bodies: what programs get is what the contract says, and what people get is readable and harmless, whatever traders wrote.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { WebhookPayload } from "../../contract/shapes/webhooks.ts";
import { WEBHOOK } from "../../contract/webhooks.ts";
import { appEvent, MIDNIGHT, pushEvent, token } from "../../test/support/nouns.ts";
import type { LogEvent } from "../model/event.ts";
import { eventsMessage, testMessage } from "./message.ts";

const webhook = { id: "whk_1", format: "json", chatId: null, epoch: "e", gap: null } as const;
const logged = (event: object, seq: number) => ({ ...event, seq, capturedAt: MIDNIGHT }) as LogEvent;

test("a JSON body is what the contract declares, with its gap", () => {
  const events = [logged(appEvent(), 5), logged(appEvent({ kind: "sell" }), 7), logged(pushEvent(), 9)];
  const gap = JSON.stringify({ fromSeq: 1, toSeq: 4 });
  const message = eventsMessage({ ...webhook, gap }, events, DEFAULT_CHAINS, MIDNIGHT);
  const read = WebhookPayload.safeParse(JSON.parse(message.body));
  expect(read.error?.issues ?? []).toEqual([]);
  expect(read.data?.data.gap).toMatchObject({ fromSeq: 1, toSeq: 4 });
  expect(message.id).toBe("batch_5_9");
  expect(WebhookPayload.safeParse(JSON.parse(testMessage(webhook, "t", MIDNIGHT).body)).success).toBe(true);
});

test("one event goes under its eventId; a push, which has none, under its id", () => {
  const event = appEvent();
  expect(eventsMessage(webhook, [logged(event, 1)], DEFAULT_CHAINS, MIDNIGHT).id).toBe(event.eventId);
  expect(eventsMessage(webhook, [logged(pushEvent(), 3)], DEFAULT_CHAINS, MIDNIGHT).id).toBe(
    `alrt_${MIDNIGHT}_3`,
  );
});

const hostile = fc.oneof(
  fc.constantFrom(
    "@everyone",
    "<@1234>",
    "<@&99>",
    "**bold**",
    "[a](https://evil.example)",
    "`x`",
    "# big",
    "> q",
    "||s||",
  ),
  fc.string({ maxLength: 2_000, unit: "grapheme" }),
);

test("Discord: no one is pinged, no markup, link or mention gets through, and ten lines fit", () => {
  fc.assert(
    fc.property(
      fc.array(hostile, { minLength: 1, maxLength: WEBHOOK.messageBatchMax }),
      hostile,
      (texts, symbol) => {
        const events = texts.map((text, index) =>
          logged(
            appEvent({ kind: "thesis", text, handle: text.slice(0, 30), token: token({ symbol }) }),
            index + 1,
          ),
        );
        const { body } = eventsMessage({ ...webhook, format: "discord" }, events, DEFAULT_CHAINS, MIDNIGHT);
        const sent = JSON.parse(body) as { content: string; allowed_mentions: unknown };
        expect(sent.allowed_mentions).toEqual({ parse: [] });
        expect(sent.content.length).toBeLessThanOrEqual(2_000);
        expect(sent.content.split("\n")).toHaveLength(texts.length);
        // Every character that could begin markup has a backslash before it.
        expect(sent.content.replace(/\\./gsu, "")).not.toMatch(/[\\*_~`|>#[\]()<@:]/);
      },
    ),
  );
});

test("Telegram: plain text to the chat, without previews, names or links, and ten lines fit", () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: WEBHOOK.messageBatchMax }), (texts) => {
      const events = texts.map((text, index) => logged(pushEvent({ text }), index + 1));
      const form = { ...webhook, format: "telegram", chatId: "-100123" } as const;
      const sent = JSON.parse(eventsMessage(form, events, DEFAULT_CHAINS, MIDNIGHT).body);
      expect(Object.keys(sent).sort()).toEqual(["chat_id", "link_preview_options", "text"]);
      expect([sent.chat_id, sent.link_preview_options]).toEqual(["-100123", { is_disabled: true }]);
      expect(sent.text.length).toBeLessThanOrEqual(4_096);
      expect(sent.text).not.toMatch(/[@#][^\u2060]|[^\u2060]\//);
    }),
  );
});

test("a buy reads as a sentence", () => {
  const event = appEvent({ handle: "nightowl", fillUsd: 4_270.5, token: token({ symbol: "MOONCAT" }) });
  const { body } = eventsMessage(
    { ...webhook, format: "telegram", chatId: "1" },
    [logged(event, 1)],
    DEFAULT_CHAINS,
    0,
  );
  expect(JSON.parse(body).text).toBe("🟢 nightowl bought $4,270.50 of MOONCAT on solana");
});
