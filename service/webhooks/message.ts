// The posted body: events as JSON for programs, or as a readable message in the format that Discord's webhooks or Telegram's
// sendMessage accept. The same events give the same id and the same body on every attempt.
import type { Chains } from "../../contract/chains.ts";
import type { ServedAlert } from "../../contract/shapes/types.ts";
import type { ServedBooking, ServedRetraction } from "../../contract/shapes/webhooks.ts";
import { alertOf } from "../../contract/wire/alert.ts";
import { retractFrame } from "../../contract/wire/trade.ts";
import type { StoredWebhook } from "../store/money/webhooks.ts";
import { type BookedPaper, type Deliverable, isPaper, isTakenBack, type TakenBack } from "./deliverable.ts";
import { bookedSentence, sentenceOf, takenBackSentence } from "./sentence.ts";

/** What was pruned from the log before it could be delivered; without bounds when the log was rebuilt. */
export interface LostRange {
  fromSeq: number | null;
  toSeq: number | null;
}

export interface WebhookMessage {
  /** The webhook-id header. */
  id: string;
  body: string;
}

type Form = Pick<StoredWebhook, "id" | "format" | "chatId" | "epoch" | "gap">;

export function eventsMessage(
  webhook: Form,
  events: readonly Deliverable[],
  chains: Chains,
  now: number,
): WebhookMessage {
  if (isPaper(webhook))
    return paperMessage(
      webhook,
      events.filter((event) => "booked" in event),
      now,
    );
  const takenBack = events.filter(isTakenBack);
  if (takenBack.length > 0) return retractMessage(webhook, takenBack, chains, now);
  const alerts = events.flatMap((event) =>
    "booked" in event || isTakenBack(event) || event.feed === "chain" ? [] : [alertOf(event, chains)],
  );
  const gap = gapOf(webhook);
  return { id: idOf(alerts), body: JSON.stringify(bodyOf(webhook, "alerts", alerts, gap, now)) };
}

const gapOf = ({ gap }: Pick<Form, "gap">) => (gap === null ? null : (JSON.parse(gap) as LostRange));

/** Alerts that were sent before and no longer hold. */
function retractMessage(
  webhook: Form,
  events: readonly TakenBack[],
  chains: Chains,
  now: number,
): WebhookMessage {
  const gap = gapOf(webhook);
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last) throw new Error("A message holds at least one retraction.");
  const id = first === last ? `retract_${first.undone.eventId}` : `retract_${first.seq}_${last.seq}`;
  if (webhook.format !== "json") {
    const said = events.map(({ retract, undone }) =>
      takenBackSentence(alertOf(undone, chains), retract.reason),
    );
    const lines = [...(gap ? [LOST] : []), ...said];
    return { id, body: JSON.stringify(chatBody(webhook, lines)) };
  }
  const retractions = events.map(({ retract, undone }): ServedRetraction => {
    const { type: _, ...rest } = retractFrame(retract, undone, chains);
    return rest;
  });
  const head = { webhookId: webhook.id, epoch: webhook.epoch, count: retractions.length };
  const data = { ...head, alerts: [], retractions, gap: gap && { ...gap, note: noteOf(gap) } };
  return { id, body: JSON.stringify({ type: "retract", timestamp: new Date(now).toISOString(), data }) };
}

const chatBody = ({ format, chatId }: Form, lines: readonly string[]): object =>
  format === "discord" ? discordBody(lines) : telegramBody(chatId ?? "", lines);

/** An order has a permanent number in its account's log, so that duplicates can be dropped. */
function paperMessage(webhook: Form, events: readonly BookedPaper[], now: number): WebhookMessage {
  const orders = events.map(({ seq, booked }): ServedBooking => {
    const { followId, handle, userId, body } = booked;
    return { paperSeq: seq, followId, handle, userId, order: JSON.parse(body) as ServedBooking["order"] };
  });
  const [first, last] = [events[0]?.seq ?? 0, events.at(-1)?.seq ?? 0];
  const id = `paper_${webhook.id}_${first}_${last}`;
  if (webhook.format !== "json") {
    return { id, body: JSON.stringify(chatBody(webhook, orders.map(bookedSentence))) };
  }
  const data = {
    webhookId: webhook.id,
    epoch: webhook.epoch,
    count: orders.length,
    alerts: [],
    orders,
    gap: null,
  };
  return { id, body: JSON.stringify({ type: "paper", timestamp: new Date(now).toISOString(), data }) };
}

export function testMessage(webhook: Form, id: string, now: number): WebhookMessage {
  return { id, body: JSON.stringify(bodyOf(webhook, "test", [], null, now)) };
}

function idOf(alerts: readonly ServedAlert[]): string {
  const [first, last] = [alerts[0], alerts.at(-1)];
  if (!first || !last) throw new Error("A message holds at least one event.");
  if (first !== last) return `batch_${first.seq}_${last.seq}`;
  return first.eventId ?? first.id;
}

function bodyOf(
  webhook: Form,
  type: "alerts" | "test",
  alerts: readonly ServedAlert[],
  gap: LostRange | null,
  now: number,
): object {
  if (webhook.format !== "json") return chatBody(webhook, linesOf(type, alerts, gap));
  return {
    type,
    timestamp: new Date(now).toISOString(),
    data: {
      webhookId: webhook.id,
      epoch: webhook.epoch,
      count: alerts.length,
      alerts,
      gap: gap && { ...gap, note: noteOf(gap) },
    },
  };
}

function noteOf({ fromSeq }: LostRange): string {
  return fromSeq === null
    ? "The log was rebuilt, so there is no telling what came in between."
    : "The log no longer reached back to where this webhook stopped; what lay in between is gone.";
}

function linesOf(type: "alerts" | "test", alerts: readonly ServedAlert[], gap: LostRange | null): string[] {
  if (type === "test") return ["🔔 Crowdtape can reach you here."];
  return [...(gap ? [LOST] : []), ...alerts.map(sentenceOf)];
}

const LOST = "⚠️ Some events before this one were lost.";

/** No one is pinged, nothing is a link or markup, and no preview is made, whatever a trader wrote. */
function discordBody(lines: readonly string[]): object {
  const each = Math.floor(DISCORD_LENGTH_MAX / lines.length) - 1;
  const content = lines.map((line) => escaped(line, each)).join("\n");
  return { content, allowed_mentions: { parse: [] }, flags: SUPPRESS_EMBEDS };
}

/** Longer messages are refused. */
const DISCORD_LENGTH_MAX = 2_000;
const SUPPRESS_EMBEDS = 4;

/** A backslash before whatever could be markup, and no more than so much of the line. */
function escaped(line: string, lengthMax: number): string {
  let text = "";
  for (const character of line) {
    const next = /[\\*_~`|>#[\]()<@:-]/.test(character) ? `\\${character}` : character;
    if (text.length + next.length > lengthMax) break;
    text += next;
  }
  return text;
}

/** Without a parse mode nothing is markup; a joiner behind each @ and before each / keeps names and commands from becoming links. */
function telegramBody(chatId: string, lines: readonly string[]): object {
  const text = lines.map((line) => line.replace(/[@#]/g, "$&\u2060").replace(/\//g, "\u2060/")).join("\n");
  return { chat_id: chatId, text, link_preview_options: { is_disabled: true } };
}
