// The traders and tokens someone follows, without an account: kept in this browser, shared by its tabs, and exportable as a
// file.
import { useEffect, useState } from "preact/hooks";

export interface WatchedToken {
  address: string;
  networkId: number;
  symbol: string;
}

export interface Watchlist {
  traders: string[];
  tokens: WatchedToken[];
}

export type Watchable = { handle: string } | WatchedToken;

/** As many names as one feed filter accepts. */
export const WATCHED_MAX = 200;
const TEXT_LENGTH_MAX = 64;
const STORED = "crowdtape-watchlist";
const CHANGED = "watchlistchange";
const NOTHING: Watchlist = { traders: [], tokens: [] };

const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= TEXT_LENGTH_MAX && !value.includes(",");

/** Parses a file or the stored list, keeping only valid entries; null when it is not a watchlist. */
export function readWatchlist(text: string): Watchlist | null {
  try {
    const { traders, tokens } = JSON.parse(text) as Partial<Watchlist>;
    if (!Array.isArray(traders) || !Array.isArray(tokens)) return null;
    const known = tokens.filter(
      (token) => isText(token?.address) && isText(token.symbol) && Number.isSafeInteger(token.networkId),
    );
    return merged(NOTHING, {
      traders: traders.filter(isText),
      tokens: known.map(({ address, networkId, symbol }) => ({ address, networkId, symbol })),
    });
  } catch {
    return null;
  }
}

const nameOf = (item: Watchable) =>
  "handle" in item
    ? `trader ${item.handle.toLowerCase()}`
    : `token ${item.networkId} ${item.address.toLowerCase()}`;

const once = <Item>(items: Item[], keyOf: (item: Item) => string) =>
  [...new Map(items.map((item) => [keyOf(item), item])).values()].slice(0, WATCHED_MAX);

/** Both lists merged, without duplicates. */
export function merged(one: Watchlist, other: Watchlist): Watchlist {
  return {
    traders: once([...one.traders, ...other.traders], (handle) => nameOf({ handle })),
    tokens: once([...one.tokens, ...other.tokens], nameOf),
  };
}

export const isIn = (list: Watchlist, item: Watchable): boolean =>
  "handle" in item
    ? list.traders.some((handle) => nameOf({ handle }) === nameOf(item))
    : list.tokens.some((token) => nameOf(token) === nameOf(item));

export function toggled(list: Watchlist, item: Watchable): Watchlist {
  if (!isIn(list, item))
    return merged(
      list,
      "handle" in item ? { traders: [item.handle], tokens: [] } : { traders: [], tokens: [item] },
    );
  return {
    traders: list.traders.filter((handle) => nameOf({ handle }) !== nameOf(item)),
    tokens: list.tokens.filter((token) => nameOf(token) !== nameOf(item)),
  };
}

/** Read once for all the rows of a page, and again after a change. */
let held: Watchlist | null = null;

function watchlist(): Watchlist {
  if (held) return held;
  try {
    held = readWatchlist(localStorage.getItem(STORED) ?? "") ?? NOTHING;
  } catch {
    held = NOTHING;
  }
  return held;
}

export function keepWatchlist(list: Watchlist): void {
  held = list;
  try {
    localStorage.setItem(STORED, JSON.stringify(list));
  } catch {
    // Without storage the list lasts as long as the page.
  }
  dispatchEvent(new Event(CHANGED));
}

export const toggleWatched = (item: Watchable): void => keepWatchlist(toggled(watchlist(), item));

function onWatchlist(look: () => void): () => void {
  const elsewhere = (event: StorageEvent) => {
    if (event.key !== STORED) return;
    held = null;
    look();
  };
  addEventListener(CHANGED, look);
  addEventListener("storage", elsewhere);
  return () => {
    removeEventListener(CHANGED, look);
    removeEventListener("storage", elsewhere);
  };
}

/** Null until the browser has read it: the server has no list. */
export function useWatchlist(): Watchlist | null {
  const [list, setList] = useState<Watchlist | null>(null);
  useEffect(() => {
    const look = () => setList(watchlist());
    look();
    return onWatchlist(look);
  }, []);
  return list;
}

export function useIsWatched(item: Watchable): boolean {
  const [is, setIs] = useState(false);
  const name = nameOf(item);
  useEffect(() => {
    const look = () => setIs(isIn(watchlist(), item));
    look();
    return onWatchlist(look);
  }, [name]);
  return is;
}
