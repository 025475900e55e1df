// The settings of the chat bots, in the service and as `crowdtape bot`. They are part of the service's own table, from which
// docs/settings.md is generated.
import { list, matching, secret, text, url, WEB, wholeNumber } from "../kit/settings.ts";

export const BOT_SETTINGS = {
  BOT_SERVER: url(
    "The service that a bot reads from; defaults to the one it runs in, the saved login's, or the one on PORT.",
  ),
  BOT_KEY: secret(
    matching(
      "The API key that a bot reads with; defaults to the saved login's, or in a simulated service a ready one. Give it a separate key with a monthly cap.",
      /^ct_(live|test)_\w{8,}$/,
      "a key that starts with ct_live_ or ct_test_",
    ),
  ),
  BOT_HOST: text("The address that a bot listens on, if it has to.", "127.0.0.1"),
  BOT_PORT: wholeNumber("The port that a bot listens on, if it has to; 0 picks a free one.", 8090, 0, 65_535),
  BOT_TELEGRAM_TOKEN: secret(
    matching(
      'The token that @BotFather gave: the service runs the bot, or "crowdtape bot telegram" does. Set it for one of them only.',
      /^\d{1,20}:[\w-]{20,100}$/,
      "a token such as 123456:ABC-DEF…",
    ),
  ),
  BOT_TELEGRAM_NAME: matching(
    "The Telegram bot's name, for the service: its explorer then offers to send a list of follows to it.",
    /^\w{5,32}$/,
    "a name such as tape_bot, without @",
  ),
  BOT_TELEGRAM_API: url(
    "The Bot API; set another address to use your own Bot API server.",
    WEB,
    "https://api.telegram.org",
  ),
  BOT_TELEGRAM_WEBHOOK: url(
    "Where Telegram reaches BOT_PORT from outside, to have updates posted instead of polling for them.",
  ),
  BOT_DISCORD_TOKEN: secret(
    matching(
      'The token of the application\'s bot, for commands: the service runs the bot, or "crowdtape bot discord" does. Set it for one of them only.',
      /^[\w.-]{20,200}$/,
      "a bot token as Discord shows it",
    ),
  ),
  BOT_DISCORD_APPLICATION: matching(
    "The Discord application's id, for the service: its explorer then offers the invitation, and a list of follows.",
    /^\d{5,20}$/,
    "the digits of an application id",
  ),
  BOT_DISCORD_API: url("Discord's REST interface.", WEB, "https://discord.com/api/v10"),
  BOT_DISCORD_WEBHOOK: secret(
    matching(
      "An incoming webhook of a Discord channel that alerts go to; needs no bot and no token.",
      /^https?:\/\/[^\s?#]+\/webhooks\/\d{1,20}\/[\w-]{1,200}$/,
      "the address of a Discord webhook",
    ),
  ),
  BOT_DISCORD_FOLLOW: list(
    "The follows of BOT_DISCORD_WEBHOOK, each written as for /follow.",
    /^[^\r\n]{1,200}$/,
    "follows such as @name buys, $TOKEN 500",
    "all buys 5000",
  ),
} as const;
