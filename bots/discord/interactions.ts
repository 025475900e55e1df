// Slash commands and buttons, posted by Discord and signed with Ed25519. Anything not signed with the application's own key,
// or signed long ago, is refused before it is read.
import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";
import type { Kit } from "../../kit/kit.ts";
import { within } from "../../kit/timeout.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import type { Bot } from "../core/bot.ts";
import { parseJson, statusOnly } from "../core/endpoint.ts";
import { type BotMessage, say } from "../core/message.ts";
import { type DiscordApi, DiscordFailed } from "./api.ts";
import { bodyOf } from "./channel.ts";

export interface InteractionParts extends Pick<Kit, "clock" | "log"> {
  bot: Pick<Bot, "commands">;
  api: DiscordApi;
  applicationId: string;
  /** Hexadecimal, as Discord shows it. */
  publicKey: string;
}

const Interaction = z.object({
  type: z.number(),
  token: z
    .string()
    .regex(/^[\w.-]{1,512}$/)
    .optional(),
  channel_id: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  data: z
    .object({
      name: z.string().optional(),
      custom_id: z.string().max(100).optional(),
      options: z
        .array(z.object({ value: z.unknown() }))
        .max(10)
        .optional(),
    })
    .optional(),
});

const PING = 1;
const COMMAND = 2;
const BUTTON = 3;
const MESSAGE_NOW = 4;
const MESSAGE_LATER = 5;
const ONLY_FOR_THE_ASKER = 64;
/** Discord waits three seconds for the first response. */
const ANSWER_MS_MAX = 2_000;
/** Between Discord's clock and ours; an older post is a replay. */
const AGE_MS_MAX = 5 * MINUTE_MS;
/** The header of a raw Ed25519 key, in DER. */
const KEY_HEADER = Buffer.from("302a300506032b6570032100", "hex");

export function createInteractions(parts: InteractionParts) {
  const { clock, bot } = parts;
  const key = createPublicKey({
    key: Buffer.concat([KEY_HEADER, Buffer.from(parts.publicKey, "hex")]),
    format: "der",
    type: "spki",
  });

  const isSigned = (headers: Headers, text: string) => {
    const signature = headers.get("x-signature-ed25519") ?? "";
    const timestamp = headers.get("x-signature-timestamp") ?? "";
    if (!/^[0-9a-f]{128}$/i.test(signature) || !/^\d{1,12}$/.test(timestamp)) return false;
    if (Math.abs(clock.now() - Number(timestamp) * 1_000) > AGE_MS_MAX) return false;
    return verify(null, Buffer.from(timestamp + text), key, Buffer.from(signature, "hex"));
  };

  return async (headers: Headers, text: string): Promise<Response> => {
    if (!isSigned(headers, text)) return statusOnly(401);
    const read = Interaction.safeParse(parseJson(text));
    if (!read.success) return statusOnly(400);
    const { type, token, channel_id: chat, data = {} } = read.data;
    if (type === PING) return Response.json({ type: PING });
    if (chat === undefined || token === undefined) return statusOnly(400);
    if (type === COMMAND) {
      const words = (data.options ?? []).flatMap(({ value }) => String(value).split(/\s+/)).filter(Boolean);
      return answer(parts, token, bot.commands.run(chat, data.name ?? "", words), false);
    }
    if (type === BUTTON) return answer(parts, token, bot.commands.act(chat, data.custom_id ?? ""), true);
    return statusOnly(400);
  };
}

const TOO_MANY = say("Too many questions; try again in a minute.");
const FAILED = say("That did not work. The operator's log says why.");

async function answer(
  parts: InteractionParts,
  token: string,
  work: Promise<BotMessage | null>,
  isPrivate: boolean,
): Promise<Response> {
  const message = work.then(
    (reply) => withFlag(reply ?? TOO_MANY, isPrivate || reply === null),
    (error) => {
      parts.log.error("an interaction could not be handled", { error });
      return withFlag(FAILED, true);
    },
  );
  const late = () => null;
  const first = await within(parts.clock, ANSWER_MS_MAX, message, late);
  if (first) return Response.json({ type: MESSAGE_NOW, data: first });
  void message.then((body) => sendLater(parts, token, body));
  return Response.json({ type: MESSAGE_LATER, data: isPrivate ? { flags: ONLY_FOR_THE_ASKER } : {} });
}

function withFlag(message: BotMessage, isPrivate: boolean): object {
  const body = bodyOf(message) as { flags?: number };
  return isPrivate ? { ...body, flags: (body.flags ?? 0) | ONLY_FOR_THE_ASKER } : body;
}

async function sendLater({ api, applicationId, log }: InteractionParts, token: string, body: object) {
  try {
    const path = `/webhooks/${applicationId}/${token}/messages/@original`;
    const { status } = await api.call("PATCH", path, body);
    if (status >= 300) log.warn("an answer was refused", { status });
  } catch (error) {
    if (!(error instanceof DiscordFailed)) throw error;
    log.warn("an answer was not accepted", { reason: error.message });
  }
}
