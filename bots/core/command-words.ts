// Texts around commands: the help, a chat's follows, the parsing of arguments, and error messages.
import { CrowdtapeError } from "../../client/src/api-error.ts";
import { CreditsExhausted, KeyCapReached, NotFound, RateLimited } from "../../client/src/errors.ts";
import type { ChatFollow } from "./follow.ts";
import { type BotMessage, type Line, oneLine, say } from "./message.ts";
import type { Chat } from "./state.ts";
import { Unclear } from "./unclear.ts";

export const COMMANDS: readonly { name: string; about: string; takes?: string }[] = [
  {
    name: "follow",
    about: "Alerts here: @name, $TOKEN or all, then buys, sells, a chain, a least size",
    takes: "what",
  },
  { name: "unfollow", about: "Ends a follow by its number in /list, or all", takes: "which" },
  { name: "list", about: "What this chat follows and has muted" },
  { name: "unmute", about: "Ends every mute" },
  { name: "pnl", about: "Profit of a trader: @name and 24h, 7d, 30d or all", takes: "who" },
  { name: "copy", about: "What copying a trader would have earned: @name and 24h, 7d or 30d", takes: "who" },
  { name: "top", about: "The best traders: 24h, 7d, 30d or all", takes: "window" },
  { name: "now", about: "What traders buy right now" },
  { name: "stop", about: "Forgets everything about this chat" },
  { name: "help", about: "This list" },
];

export const helpMessage = (): BotMessage =>
  say(
    [{ bold: "Trades of the traders you follow, as they happen" }],
    ...COMMANDS.map(({ name, about }): Line => [`/${name} `, { italic: about }]),
    "Nothing here is financial advice.",
  );

export function listMessage({ follows, mutes }: Chat, now: number): BotMessage {
  if (follows.length === 0) return say("This chat follows nothing yet. For example: /follow all buys 5000");
  const muted = Object.values(mutes).filter((until) => until > now).length;
  return say(
    [{ bold: "This chat follows" }],
    ...follows.map(({ label }, index): Line => [`${index + 1}. ${label}`]),
    ...(muted > 0 ? [`${muted} muted for now; /unmute ends it`] : []),
  );
}

/** By number, by name, or all. */
export function chosen(follows: readonly ChatFollow[], words: string): readonly ChatFollow[] {
  if (words.toLowerCase() === "all" && follows.length > 0) return follows;
  const byNumber = /^\d{1,3}$/.test(words) ? follows[Number(words) - 1] : undefined;
  const wanted = words.toLowerCase();
  const byName =
    wanted === "" ? undefined : follows.find(({ label }) => label.toLowerCase().split(" ").includes(wanted));
  const found = byNumber ?? byName;
  if (!found) throw new Unclear("Which one? /list shows the numbers: /unfollow 1");
  return [found];
}

export function traderIn(words: readonly string[]): string {
  const [first = ""] = words;
  if (!/^@?[\p{L}\p{N}_.-]{1,40}$/u.test(first))
    throw new Unclear("Which trader? For example: /pnl @name 7d");
  return first.replace(/^@/, "");
}

export function windowIn<Window extends string>(
  words: readonly string[],
  windows: readonly Window[],
  otherwise: NoInfer<Window>,
): Window {
  const given = words.find((word) => /^(\d+[a-z]|all)$/i.test(word))?.toLowerCase();
  if (given === undefined) return otherwise;
  const window = windows.find((each) => each === given);
  if (!window) throw new Unclear(`There is ${windows.join(", ")}, not ${oneLine(given, 10)}.`);
  return window;
}

/** A message for people; null if it is the program's fault. */
export function wordsFor(error: unknown): string | null {
  if (error instanceof Unclear) return error.message;
  if (error instanceof NotFound) return "There is nobody and nothing of that name.";
  if (error instanceof CreditsExhausted || error instanceof KeyCapReached)
    return "This bot's key has no credits left. Alerts continue.";
  if (error instanceof RateLimited) return "Too many questions at once; try again in a minute.";
  return error instanceof CrowdtapeError ? "The service did not answer; try again in a minute." : null;
}
