// `crowdtape bot`: a chat bot as a separate process. It is a client like any other: it reads with a key over the public
// API, so it runs next to the service or anywhere else.
import { Unclear } from "../../bots/core/unclear.ts";
import { INTERACTIONS_PATH, runDiscord } from "../../bots/discord/discord.ts";
import { runTelegram } from "../../bots/telegram/telegram.ts";
import { readLogin } from "../../client/cli/login.ts";
import { Refused } from "../../client/cli/refused.ts";
import { CrowdtapeError } from "../../client/src/api-error.ts";
import { createClient } from "../../client/src/client.ts";
import { createChains } from "../../contract/chains.ts";
import type { Kit } from "../../kit/kit.ts";
import { type BotName, type Config, readConfig } from "../config.ts";
import { botLocation, createKit } from "../foundation.ts";
import { untilSignal } from "./signals.ts";

/** Someone is waiting for the answer in a chat. */
const TIMEOUT_MS = 15_000;
const RETRIES = 1;

/** The service that a bot reads from, and its key. */
export interface BotSource {
  server: string;
  key: string;
}

export interface BotRun extends Pick<Kit, "clock" | "log" | "random"> {
  source: BotSource;
  signal: AbortSignal;
  /** Called with a message for the operator once it runs. */
  onReady(said: string): void;
}

export const runTelegramBot = () => alone("telegram");
export const runDiscordBot = () => alone("discord");

/** Runs a configured bot until the signal aborts. Rejects with `Refused` for errors that a person can fix. */
export async function runBot(config: Config, name: BotName, run: BotRun): Promise<void> {
  try {
    await (name === "telegram" ? telegramBot(config, run) : discordBot(config, run));
  } catch (error) {
    if (error instanceof Unclear || error instanceof CrowdtapeError) throw new Refused(error.message);
    throw error;
  }
}

async function alone(name: BotName): Promise<void> {
  const config = readConfig();
  if (!config.bot.named.includes(name)) throw new Refused(MISSING[name]);
  const stopping = new AbortController();
  void untilSignal().then(() => stopping.abort());
  await runBot(config, name, {
    ...createKit(config),
    source: sourceOf(config),
    signal: stopping.signal,
    onReady: (said) => console.log(said),
  });
}

const MISSING: Record<BotName, string> = {
  telegram: "Set BOT_TELEGRAM_TOKEN to the token that @BotFather gave.",
  discord:
    "Set BOT_DISCORD_TOKEN to the token of your application's bot, or BOT_DISCORD_WEBHOOK to a channel's webhook.",
};

function telegramBot(config: Config, run: BotRun): Promise<void> {
  const { telegram, host, port } = config.bot;
  if (!telegram) throw new Refused(MISSING.telegram);
  const { webhookUrl, ...options } = telegram;
  return runTelegram({
    ...partsOf(config, "telegram", run),
    ...options,
    webhook: webhookUrl === null ? null : { url: webhookUrl, host, port },
    onReady: (username) => run.onReady(`The Telegram bot runs: https://t.me/${username}`),
  });
}

function discordBot(config: Config, run: BotRun): Promise<void> {
  const { discord, host, port } = config.bot;
  const onReady = (listening: number | null) =>
    run.onReady(
      listening === null
        ? "The Discord bot runs, and sends to its webhook."
        : `The Discord bot runs. Set the application's interactions endpoint to an https address that leads to http://${host}:${listening}${INTERACTIONS_PATH}`,
    );
  return runDiscord({ ...partsOf(config, "discord", run), ...discord, host, port, onReady });
}

function partsOf(config: Config, bot: BotName, { clock, log, random, signal, source }: BotRun) {
  return {
    clock,
    log,
    random,
    signal,
    client: createClient({ ...source, timeoutMs: TIMEOUT_MS, retries: RETRIES }),
    chains: createChains(config.altchain),
    pages: pagesOf(config, source.server),
    state: { bot, location: botLocation(config, bot) },
  };
}

function sourceOf({ bot, port }: Config): BotSource {
  const login = bot.key === null || bot.server === null ? readLogin() : null;
  const server = bot.server ?? (bot.key === null ? login?.server : null) ?? `http://127.0.0.1:${port}`;
  // A saved key is sent only to the server it was saved for.
  const key = bot.key ?? (login?.server === server ? login.key : null);
  if (key === null)
    throw new Refused(
      "Set BOT_KEY to an API key, such as one made with: crowdtape key create --plan starter --email a@b.example",
    );
  return { server, key };
}

/** Links are for every reader of the chat, so they go only to publicly reachable pages. */
function pagesOf({ publicUrl, explorer }: Config, server: string): string | null {
  if (explorer === "off") return null;
  return publicUrl ?? (server.startsWith("https:") ? server : null);
}
