// `crowdtape bot`: a chat bot as a process of its own. It is a client like any other: it reads with a key over the public
// interface, so it runs next to the service or anywhere else.
import { join } from "node:path";
import { Unclear } from "../../bots/core/unclear.ts";
import { INTERACTIONS_PATH, runDiscord } from "../../bots/discord/discord.ts";
import { runTelegram } from "../../bots/telegram/telegram.ts";
import { readLogin } from "../../client/cli/login.ts";
import { Refused } from "../../client/cli/refused.ts";
import { CrowdtapeError } from "../../client/src/api-error.ts";
import { createClient } from "../../client/src/client.ts";
import { createChains } from "../../contract/chains.ts";
import { type Config, readConfig } from "../config.ts";
import { createKit } from "../foundation.ts";
import { untilSignal } from "./signals.ts";

/** Somebody waits for the answer in a chat. */
const TIMEOUT_MS = 15_000;
const RETRIES = 1;

export async function runTelegramBot(): Promise<void> {
  const config = readConfig();
  const { telegram, host, port } = config.bot;
  if (!telegram) throw new Refused("Set BOT_TELEGRAM_TOKEN to the token that @BotFather gave.");
  const { webhookUrl, ...options } = telegram;
  await running(() =>
    runTelegram({
      ...partsOf(config, "telegram"),
      ...options,
      webhook: webhookUrl === null ? null : { url: webhookUrl, host, port },
      onReady: (username) => console.log(`The Telegram bot runs: https://t.me/${username}`),
    }),
  );
}

export async function runDiscordBot(): Promise<void> {
  const config = readConfig();
  const { discord, host, port } = config.bot;
  if (discord.token === null && discord.webhook === null)
    throw new Refused(
      "Set BOT_DISCORD_TOKEN to the token of your application's bot, or BOT_DISCORD_WEBHOOK to a channel's webhook.",
    );
  const onReady = (listening: number | null) =>
    console.log(
      listening === null
        ? "The Discord bot runs, and sends to its webhook."
        : `The Discord bot runs. Set the application's interactions endpoint to an https address that leads to http://${host}:${listening}${INTERACTIONS_PATH}`,
    );
  await running(() => runDiscord({ ...partsOf(config, "discord"), ...discord, host, port, onReady }));
}

function partsOf(config: Config, name: string) {
  const { clock, log, random } = createKit(config);
  const stopping = new AbortController();
  void untilSignal().then(() => stopping.abort());
  const { server, key } = serviceOf(config);
  return {
    clock,
    log,
    random,
    signal: stopping.signal,
    client: createClient({ server, key, timeoutMs: TIMEOUT_MS, retries: RETRIES }),
    chains: createChains(config.altchain),
    pages: pagesOf(config, server),
    file: join(config.dataFolder, "bots", `${name}.sqlite`),
  };
}

function serviceOf({ bot, port }: Config): { server: string; key: string } {
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

/** Links are for everybody who reads the chat, so they go only to where everybody can. */
function pagesOf({ publicUrl, explorer }: Config, server: string): string | null {
  if (explorer === "off") return null;
  return publicUrl ?? (server.startsWith("https:") ? server : null);
}

/** What a person can fix is said in a sentence. */
async function running(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Unclear || error instanceof CrowdtapeError) throw new Refused(error.message);
    throw error;
  }
}
