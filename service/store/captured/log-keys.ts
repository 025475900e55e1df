// The lookup keys of events. Handles have no index: a short table lists the actors that each ever stood for, and
// the tokens of each symbol. The writer remembers which of its rows it has already stored.

import type { FeedEvent } from "../../../protocol/shapes/event.ts";
import { normaliseHandle } from "../../../protocol/values.ts";
import { isAlert } from "../../model/event.ts";
import { type Alias, symbolKeyOf } from "./aliases.ts";
import { tokenKey } from "./tokens.ts";

export function keysOf(event: FeedEvent) {
  if (event.kind === "retract" || event.kind === "final") {
    return { actor: null, handle: null, token: null, symbol: null, networkId: event.networkId };
  }
  const handle = event.handle === null ? null : (normaliseHandle(event.handle) ?? event.handle);
  return {
    /** The userId, or the handle if only that is known. */
    actor: event.userId ?? (handle === null ? null : `@${handle}`),
    handle,
    token: event.token && tokenKey(event.token.address),
    symbol: event.token && symbolKeyOf(event.token.symbol),
    networkId: event.token?.networkId ?? null,
  };
}

// Several times the active traders and tokens; about 10 MB at most. Forgetting only costs a repeated insert.
const REMEMBERED_ALIASES = 65_536;

export interface AliasMemory {
  /** The names in these events that may not be stored yet. */
  of(events: readonly FeedEvent[]): Alias[];
  /** Call once they are stored. */
  stored(aliases: readonly Alias[]): void;
}

export function aliasMemory(): AliasMemory {
  const known = new Set<string>();
  const nameOf = ({ kind, alias, standsFor }: Alias) => `${kind} ${alias} ${standsFor}`;
  return {
    of(events) {
      const fresh = new Map<string, Alias>();
      const add = (alias: Alias) => {
        const name = nameOf(alias);
        if (!known.has(name)) fresh.set(name, alias);
      };
      for (const event of events) {
        if (!isAlert(event)) continue;
        const { actor, handle, token, symbol } = keysOf(event);
        if (actor !== null && handle !== null) add({ kind: "handle", alias: handle, standsFor: actor });
        if (token !== null && symbol !== null) add({ kind: "symbol", alias: symbol, standsFor: token });
      }
      return [...fresh.values()];
    },
    stored(aliases) {
      if (known.size + aliases.length > REMEMBERED_ALIASES) known.clear();
      for (const alias of aliases) known.add(nameOf(alias));
    },
  };
}
