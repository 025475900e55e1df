// The form of a new webhook as the call accepts it: empty fields are not sent.
import type { CreateWebhookInput } from "../../client/src/generated.ts";

const TEXTS = ["name", "format", "trader", "token", "type"] as const;
const NUMBERS = ["minUsd", "batch"] as const;

export function newWebhookOf(fields: FormData): CreateWebhookInput {
  const textOf = (name: string) => String(fields.get(name) ?? "").trim();
  const texts = TEXTS.map((name) => [name, textOf(name)] as const).filter(([, text]) => text !== "");
  const numbers = NUMBERS.filter((name) => textOf(name) !== "").map(
    (name) => [name, Number(textOf(name))] as const,
  );
  const isTelegram = textOf("format") === "telegram";
  return {
    url: textOf("url"),
    ...Object.fromEntries(texts),
    ...Object.fromEntries(numbers),
    ...(isTelegram && textOf("chatId") !== "" ? { chatId: textOf("chatId") } : {}),
  };
}
