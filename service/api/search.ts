// Search over the directory. Each node keeps an index in memory and follows the store's changes, so a search
// needs no database; names that only upstream knows yet are looked up there.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop } from "../../kit/loop.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { TokenInfo } from "../../protocol/shapes/token.ts";
import type { Person, Trader } from "../../protocol/shapes/trader.ts";
import { normaliseAddress } from "../../protocol/values.ts";
import { bestFirst, createSearchIndex, type Hit } from "../model/search-index.ts";
import { walletsOf } from "../model/wallets.ts";
import type { Store } from "../store/store.ts";
import type { Call, Upstream } from "../upstream/port.ts";
import { didNotFinish, unanswered } from "./live.ts";

export type SearchResult = { type: "trader"; trader: Person } | { type: "token"; token: TokenInfo };
export type SearchType = "traders" | "tokens" | "all";

export interface Search {
  find(q: string, type: SearchType, limit: number): SearchResult[];
  /** Follows the directory until stopped. Resolves when everything stored now is indexed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A new trader or token can be found at most this long after it was stored. */
const FOLLOW_EVERY_MS = 2_000;
/** Read and indexed per turn of the event loop: about eight milliseconds in a process that has just started. */
const CHANGES_A_PAGE = 100;

export function createSearch(parts: {
  store: Pick<Store, "traders" | "tokens">;
  clock: Clock;
  log: Log;
}): Search {
  const { store, clock, log } = parts;
  const traders = createSearchIndex<Person>();
  const tokens = createSearchIndex<TokenInfo>();
  const wallets = createWalletIndex();
  const seen = { traders: 0, tokens: 0 };

  const catchUp = async (signal?: AbortSignal) => {
    for (let more = true; more && !signal?.aborted; await nextTurn()) {
      const page = await store.traders.changedAfter(seen.traders, CHANGES_A_PAGE);
      for (const trader of page.rows) {
        traders.upsert(trader.userId, traderEntry(trader));
        wallets.upsert(trader);
      }
      seen.traders = page.version;
      more = page.more;
    }
    for (let more = true; more && !signal?.aborted; await nextTurn()) {
      const page = await store.tokens.changedAfter(seen.tokens, CHANGES_A_PAGE);
      for (const token of page.rows) tokens.upsert(`${token.networkId} ${token.address}`, tokenEntry(token));
      seen.tokens = page.version;
      more = page.more;
    }
  };

  const following = createLoop({
    failure: "search did not follow the directory",
    everyMs: FOLLOW_EVERY_MS,
    first: "later",
    clock,
    log,
    round: catchUp,
  });

  return {
    find(q, type, limit) {
      const hits: Hit<SearchResult>[] = [];
      const address = normaliseAddress(q);
      const owner = address === null ? null : wallets.ownerOf(address);
      if (owner && type !== "tokens") return [{ type: "trader", trader: owner }];
      if (type !== "tokens") {
        for (const hit of traders.search(q, limit))
          hits.push({ ...hit, value: { type: "trader", trader: hit.value } });
      }
      if (type !== "traders") {
        for (const hit of tokens.search(address ?? q, limit))
          hits.push({ ...hit, value: { type: "token", token: hit.value } });
      }
      return hits
        .sort(bestFirst)
        .slice(0, limit)
        .map((hit) => hit.value);
    },
    async start() {
      await catchUp();
      following.start();
    },
    stop: following.stop,
  };
}

/** What the directory knows by this name, or if that is nothing, what upstream does. */
export async function searchEverywhere(
  { search, upstream }: { search: Pick<Search, "find">; upstream: Pick<Upstream, "search"> },
  asked: { q: string; type: SearchType; limit: number },
  call: Call,
): Promise<SearchResult[]> {
  const { q, type, limit } = asked;
  const known = search.find(q, type, limit);
  if (known.length > 0) return known;
  const outcome = await upstream.search(q, limit, call);
  if (unanswered(outcome)) throw didNotFinish("this search");
  if (outcome.kind !== "found") return [];
  const { traders, tokens } = outcome.value;
  return [
    ...(type === "tokens" ? [] : traders.map((trader) => ({ type: "trader" as const, trader }))),
    ...(type === "traders" ? [] : tokens.map((token) => ({ type: "token" as const, token }))),
  ].slice(0, limit);
}

/** Makes fame comparable across kinds: a follower weighs as much as a thousand dollars of market cap. */
const MARKET_CAP_PER_FOLLOWER_USD = 1_000;

function traderEntry(trader: Trader) {
  return {
    names: [
      trader.handle,
      trader.displayName,
      ...(trader.twitter === null ? [] : [trader.twitter]),
      ...trader.formerHandles,
    ],
    weight: trader.followers ?? 0,
    value: personOf(trader),
  };
}

function tokenEntry(token: TokenInfo) {
  return {
    names: [token.symbol, token.name, token.address],
    weight: (token.marketCapUsd ?? 0) / MARKET_CAP_PER_FOLLOWER_USD,
    value: token,
  };
}

/** The owners of wallets. Only a full address matches: a prefix search would give away the rest. */
function createWalletIndex() {
  const owners = new Map<string, Person>();
  const heldBy = new Map<string, string[]>();
  return {
    ownerOf: (address: string) => owners.get(address) ?? null,
    upsert(trader: Trader) {
      for (const wallet of heldBy.get(trader.userId) ?? [])
        if (owners.get(wallet)?.userId === trader.userId) owners.delete(wallet);
      const { solana, evm } = walletsOf(trader.wallets);
      const held = [...solana, ...evm];
      for (const wallet of held) owners.set(wallet, personOf(trader));
      heldBy.set(trader.userId, held);
    },
  };
}

/** Keeps only what a search row shows: a trader's holdings would be most of the memory. */
function personOf(trader: Trader): Person {
  const { wallets, formerHandles, pnl, averageHoldTimeSeconds, holdingsCount, holdings, ...person } = trader;
  return person;
}
