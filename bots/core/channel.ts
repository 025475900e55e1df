// The port to a chat platform: sends one message and reports one of a few outcomes. Limits are the platform's own; the
// reaction to an outcome is decided in one place, post.ts.
import type { BotMessage } from "./message.ts";

export type SendOutcome =
  /** `restMs`: how long until the platform allows the next one. `messageId`: lets a later message reply to this one. */
  | { kind: "sent"; restMs?: number; messageId?: string }
  /** The chat is closed to the bot for good: blocked, left, deleted. */
  | { kind: "gone"; reason: string }
  /** The chat continues under another id. */
  | { kind: "moved"; to: string }
  /** Rate-limited; `everyone` when all chats have to wait. */
  | { kind: "later"; delayMs: number; everyone: boolean }
  /** It will never accept this message. */
  | { kind: "refused"; reason: string }
  /** Whether it arrived is unknown. */
  | { kind: "unanswered"; reason: string };

export interface Channel {
  /** Over all chats. */
  messagesPerSecond: number;
  /** The minimum time between two messages to a chat. */
  gapMs(chat: string): number;
  /** Whether it is short enough for one message. */
  fits(message: BotMessage): boolean;
  /** `key` is the same for every attempt at the same message. */
  send(chat: string, message: BotMessage, key: string): Promise<SendOutcome>;
}
