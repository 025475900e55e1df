// A platform-independent message: lines of plain and marked spans, and rows of buttons. Strangers' text stays
// data in it; each chat platform escapes it in its own way.

export type TextSpan =
  | string
  | { bold: string }
  | { italic: string }
  | { code: string }
  | { text: string; url: string };
export type Line = readonly TextSpan[];

/** Opens a URL, or sends its action back to the bot: at most 64 bytes, Telegram's limit. */
export type Button = { label: string; url: string } | { label: string; action: string };

export interface BotMessage {
  lines: readonly Line[];
  buttons?: readonly (readonly Button[])[];
  /** The bot's earlier message in this chat that it replies to; a plain message if that one was deleted. */
  replyTo?: string;
  /** A picture of it, and the page that contains it. */
  card?: { page: string; image: string };
}

export const say = (...lines: readonly (Line | string)[]): BotMessage => ({
  lines: lines.map((line) => (typeof line === "string" ? [line] : line)),
});

/** On one line, without invisible or direction-changing characters, and truncated to this length. */
export function oneLine(text: string, lengthMax: number): string {
  const plain = [...text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim()];
  return plain.length <= lengthMax ? plain.join("") : `${plain.slice(0, lengthMax - 1).join("")}…`;
}
