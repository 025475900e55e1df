// Incoming updates: commands, buttons, and chat changes. Everything else in an update is ignored.
import { z } from "zod";
import type { Kit } from "../../kit/kit.ts";
import type { Bot } from "../core/bot.ts";
import type { BotMessage } from "../core/message.ts";
import { type TelegramApi, TelegramFailed } from "./api.ts";
import { htmlOf, JOINER } from "./channel.ts";

const Chat = z.object({ id: z.union([z.number(), z.string()]).transform(String) });
const Message = z.object({
  chat: Chat,
  text: z.string().optional(),
  migrate_to_chat_id: z.union([z.number(), z.string()]).transform(String).optional(),
});

export const Update = z.object({
  update_id: z.number(),
  message: Message.optional(),
  channel_post: Message.optional(),
  callback_query: z
    .object({ id: z.string(), data: z.string().optional(), message: z.object({ chat: Chat }).optional() })
    .optional(),
  my_chat_member: z.object({ chat: Chat, new_chat_member: z.object({ status: z.string() }) }).optional(),
});
export type TelegramUpdate = z.infer<typeof Update>;

/** The kinds above, as the API names them. */
export const ALLOWED_UPDATES = ["message", "channel_post", "callback_query", "my_chat_member"];

export interface UpdateParts extends Pick<Kit, "log"> {
  bot: Pick<Bot, "commands" | "post" | "moved">;
  api: TelegramApi;
  /** Without @: in groups a command may name its bot. */
  username: string;
}

/** A toast above a chat: short, and without markup. */
const TOAST_LENGTH_MAX = 190;

export async function handleUpdate(update: TelegramUpdate, parts: UpdateParts): Promise<void> {
  const { commands, post, moved } = parts.bot;
  const message = update.message ?? update.channel_post;
  if (message?.migrate_to_chat_id) return moved(message.chat.id, message.migrate_to_chat_id);
  const left = update.my_chat_member;
  if (left && /^(kicked|left)$/.test(left.new_chat_member.status)) return commands.forget(left.chat.id);
  if (update.callback_query) return handleButton(update.callback_query, parts);
  const command = message?.text === undefined ? null : commandIn(message.text, parts.username);
  if (!message || !command) return;
  const reply = await commands.run(message.chat.id, command.name, command.words);
  if (reply) post.reply(message.chat.id, reply);
}

async function handleButton(
  { id, data, message }: NonNullable<TelegramUpdate["callback_query"]>,
  { bot, api, log }: UpdateParts,
): Promise<void> {
  const reply = message && data !== undefined ? await bot.commands.act(message.chat.id, data) : null;
  const isShort = reply !== null && data?.startsWith("mute ");
  if (message && reply && !isShort) bot.post.reply(message.chat.id, reply);
  try {
    // Without an answer the button would keep spinning.
    await api.call("answerCallbackQuery", {
      callback_query_id: id,
      ...(isShort ? { text: plain(reply).slice(0, TOAST_LENGTH_MAX) } : {}),
    });
  } catch (error) {
    if (!(error instanceof TelegramFailed)) throw error;
    log.warn("a button was not answered", { reason: error.message });
  }
}

const plain = (message: BotMessage) => htmlOf(message).replace(/<[^>]*>/g, "");

/** `/pnl@our_bot @maya 7d`; null if it is not a command, or one for another bot. */
function commandIn(text: string, username: string): { name: string; words: string[] } | null {
  const [first = "", ...words] = text.replaceAll(JOINER, "").trim().split(/\s+/);
  const [, name, to] = /^\/([a-z]{1,32})(?:@(\w{1,64}))?$/i.exec(first) ?? [];
  if (name === undefined || (to !== undefined && to.toLowerCase() !== username.toLowerCase())) return null;
  return { name: name.toLowerCase(), words };
}
