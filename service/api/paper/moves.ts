// Converts a leader's log events to a paper account's moves, with their tokens.
import type { PaperMove } from "../../../replay/paper.ts";
import type { LogEvent } from "../../model/event.ts";
import { nameOfToken } from "../../model/token.ts";
import { PERPS_NETWORK_ID } from "../copy/leader.ts";

/** The kinds of the app's feed that move tokens. */
export const MOVING_KINDS = ["buy", "sell", "transfer"] as const;

/** The part of a token that an order shows. */
export interface PaperTokenName {
  address: string;
  symbol: string;
  networkId: number;
}

/** A move that can be found again when its transaction is retracted. */
export interface NamedMove extends PaperMove {
  tradeId: string | null;
}

/** Null for an event that moves no token that can be copied. */
export function moveOf(event: LogEvent): { move: NamedMove; name: PaperTokenName } | null {
  if (event.feed !== "app" || event.token === null || event.amount === null || !(event.amount > 0))
    return null;
  const { address, symbol, networkId } = event.token;
  const kind = kindOf(event);
  if (kind === null || networkId === PERPS_NETWORK_ID) return null;
  const { tradeId, txHash, amount } = event;
  const usd = kind === "buy" || kind === "sell" ? event.fillUsd : null;
  const at = event.execAt ?? event.at;
  const token = nameOfToken(event.token);
  return {
    move: { token, networkId, at, kind, amount, usd, networkFeeUsd: null, txHash, tradeId },
    name: { address, symbol, networkId },
  };
}

function kindOf(event: Extract<LogEvent, { feed: "app" }>): PaperMove["kind"] | null {
  if (event.kind === "buy" || event.kind === "sell") return event.kind;
  if (event.kind !== "transfer" || event.direction === null) return null;
  return event.direction === "in" ? "receive" : "send";
}
