// A log event with everything needed to deliver it: its stream, the facts for filters, and its frame's text,
// made once per form and shared by every socket that gets it.
import type { Chains } from "../../contract/chains.ts";
import type { StreamName } from "../../contract/frames.ts";
import { alertFrame } from "../../contract/wire/alert.ts";
import { retractFrame, tradeFrame } from "../../contract/wire/trade.ts";
import type { LogEvent } from "../model/event.ts";
import { type EventFacts, factsOf } from "./facts.ts";

export type TradeEvent = Extract<LogEvent, { kind: "trade" }>;
/** Anything retractable: a trade of the chain, or an alert about one. */
export type RetractableEvent = TradeEvent | Extract<LogEvent, { feed: "app" }>;

/** Facts that an event itself does not contain. */
export interface EntryContext {
  chains: Chains;
  /** What a retraction retracts, or the trade that a finality upgrade is about; null when it is no longer kept. */
  earlier: RetractableEvent | null;
  /** Whether the wallet of a trade is known to be its trader's. */
  verified: boolean;
}

export interface FeedEntry {
  readonly event: LogEvent;
  readonly seq: number;
  readonly capturedAt: number;
  /** When this node first read it from the log; 0 if that was before the node started, or is no longer known. */
  readAt: number;
  readonly stream: StreamName;
  /** What a retraction retracts; null for other events, and when it is no longer kept. */
  readonly undone: RetractableEvent | null;
  /** null only for a retraction whose trade is no longer kept; then only its chain can be matched. */
  readonly facts: EventFacts | null;
  readonly chainId: number | null;
  /** Not history: events from before the log began are read but never sent. */
  readonly isNews: boolean;
  /** A trade sent before, again as final: only for those who asked for finality. */
  readonly isUpgrade: boolean;
  /** The frame as sent live, or as a replay. */
  text(replay: boolean): string;
}

export function entryOf(event: LogEvent, context: EntryContext): FeedEntry {
  return new LoggedEntry(event, context);
}

/** Thousands are kept at a time, so an entry holds no closures. */
class LoggedEntry implements FeedEntry {
  readonly facts: EventFacts | null;
  readAt = 0;
  #live: string | undefined;
  #replayed: string | undefined;

  constructor(
    readonly event: LogEvent,
    private readonly context: EntryContext,
  ) {
    const subject = event.kind === "retract" || event.kind === "final" ? context.earlier : event;
    this.facts = subject && factsOf(subject);
  }

  get seq(): number {
    return this.event.seq;
  }

  get capturedAt(): number {
    return this.event.capturedAt;
  }

  get stream(): StreamName {
    // A retraction goes wherever the retracted event went.
    const { feed } = (this.event.kind === "retract" && this.context.earlier) || this.event;
    return feed === "chain" ? "trades" : "alerts";
  }

  get undone(): RetractableEvent | null {
    return this.event.kind === "retract" ? this.context.earlier : null;
  }

  get chainId(): number | null {
    const { event } = this;
    const isAboutEarlier = event.kind === "retract" || event.kind === "final";
    return isAboutEarlier ? event.networkId : (this.facts?.chainId ?? null);
  }

  get isUpgrade(): boolean {
    return this.event.kind === "final";
  }

  get isNews(): boolean {
    return this.event.isHistory !== true;
  }

  text(replay: boolean): string {
    if (replay) {
      this.#replayed ??= JSON.stringify({ ...frameOf(this.event, this.context), replay: true });
      return this.#replayed;
    }
    this.#live ??= JSON.stringify(frameOf(this.event, this.context));
    return this.#live;
  }
}

function frameOf(event: LogEvent, { chains, earlier, verified }: EntryContext) {
  if (event.feed !== "chain") return alertFrame(event, chains);
  if (event.kind === "trade") return tradeFrame(event, chains, verified);
  if (event.kind === "retract") return retractFrame(event, earlier, chains);
  const { seq, networkId, finalizedEventId } = event;
  // Under its own id and its new position, so that a reader knows which trade is meant.
  if (earlier?.kind === "trade")
    return { ...tradeFrame(earlier, chains, verified), seq, finality: "finalized" as const };
  const chain = { chainId: networkId, chain: chains.nameOf(networkId) };
  return { type: "trade", eventId: finalizedEventId, seq, ...chain, finality: "finalized" };
}
