// Sends what waits for each chat, in order, as fast as the platform allows and no faster. An alert counts as sent when the
// platform took it: the chat's position moves after that, so a crash in between repeats one message and loses none. A chat
// that is slow delays no other chat.
import type { AlertFrame, RetractFrame } from "../../client/src/generated.ts";
import type { StreamPosition } from "../../client/src/stream/position.ts";
import { createBackoff } from "../../kit/backoff.ts";
import type { Kit } from "../../kit/kit.ts";
import { createPace } from "../../kit/pace.ts";
import { alertLine, alertsMessage, type PagesUrl, undoneMessage } from "./alert.ts";
import type { Channel, SendOutcome } from "./channel.ts";
import type { BotMessage } from "./message.ts";
import type { BotState } from "./state.ts";

export interface BotPostParts extends Pick<Kit, "clock" | "log" | "random"> {
  channel: Channel;
  state: BotState;
  pages: PagesUrl;
  signal: AbortSignal;
  /** Called for a chat that blocked the bot, or became another one. */
  onGone(chat: string): Promise<void>;
  onMoved(from: string, to: string): Promise<void>;
}

export interface BotPost {
  /** Queues an alert at its position; those beyond the limit become a count. */
  alert(chat: string, alert: AlertFrame, at: StreamPosition): void;
  /** Retracts an alert: a chat that received it is sent a retraction, in order; an alert still waiting is dropped. */
  retract(retract: RetractFrame, at: StreamPosition): Promise<void>;
  /** Queues a message that is not an alert: sent before waiting alerts, given up after some attempts. */
  reply(chat: string, message: BotMessage): void;
  /** The earliest waiting position in this log; null when nothing is waiting, "another" when something of an older log is. */
  waitingFrom(epoch: string): number | null | "another";
  drop(chat: string): void;
  rename(from: string, to: string): void;
  /** Resolves when every attempt in progress has ended. */
  stopped(): Promise<void>;
}

/** Alerts that may be queued for one chat; older ones are counted instead. Twenty messages, more than anyone reads at once. */
const WAITING_MAX = 200;
/** Alerts in one message: more is a wall of text. */
const LINES_MAX = 10;
const REPLIES_MAX = 20;
const REPLY_ATTEMPTS_MAX = 5;
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MS_MAX = 60_000;

interface WaitingAlert {
  alert: AlertFrame;
  at: StreamPosition;
}

type Waiting = WaitingAlert | { retract: RetractFrame; at: StreamPosition };

interface Box {
  /** Changes when its group becomes another one. */
  chat: string;
  replies: BotMessage[];
  alerts: Waiting[];
  leftOut: number;
  /** Messages in flight may arrive, up to here. */
  trying: StreamPosition | null;
  nextAt: number;
  running: Promise<void> | null;
}

interface Parcel {
  message: BotMessage;
  key: string;
  /** Position to write once it is sent; null for a reply. */
  upTo: StreamPosition | null;
  alerts: readonly AlertFrame[];
  /** How many alerts it says were left out. */
  leftOut: number;
}

export function createPost(parts: BotPostParts): BotPost {
  const { channel, state, clock, log, random, signal } = parts;
  const boxes = new Map<string, Box>();
  const pace = createPace(clock, channel.messagesPerSecond);
  let everyoneAt = 0;
  let replyNumber = 0;

  const boxOf = (chat: string): Box => {
    const known = boxes.get(chat);
    if (known) return known;
    const box: Box = { chat, replies: [], alerts: [], leftOut: 0, trying: null, nextAt: 0, running: null };
    boxes.set(chat, box);
    return box;
  };

  const isEmpty = (box: Box) => box.replies.length === 0 && box.alerts.length === 0;

  const start = (box: Box) => {
    box.running ??= run(box).finally(() => {
      box.running = null;
      if (!isEmpty(box) && !signal.aborted && boxes.get(box.chat) === box) start(box);
    });
  };

  const run = async (box: Box) => {
    const backoff = createBackoff(random, BACKOFF_FIRST_MS, BACKOFF_MS_MAX);
    while (!isEmpty(box)) {
      const parcel = await nextParcel(box);
      if (!parcel) continue;
      box.trying = parcel.upTo;
      const isSettled = await deliver(box, parcel, backoff);
      box.trying = null;
      if (!isSettled) return;
      backoff.reset();
    }
    // Its next allowed send time is remembered for as long as it matters.
    if (box.nextAt > clock.now()) await clock.sleep(box.nextAt - clock.now(), signal);
    if (isEmpty(box) && boxes.get(box.chat) === box) boxes.delete(box.chat);
  };

  /** Null when the next entry turned out to be nothing that this chat needs. */
  const nextParcel = async (box: Box): Promise<Parcel | null> => {
    const [reply] = box.replies;
    replyNumber += 1;
    if (reply) return { message: reply, key: `r${replyNumber}`, upTo: null, alerts: [], leftOut: 0 };
    const [first] = box.alerts;
    if (first && "retract" in first) return retraction(box, first.retract, first.at);
    const waiting = leadingAlerts(box.alerts);
    for (let count = Math.min(LINES_MAX, waiting.length); ; count--) {
      const some = waiting.slice(0, count);
      const alerts = some.map(({ alert }) => alert);
      const message = alertsMessage(alerts, box.leftOut, parts.pages);
      const last = some.at(-1);
      if (last && (count === 1 || channel.fits(message)))
        return { message, key: `a${last.at.seq}`, upTo: last.at, alerts, leftOut: box.leftOut };
    }
  };

  const retraction = async (box: Box, retract: RetractFrame, at: StreamPosition): Promise<Parcel | null> => {
    const sent = await state.sentAlert(box.chat, retract.eventId);
    if (sent)
      return {
        message: undoneMessage(sent, retract.reason),
        key: `u${at.seq}`,
        upTo: at,
        alerts: [],
        leftOut: 0,
      };
    // It was refused, or sent so long ago that it is no longer remembered.
    box.alerts = box.alerts.filter((each) => each.at !== at);
    return null;
  };

  /** Retries until the outcome is final; false when the box no longer exists. */
  const deliver = async (box: Box, parcel: Parcel, backoff: ReturnType<typeof createBackoff>) => {
    for (let attempt = 1; !signal.aborted; attempt++) {
      await patience(box);
      if (signal.aborted || boxes.get(box.chat) !== box) return false;
      const outcome = await channel.send(box.chat, parcel.message, parcel.key);
      box.nextAt = clock.now() + channel.gapMs(box.chat);
      if (boxes.get(box.chat) !== box) return false;
      if (outcome.kind === "gone") {
        log.info("a chat is closed to the bot", { chat: box.chat, reason: outcome.reason });
        await parts.onGone(box.chat);
        return false;
      }
      if (outcome.kind === "moved") await parts.onMoved(box.chat, outcome.to);
      else if (outcome.kind === "later") holdBack(box, outcome);
      else if (outcome.kind === "unanswered") {
        const delayMs = backoff.nextMs();
        log.warn("a message was not accepted", { chat: box.chat, reason: outcome.reason, delayMs });
        box.nextAt = Math.max(box.nextAt, clock.now() + delayMs);
      } else {
        await settle(box, parcel, outcome);
        return true;
      }
      if (parcel.upTo === null && attempt >= REPLY_ATTEMPTS_MAX) {
        box.replies.shift();
        return true;
      }
    }
    return false;
  };

  const patience = async (box: Box) => {
    const waitMs = Math.max(box.nextAt, everyoneAt) - clock.now();
    if (waitMs > 0) await clock.sleep(waitMs, signal);
    await pace.turn(signal);
  };

  const holdBack = (box: Box, { delayMs, everyone }: Extract<SendOutcome, { kind: "later" }>) => {
    const at = clock.now() + delayMs;
    if (everyone) everyoneAt = Math.max(everyoneAt, at);
    else box.nextAt = Math.max(box.nextAt, at);
    log.info("rate-limited by the platform", { chat: box.chat, delayMs, everyone });
  };

  const settle = async (
    box: Box,
    { upTo, alerts, leftOut }: Parcel,
    outcome: Extract<SendOutcome, { kind: "sent" | "refused" }>,
  ) => {
    // A rejected message is rejected every time: repeating it would hold up later ones.
    if (outcome.kind === "refused")
      log.warn("a message was refused", { chat: box.chat, reason: outcome.reason });
    else box.nextAt = Math.max(box.nextAt, clock.now() + (outcome.restMs ?? 0));
    if (upTo === null) return void box.replies.shift();
    const messageId = outcome.kind === "sent" ? (outcome.messageId ?? null) : null;
    const noted = outcome.kind === "sent" ? alerts : [];
    await state.markSent(
      box.chat,
      upTo,
      noted.flatMap((alert) =>
        alert.eventId === null ? [] : [{ eventId: alert.eventId, messageId, line: alertLine(alert) }],
      ),
    );
    // While it was being sent, more may have arrived, and older ones may have been dropped.
    const sent = box.alerts.findIndex(({ at }) => at.epoch === upTo.epoch && at.seq === upTo.seq);
    if (sent >= 0) {
      box.alerts.splice(0, sent + 1);
      box.leftOut = 0;
    } else box.leftOut = Math.max(0, box.leftOut - leftOut - alerts.length);
  };

  return {
    alert(chat, alert, at) {
      const box = boxOf(chat);
      box.alerts.push({ alert, at });
      if (box.alerts.length > WAITING_MAX) {
        const oldest = box.alerts.findIndex((each) => "alert" in each);
        box.alerts.splice(oldest, 1);
        box.leftOut += 1;
      }
      start(box);
    },
    async retract(retract, at) {
      const due = new Set<string>();
      for (const [chat, box] of boxes) {
        const found = box.alerts.find((each) => "alert" in each && each.alert.eventId === retract.eventId);
        if (!found) continue;
        const { trying } = box;
        if (trying && trying.epoch === found.at.epoch && found.at.seq <= trying.seq) due.add(chat);
        else box.alerts = box.alerts.filter((each) => each !== found);
      }
      for (const chat of await state.sentTo(retract.eventId)) due.add(chat);
      for (const chat of due) {
        const sent = state.chat(chat)?.sent;
        if (!sent || (sent.epoch === at.epoch && sent.seq >= at.seq)) continue;
        const box = boxOf(chat);
        box.alerts.push({ retract, at });
        start(box);
      }
    },
    reply(chat, message) {
      const box = boxOf(chat);
      if (box.replies.length >= REPLIES_MAX) return;
      box.replies.push(message);
      start(box);
    },
    waitingFrom(epoch) {
      let from: number | null = null;
      for (const { alerts } of boxes.values()) {
        const [first] = alerts;
        if (!first) continue;
        if (first.at.epoch !== epoch) return "another";
        from = Math.min(from ?? first.at.seq, first.at.seq);
      }
      return from;
    },
    drop: (chat) => void boxes.delete(chat),
    rename(from, to) {
      const box = boxes.get(from);
      if (!box) return;
      boxes.delete(from);
      box.chat = to;
      boxes.set(to, box);
    },
    async stopped() {
      await Promise.all([...boxes.values()].map(({ running }) => running));
    },
  };
}

/** Up to the first retraction, which is a separate message. */
function leadingAlerts(waiting: readonly Waiting[]): WaitingAlert[] {
  const end = waiting.findIndex((each) => "retract" in each);
  return (end < 0 ? waiting : waiting.slice(0, end)).filter((each) => "alert" in each);
}
