// An event of the log with what delivering it needs: its stream, what filters ask about, and its frame's text,
// made once per form and shared by every socket that gets it.
import type { Chains } from "../../contract/chains.ts";
import type { StreamName } from "../../contract/frames.ts";
import { alertFrame } from "../../contract/wire/alert.ts";
import { retractFrame, tradeFrame } from "../../contract/wire/trade.ts";
import type { LogEvent } from "../model/event.ts";
import { type EventFacts, factsOf } from "./facts.ts";

export type TradeEvent = Extract<LogEvent, { kind: "trade" }>;
/** What can be taken back: a trade of the chain, or an alert about one. */
export type RetractableEvent = TradeEvent | Extract<LogEvent, { feed: "app" }>;

/** What an event does not say about itself. */
export interface EntryContext {
  chains: Chains;
  /** What a retraction takes back, or the trade that a finality upgrade is about; null when it is not kept any more. */
  earlier: RetractableEvent | null;
  /** Whether the wallet of a trade is known to be its trader's. */
  verified: boolean;
}

export interface FeedEntry {
  readonly event: LogEvent;
  readonly seq: number;
  readonly capturedAt: number;
  /** When this node first read it from the log; 0 where that was before the node began, or is no longer known. */
  readAt: number;
  readonly stream: StreamName;
  /** What a retraction takes back; null for other events, and when it is not kept any more. */
  readonly undone: RetractableEvent | null;
  /** null only for a retraction whose trade is no longer kept; then its chain is all there is to match. */
  readonly facts: EventFacts | null;
  readonly chainId: number | null;
  /** Not history: what had happened before the log began is read and never sent. */
  readonly isNews: boolean;
  /** A trade sent before, again as final: only for those who asked for finality. */
  readonly isUpgrade: boolean;
  /** The frame as it goes out live, or as a replay. */
  text(replay: boolean): string;
}

export function entryOf(event: LogEvent, context: EntryContext): FeedEntry {
  return new LoggedEntry(event, context);
}

/** Thousands are kept at a time, so an entry holds no functions of its own. */
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
    // A retraction goes where what it takes back went.
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
  // Under its own id and its new place, so that a reader knows which trade is meant.
  if (earlier?.kind === "trade")
    return { ...tradeFrame(earlier, chains, verified), seq, finality: "finalized" as const };
  const chain = { chainId: networkId, chain: chains.nameOf(networkId) };
  return { type: "trade", eventId: finalizedEventId, seq, ...chain, finality: "finalized" };
}
