// The Discord bot: alerts to channels with the bot's token or to an incoming webhook, slash commands over the interactions
// endpoint. It needs no gateway: it reads no messages in any channel.
import { LOOP_DONE, runLoop } from "../../kit/loop.ts";
import { type Bot, type BotParts, openBot } from "../core/bot.ts";
import { COMMANDS } from "../core/command-words.ts";
import { serveEndpoint } from "../core/endpoint.ts";
import { Unclear } from "../core/unclear.ts";
import { readWish, toFollow } from "../core/wish.ts";
import { createDiscordApi, type DiscordApi } from "./api.ts";
import { discordChannel, WEBHOOK_CHAT } from "./channel.ts";
import { createInteractions } from "./interactions.ts";

export interface DiscordParts extends Omit<BotParts, "channel"> {
  base: string;
  /** The bot's token, for commands and channels. */
  token: string | null;
  /** An incoming webhook and its follows, as written for /follow. */
  webhook: { url: string; follows: readonly string[] } | null;
  host: string;
  port: number;
  onReady?(port: number | null): void;
}

interface Application {
  id: string;
  publicKey: string;
}

/** The path that Discord posts interactions to. */
export const INTERACTIONS_PATH = "/interactions";
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MS_MAX = 30_000;
/** Who may change a channel's follows: members who manage channels. */
const MANAGE_CHANNELS = "16";
const CHANGING = new Set(["follow", "unfollow", "unmute", "stop"]);
const TEXT_OPTION = 3;

/** Runs until the signal aborts. */
export async function runDiscord(parts: DiscordParts): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([parts.signal, stop.signal]);
  const api = createDiscordApi(parts);
  const application = parts.token === null ? null : await introduce(api, parts, signal);
  if (signal.aborted) return;
  const channel = discordChannel(api, parts.webhook?.url ?? null);
  const bot = await openBot({ ...parts, signal, channel });
  const work = async () => {
    await followForWebhook(parts, bot);
    const all = [bot.run(), ...(application ? [listen(parts, api, bot, application, signal)] : [])];
    if (!application) parts.onReady?.(null);
    return Promise.allSettled(all.map((each) => each.finally(() => stop.abort())));
  };
  try {
    for (const each of await work()) if (each.status === "rejected") throw each.reason;
  } finally {
    stop.abort();
    await bot.close();
  }
}

/** Fetches the application's id and key and registers the commands; null when it was stopped before. */
async function introduce(
  api: DiscordApi,
  { clock, log, random }: DiscordParts,
  signal: AbortSignal,
): Promise<Application | null> {
  let application: Application | null = null;
  const round = async () => {
    const { status, body, retryAfterMs } = await api.call("GET", "/applications/@me", undefined, signal);
    if (status === 401 || status === 403)
      throw new Unclear(
        "Discord does not know BOT_DISCORD_TOKEN. The application's Bot page has the right one.",
      );
    if (status === 429) return retryAfterMs ?? BACKOFF_FIRST_MS;
    const [id, publicKey] = [String(body.id), String(body.verify_key)];
    if (status !== 200 || !/^\d{1,20}$/.test(id) || !/^[0-9a-f]{64}$/i.test(publicKey))
      throw new Error(`Discord answered ${status}`);
    const declared = await api.call("PUT", `/applications/${id}/commands`, DECLARED, signal);
    if (declared.status === 429) return declared.retryAfterMs ?? BACKOFF_FIRST_MS;
    if (declared.status >= 300) throw new Error(`Discord answered ${declared.status} to the commands`);
    application = { id, publicKey };
    return LOOP_DONE;
  };
  const backoff = { firstMs: BACKOFF_FIRST_MS, msMax: BACKOFF_MS_MAX, random };
  const isFatal = (error: unknown) => error instanceof Unclear;
  await runLoop({ clock, log, failure: "Discord can't be reached", backoff, isFatal, round }, signal);
  return application;
}

const DECLARED = COMMANDS.map(({ name, about, takes }) => ({
  name,
  type: 1,
  description: about,
  ...(CHANGING.has(name) ? { default_member_permissions: MANAGE_CHANNELS } : {}),
  ...(takes ? { options: [{ type: TEXT_OPTION, name: takes, description: about, required: false }] } : {}),
}));

/** Replaces the follows of an earlier setting; its position in the log is kept. */
async function followForWebhook({ webhook, client, chains }: DiscordParts, bot: Bot): Promise<void> {
  if (!webhook) return bot.commands.forget(WEBHOOK_CHAT);
  const wishes = webhook.follows.map((words) => readWish(words.split(/\s+/).filter(Boolean), chains));
  const follows = await Promise.all(wishes.map((wish) => toFollow(client, wish, chains)));
  await bot.commands.setFollows(WEBHOOK_CHAT, follows);
}

function listen(
  parts: DiscordParts,
  api: DiscordApi,
  bot: Bot,
  { id, publicKey }: Application,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log, host, port } = parts;
  const answer = createInteractions({ clock, log, bot, api, applicationId: id, publicKey });
  const ready = async (listening: number) => parts.onReady?.(listening);
  return serveEndpoint({ host, port, path: INTERACTIONS_PATH, answer, ready }, signal);
}
