// The port to a chat platform: sends one message and says in one of a few words what became of it. Limits are the
// platform's own; what to do about an outcome is decided once, in post.ts.
import type { BotMessage } from "./message.ts";

export type SendOutcome =
  /** `restMs`: the platform allows the next one after this. `messageId`: what a later message can answer. */
  | { kind: "sent"; restMs?: number; messageId?: string }
  /** The chat is closed to the bot for good: blocked, left, deleted. */
  | { kind: "gone"; reason: string }
  /** It continues under another id. */
  | { kind: "moved"; to: string }
  /** Too fast; `everyone` when all chats have to wait. */
  | { kind: "later"; delayMs: number; everyone: boolean }
  /** It will never take this message. */
  | { kind: "refused"; reason: string }
  /** Whether it arrived is unknown. */
  | { kind: "unanswered"; reason: string };

export interface Channel {
  /** Over all chats. */
  messagesPerSecond: number;
  /** The least time between two messages to a chat. */
  gapMs(chat: string): number;
  /** Whether it is short enough for one message. */
  fits(message: BotMessage): boolean;
  /** `key` is the same in every attempt at the same message. */
  send(chat: string, message: BotMessage, key: string): Promise<SendOutcome>;
}
