// Telegram as a channel: messages in its HTML, where everything that is not our own markup is escaped, at the documented
// rates: one a second to a chat, twenty a minute to a group, thirty a second overall.
import type { Channel, SendOutcome } from "../core/channel.ts";
import type { BotMessage, Button, TextSpan } from "../core/message.ts";
import { type TelegramAnswer, type TelegramApi, TelegramFailed } from "./api.ts";

/** A little below the documented thirty, so that commands' answers fit in too. */
const MESSAGES_PER_SECOND = 25;
const CHAT_GAP_MS = 1_000;
const GROUP_GAP_MS = 3_000;
/** The documented limit counts displayed text; counting markup too is on the safe side. */
const LENGTH_MAX = 4_096;
/** Used when a refusal states no time. */
const LATER_MS = 5_000;

export function telegramChannel(api: TelegramApi): Channel {
  return {
    messagesPerSecond: MESSAGES_PER_SECOND,
    gapMs: (chat) => (chat.startsWith("-") ? GROUP_GAP_MS : CHAT_GAP_MS),
    fits: (message) => htmlOf(message).length <= LENGTH_MAX,
    async send(chat, message) {
      try {
        return outcomeOf(await api.call<{ message_id?: unknown }>("sendMessage", bodyOf(chat, message)));
      } catch (error) {
        if (!(error instanceof TelegramFailed)) throw error;
        return { kind: "unanswered", reason: error.message };
      }
    },
  };
}

function outcomeOf(answer: TelegramAnswer<{ message_id?: unknown }>): SendOutcome {
  if (answer.ok) {
    const id = answer.result?.message_id;
    return { kind: "sent", ...(typeof id === "number" ? { messageId: String(id) } : {}) };
  }
  const { status, reason, retryAfterMs, movedTo } = answer;
  if (movedTo !== null) return { kind: "moved", to: movedTo };
  if (status === 429) return { kind: "later", delayMs: retryAfterMs ?? LATER_MS, everyone: false };
  // Telegram has no code for a chat that does not exist, only these words.
  if (status === 403 || (status === 400 && /chat not found/i.test(reason))) return { kind: "gone", reason };
  // A revoked token, or a failing server: neither is the message's fault.
  if (status === 401 || status === 404 || status >= 500) return { kind: "unanswered", reason };
  return { kind: "refused", reason };
}

function bodyOf(chat: string, message: BotMessage): object {
  const { buttons = [], card, replyTo } = message;
  return {
    chat_id: chat,
    ...(replyTo === undefined
      ? {}
      : { reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true } }),
    text: htmlOf(message),
    parse_mode: "HTML",
    // Telegram shows the preview picture of the page.
    link_preview_options: card ? { url: card.page, prefer_large_media: true } : { is_disabled: true },
    ...(buttons.length > 0
      ? { reply_markup: { inline_keyboard: buttons.map((row) => row.map(buttonOf)) } }
      : {}),
  };
}

const buttonOf = (button: Button) =>
  "url" in button
    ? { text: button.label, url: button.url }
    : { text: button.label, callback_data: button.action };

export function htmlOf({ lines }: BotMessage): string {
  return lines.map((line) => line.map(spanHtml).join("")).join("\n");
}

function spanHtml(span: TextSpan): string {
  if (typeof span === "string") return escaped(span);
  if ("bold" in span) return `<b>${escaped(span.bold)}</b>`;
  if ("italic" in span) return `<i>${escaped(span.italic)}</i>`;
  if ("code" in span) return `<code>${entities(span.code)}</code>`;
  return `<a href="${entities(span.url)}">${escaped(span.text)}</a>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const entities = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");

/** A joiner keeps strangers' text from becoming a mention of a Telegram user, a tag or a link. */
const escaped = (text: string) => entities(text.replace(/[@#](?=\w)|\.(?=\p{L})|:(?=\/\/)/gu, `$&${JOINER}`));

/** Has no width, and is removed from people's messages. */
export const JOINER = "\u2060";
