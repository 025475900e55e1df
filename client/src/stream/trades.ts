// /ws/trades as an async iterable: trades as they are seen on chain, and retractions of those that a re-org undid.
import type { RetractFrame, TradeFrame, TradesFilter } from "../generated.ts";
import { splitOptions } from "./options.ts";
import type { StreamParts } from "./socket.ts";
import { type Gap, openStream, type Stream, type StreamOptions } from "./stream.ts";

export interface TradeStreamOptions extends StreamOptions, TradesFilter {}
export type TradeStream = Stream<TradeFrame | RetractFrame | Gap>;

export function tradeStream(parts: StreamParts, options: TradeStreamOptions = {}): TradeStream {
  if (!parts.hasKey) throw new TypeError("The on-chain stream needs a key.");
  const { filter, stream } = splitOptions(options);
  return openStream<TradeFrame | RetractFrame>(
    parts,
    {
      name: "trades",
      filter,
      isItem: ({ type }) => type === "trade" || type === "retract",
      fill: () => null,
      startsWithFill: false,
    },
    stream,
  );
}
