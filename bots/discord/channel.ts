// Discord as a channel: messages in its Markdown, where everything that is not our own markup is escaped and nobody can be
// pinged, sent to a channel by the bot or to an incoming webhook. Repeats of one message are recognised by their nonce.
import type { Channel, SendOutcome } from "../core/channel.ts";
import type { BotMessage, Button, TextSpan } from "../core/message.ts";
import { type DiscordAnswer, type DiscordApi, DiscordFailed } from "./api.ts";

/** The chat id that stands for an incoming webhook. */
export const WEBHOOK_CHAT = "webhook";

/** A little below the documented fifty. */
const MESSAGES_PER_SECOND = 40;
/** Responses say when a bucket is empty; this only spreads out bursts. */
const GAP_MS = 250;
const LENGTH_MAX = 2_000;
const LATER_MS = 5_000;
const SUPPRESS_EMBEDS = 4;

export function discordChannel(api: DiscordApi, webhookUrl: string | null): Channel {
  return {
    messagesPerSecond: MESSAGES_PER_SECOND,
    gapMs: () => GAP_MS,
    fits: (message) => markdownOf(message).length <= LENGTH_MAX,
    async send(chat, message, key) {
      try {
        if (chat !== WEBHOOK_CHAT) {
          const nonce = nonceOf(chat, key);
          const input = { ...bodyOf(message), ...replyOf(message), nonce, enforce_nonce: true };
          return outcomeOf(await api.call("POST", `/channels/${chat}/messages`, input));
        }
        if (webhookUrl === null) return { kind: "gone", reason: "no webhook is set" };
        const { components: _, ...input } = bodyOf(message) as { components?: unknown };
        return outcomeOf(await api.call("POST", `${webhookUrl}?wait=true`, input));
      } catch (error) {
        if (!(error instanceof DiscordFailed)) throw error;
        return { kind: "unanswered", reason: error.message };
      }
    },
  };
}

/** Unique per author, over all channels, and at most 25 characters. */
const nonceOf = (chat: string, key: string) => `${BigInt(chat).toString(36)}-${key}`.slice(0, 25);

function outcomeOf({ status, body, restMs, retryAfterMs, isGlobal }: DiscordAnswer): SendOutcome {
  const reason = `${status} ${String(body.message ?? "")}`.slice(0, 200);
  if (status < 300)
    return { kind: "sent", restMs, ...(typeof body.id === "string" ? { messageId: body.id } : {}) };
  if (status === 429) return { kind: "later", delayMs: retryAfterMs ?? LATER_MS, everyone: isGlobal };
  // No access, or no such channel or webhook. Further attempts would get the bot's IP address banned.
  if (status === 403 || status === 404) return { kind: "gone", reason };
  // A revoked token, or a failing server: neither is the message's fault.
  if (status === 401 || status >= 500) return { kind: "unanswered", reason };
  return { kind: "refused", reason };
}

/** Incoming webhooks can't reply to a message; there the text stands alone. */
const replyOf = ({ replyTo }: BotMessage) =>
  replyTo === undefined ? {} : { message_reference: { message_id: replyTo, fail_if_not_exists: false } };

/** Common to a message, an interaction response and a webhook. */
export function bodyOf(message: BotMessage): object {
  const { buttons = [], card } = message;
  return {
    content: markdownOf(message).slice(0, LENGTH_MAX),
    allowed_mentions: { parse: [] },
    ...(card ? { embeds: [{ image: { url: card.image } }] } : { flags: SUPPRESS_EMBEDS }),
    ...(buttons.length > 0
      ? { components: buttons.map((row) => ({ type: 1, components: row.map(buttonOf) })) }
      : {}),
  };
}

const buttonOf = (button: Button) =>
  "url" in button
    ? { type: 2, style: 5, label: button.label, url: button.url }
    : { type: 2, style: 2, label: button.label, custom_id: button.action };

function markdownOf({ lines }: BotMessage): string {
  return lines.map((line) => line.map(spanMarkdown).join("")).join("\n");
}

function spanMarkdown(span: TextSpan): string {
  if (typeof span === "string") return escaped(span);
  if ("bold" in span) return `**${escaped(span.bold)}**`;
  if ("italic" in span) return `*${escaped(span.italic)}*`;
  if ("code" in span) return `\`${span.code.replace(/`/g, "")}\``;
  return `[${escaped(span.text)}](${span.url.replace(/[()\s]/g, encodeURIComponent)})`;
}

/** A backslash before any character that could be markup, a mention or a link. */
const escaped = (text: string) => text.replace(/[\\*_~`|>#[\]()<@:-]/g, "\\$&");
