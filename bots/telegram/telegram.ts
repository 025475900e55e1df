// The Telegram bot: alerts out, commands in, by long polling or by a webhook. The offset is written after an update has been
// handled, so a crash in between may answer a command twice and ignores none.
import { createHmac, timingSafeEqual } from "node:crypto";
import { LOOP_DONE, runLoop } from "../../kit/loop.ts";
import { type Bot, type BotParts, openBot } from "../core/bot.ts";
import { COMMANDS } from "../core/command-words.ts";
import { parseJson, serveEndpoint, statusOnly } from "../core/endpoint.ts";
import { Unclear } from "../core/unclear.ts";
import { createTelegramApi, type TelegramApi, type TelegramOptions } from "./api.ts";
import { telegramChannel } from "./channel.ts";
import { ALLOWED_UPDATES, handleUpdate, type TelegramUpdate, Update, type UpdateParts } from "./updates.ts";

export interface TelegramParts extends Omit<BotParts, "channel">, TelegramOptions {
  /** The URL that Telegram posts updates to, and the address to listen on; without it updates are polled. */
  webhook: { url: string; host: string; port: number } | null;
  onReady?(username: string): void;
}

const POLL_SECONDS = 25;
/** A response may take as long as the poll, and a little longer. */
const POLL_MS_MAX = 40_000;
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MS_MAX = 30_000;

/** Runs until the signal aborts. */
export async function runTelegram(parts: TelegramParts): Promise<void> {
  const api = createTelegramApi(parts);
  const stop = new AbortController();
  const signal = AbortSignal.any([parts.signal, stop.signal]);
  const username = await introduce(api, parts, signal);
  if (username === null) return;
  const bot = await openBot({ ...parts, signal, channel: telegramChannel(api) });
  const listen = () => {
    const updates = { bot, api, username, log: parts.log };
    return parts.webhook
      ? receive(parts, parts.webhook, api, bot, updates, signal)
      : poll(parts, api, bot, updates, signal);
  };
  parts.onReady?.(username);
  // Both must end before the bot's state is closed; if one fails, the other is stopped.
  const ended = await Promise.allSettled(
    [bot.run(), listen()].map((each) => each.finally(() => stop.abort())),
  );
  await bot.close();
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}

/** The bot's identity; null when it was stopped before Telegram answered. */
async function introduce(
  api: TelegramApi,
  parts: TelegramParts,
  signal: AbortSignal,
): Promise<string | null> {
  const { clock, log, random } = parts;
  let username: string | null = null;
  const round = async () => {
    const me = await api.call<{ username: string }>("getMe", {}, { signal });
    if (!me.ok && (me.status === 401 || me.status === 404))
      throw new Unclear("Telegram does not know BOT_TELEGRAM_TOKEN. @BotFather gives the right one.");
    if (!me.ok) throw new Error(me.reason);
    const commands = COMMANDS.map(({ name, about }) => ({ command: name, description: about }));
    await api.call("setMyCommands", { commands }, { signal });
    username = me.result.username;
    return LOOP_DONE;
  };
  const failure = "Telegram can't be reached";
  const backoff = { firstMs: BACKOFF_FIRST_MS, msMax: BACKOFF_MS_MAX, random };
  const isFatal = (error: unknown) => error instanceof Unclear;
  await runLoop({ clock, log, failure, everyMs: BACKOFF_FIRST_MS, backoff, isFatal, round }, signal);
  return username;
}

async function poll(
  { clock, log, random }: TelegramParts,
  api: TelegramApi,
  bot: Bot,
  updates: UpdateParts,
  signal: AbortSignal,
): Promise<void> {
  let isFirst = true;
  const round = async () => {
    // A webhook set earlier would withhold updates from polling.
    if (isFirst) await api.call("deleteWebhook", {}, { signal });
    isFirst = false;
    const saved = bot.state.place("updates");
    const asked = {
      timeout: POLL_SECONDS,
      allowed_updates: ALLOWED_UPDATES,
      ...(saved === null ? {} : { offset: Number(saved) + 1 }),
    };
    const answer = await api.call<unknown[]>("getUpdates", asked, { timeoutMs: POLL_MS_MAX, signal });
    if (!answer.ok) {
      log.warn("updates could not be read", { reason: answer.reason });
      return answer.retryAfterMs ?? BACKOFF_FIRST_MS;
    }
    await handleAll(answer.result, bot, updates);
    return 0;
  };
  const backoff = { firstMs: BACKOFF_FIRST_MS, msMax: BACKOFF_MS_MAX, random };
  await runLoop({ clock, log, failure: "updates could not be read", backoff, round }, signal);
}

/** In order within a chat; chats don't wait for each other. */
async function handleAll(given: unknown, bot: Bot, updates: UpdateParts): Promise<void> {
  const read = (Array.isArray(given) ? given : []).flatMap((each) => {
    const update = Update.safeParse(each);
    return update.success ? [update.data] : [];
  });
  const newest = Math.max(...read.map(({ update_id }) => update_id));
  if (read.length === 0) return;
  const byChat = Map.groupBy(read, chatOf);
  await Promise.all(
    [...byChat.values()].map(async (own) => {
      for (const update of own) await handleOne(update, updates);
    }),
  );
  await bot.state.savePlace("updates", String(newest));
}

const chatOf = ({ message, channel_post, callback_query, my_chat_member }: TelegramUpdate) =>
  (message ?? channel_post ?? callback_query?.message ?? my_chat_member)?.chat.id ?? "";

/** An update that fails by our fault must not be redelivered forever. */
async function handleOne(update: TelegramUpdate, parts: UpdateParts): Promise<void> {
  try {
    await handleUpdate(update, parts);
  } catch (error) {
    parts.log.error("an update could not be handled", { error });
  }
}

async function receive(
  { token, log }: TelegramParts,
  { url, host, port }: NonNullable<TelegramParts["webhook"]>,
  api: TelegramApi,
  bot: Bot,
  updates: UpdateParts,
  signal: AbortSignal,
): Promise<void> {
  // Known only to Telegram and us, not derivable from the URL; the same after every start.
  const secret = createHmac("sha256", token).update("crowdtape webhook").digest("hex");
  const answer = async (headers: Headers, text: string) => {
    if (!isSame(headers.get("x-telegram-bot-api-secret-token") ?? "", secret)) return statusOnly(401);
    const update = Update.safeParse(parseJson(text));
    if (!update.success) return statusOnly(400);
    // Telegram redelivers updates that got no response.
    const isOld = update.data.update_id <= Number(bot.state.place("updates") ?? -1);
    if (!isOld) await handleAll([update.data], bot, updates);
    return statusOnly(200);
  };
  const ready = async (listening: number) => {
    const input = { url, secret_token: secret, allowed_updates: ALLOWED_UPDATES, max_connections: 1 };
    const set = await api.call("setWebhook", input, { signal });
    if (!set.ok) throw new Unclear(`Telegram does not take the webhook: ${set.reason}`);
    log.info("updates arrive by webhook", { port: listening });
  };
  await serveEndpoint({ host, port, path: new URL(url).pathname, answer, ready }, signal);
}

function isSame(given: string, secret: string): boolean {
  const [a, b] = [given, secret].map((text) => createHmac("sha256", "same").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
