// An event of the log with what delivering it needs: its stream, what filters ask about, and its frame's text,
// made once per form and shared by every socket that gets it.
import type { Chains } from "../../contract/chains.ts";
import { alertFrame } from "../../contract/wire/alert.ts";
import { retractFrame, tradeFrame } from "../../contract/wire/trade.ts";
import type { LogEvent } from "../model/event.ts";
import { type Facts, factsOf, type Stream } from "./facts.ts";

export type TradeEvent = Extract<LogEvent, { kind: "trade" }>;

/** What an event does not say about itself. */
export interface Context {
  chains: Chains;
  /** The trade that a retraction takes back; null when it is not kept any more. */
  retracted: TradeEvent | null;
  /** Whether the wallet of a trade is known to be its trader's. */
  verified: boolean;
}

export interface Entry {
  readonly seq: number;
  readonly capturedAt: number;
  readonly stream: Stream;
  /** null only for a retraction whose trade is no longer kept; then its chain is all there is to match. */
  readonly facts: Facts | null;
  readonly chainId: number | null;
  /** Not history: what had happened before the log began is read, and sent to nobody. */
  readonly isNews: boolean;
  /** The frame as it goes out live, or as a replay. */
  text(replay: boolean): string;
}

export function entryOf(event: LogEvent, context: Context): Entry {
  return new LoggedEntry(event, context);
}

/** Thousands are kept at a time, so an entry holds no functions of its own. */
class LoggedEntry implements Entry {
  readonly facts: Facts | null;
  #live: string | undefined;
  #replayed: string | undefined;

  constructor(
    private readonly event: LogEvent,
    private readonly context: Context,
  ) {
    const subject = event.kind === "retract" ? context.retracted : event;
    this.facts = subject && factsOf(subject);
  }

  get seq(): number {
    return this.event.seq;
  }

  get capturedAt(): number {
    return this.event.capturedAt;
  }

  get stream(): Stream {
    return this.event.feed === "chain" ? "trades" : "alerts";
  }

  get chainId(): number | null {
    return this.event.kind === "retract" ? this.event.networkId : (this.facts?.chainId ?? null);
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

function frameOf(event: LogEvent, { chains, retracted, verified }: Context) {
  if (event.feed !== "chain") return alertFrame(event, chains);
  return event.kind === "trade"
    ? tradeFrame(event, chains, verified)
    : retractFrame(event, retracted, chains);
}
