// The facts about an event that filters match on, extracted once, in the form that filters use. Two texts that mean the
// same trader or token have the same form here, so matching is comparing strings.

import type { Token } from "../../protocol/shapes/token.ts";
import { normaliseAddress, normaliseHandle } from "../../protocol/values.ts";
import type { LogEvent } from "../model/event.ts";

export interface EventFacts {
  /** Every form under which this event's trader can be named: h:handle, u:userId, w:wallet. */
  traders: readonly string[];
  /** Every form under which its token can be named: a:address, s:symbol. */
  tokens: readonly string[];
  chainId: number | null;
  /** buy, sell, thesis …; on trades the side. */
  type: string;
  source: "feed" | "push" | "onchain";
  /** The fill's value; null if unknown, and then no minimum is met. */
  usd: number | null;
}

/** An event in its own right; a retraction or a finality upgrade is matched as the trade it is about. */
type OwnEvent = Exclude<LogEvent, { kind: "retract" | "final" }>;

export function factsOf(event: OwnEvent): EventFacts {
  const named = [];
  const handle = event.handle === null ? null : normaliseHandle(event.handle);
  if (handle !== null) named.push(handleForm(handle));
  if (event.userId !== null) named.push(userForm(event.userId));
  if (event.feed === "chain") named.push(walletForm(normaliseAddress(event.wallet) ?? event.wallet));
  return {
    traders: named,
    tokens: event.token === null ? [] : tokenForms(event.token),
    chainId: event.token?.networkId ?? null,
    ...kindFacts(event),
  };
}

function kindFacts(event: OwnEvent): Pick<EventFacts, "type" | "source" | "usd"> {
  if (event.feed === "chain") return { type: event.side, source: "onchain", usd: event.usd };
  if (event.feed === "push") return { type: "push", source: "push", usd: null };
  return { type: event.kind, source: "feed", usd: event.fillUsd };
}

export const handleForm = (handle: string): string => `h:${handle}`;
export const userForm = (userId: string): string => `u:${userId.toLowerCase()}`;
export const walletForm = (address: string): string => `w:${address}`;
export const addressForm = (address: string): string => `a:${address}`;
/** Symbols are compared without case. */
export const symbolForm = (symbol: string): string => `s:${symbol.toUpperCase()}`;

function tokenForms(token: Token): string[] {
  return [addressForm(normaliseAddress(token.address) ?? token.address), symbolForm(token.symbol)];
}
