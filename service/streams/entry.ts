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
  seq: number;
  capturedAt: number;
  stream: Stream;
  /** null only for a retraction whose trade is no longer kept; then its chain is all there is to match. */
  facts: Facts | null;
  chainId: number | null;
  /** The frame as it goes out live, or as a replay. */
  text(replay: boolean): string;
}

export function entryOf(event: LogEvent, context: Context): Entry {
  const subject = event.kind === "retract" ? context.retracted : event;
  const facts = subject && factsOf(subject);
  const frame = () => frameOf(event, context);
  let live: string | undefined;
  let replayed: string | undefined;
  return {
    seq: event.seq,
    capturedAt: event.capturedAt,
    stream: event.feed === "chain" ? "trades" : "alerts",
    facts,
    chainId: event.kind === "retract" ? event.networkId : (facts?.chainId ?? null),
    text(replay) {
      if (replay) {
        replayed ??= JSON.stringify({ ...frame(), replay: true });
        return replayed;
      }
      live ??= JSON.stringify(frame());
      return live;
    },
  };
}

function frameOf(event: LogEvent, { chains, retracted, verified }: Context) {
  if (event.feed !== "chain") return alertFrame(event, chains);
  return event.kind === "trade"
    ? tradeFrame(event, chains, verified)
    : retractFrame(event, retracted, chains);
}
