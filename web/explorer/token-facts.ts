// Token facts that rows need and events lack: supply, for a market cap at a price, and launch. Boards give many at once; the
// rest is requested when a row that shows it appears, a few per second and up to a limit per page.
import { useEffect, useState } from "preact/hooks";
import type { BoardAnswer, TokenOverview } from "../../client/src/generated.ts";
import { call, failureOf } from "../shared/api.ts";
import type { VisitorMode } from "../shared/data.ts";
import { usePage } from "../shared/query.tsx";
import { BOARDS, pathOf, tokenPath } from "./answers.ts";

export interface TapeToken {
  supply: number | null;
  launchedAt: number | null;
  /** False while only a board has been read, which doesn't include the launch. */
  isWhole: boolean;
}

const ASKED_EVERY_MS = 300;
/** Per page, for as long as it is open. */
const ASKED_MAX = 150;

type Ask = (path: string) => Promise<unknown | null>;

export interface TokenFactsStore {
  get(networkId: number, address: string): TapeToken | null;
  /** Calls `look` when the token's facts change; `whole` if the launch is needed too. Returns a function that stops it. */
  want(networkId: number, address: string, whole: boolean, look: () => void): () => void;
}

const keyOf = (networkId: number, address: string) => `${networkId} ${address}`;

/** `ask` returns null when nothing could be read. */
export function createTokenFacts(ask: Ask, sleep: (ms: number) => Promise<void>): TokenFactsStore {
  const known = new Map<string, TapeToken>();
  const wanted = new Map<string, { networkId: number; address: string; whole: boolean }>();
  const tried = new Set<string>();
  const lookers = new Map<string, Set<() => void>>();
  let boards: Promise<void> | null = null;
  let isAsking = false;

  const learn = (key: string, facts: TapeToken) => {
    if (known.get(key)?.isWhole) return;
    known.set(key, facts);
    for (const look of lookers.get(key) ?? []) look();
  };

  const readBoards = async () => {
    const answers = await Promise.all(
      BOARDS.map(([name]) => ask(pathOf(`/v2/leaderboard/tokens/${name}`, { limit: 100 }))),
    );
    for (const answer of answers)
      for (const { network, token, priceUsd, marketCapUsd } of (answer as BoardAnswer | null)?.tokens ?? [])
        if (priceUsd !== null && priceUsd > 0 && marketCapUsd !== null)
          learn(keyOf(network, token.address), {
            supply: marketCapUsd / priceUsd,
            launchedAt: null,
            isWhole: false,
          });
  };

  const next = () =>
    [...wanted].find(([key, { whole }]) => !tried.has(key) && (whole || !known.has(key)) && lookers.has(key));

  const askAll = async () => {
    if (isAsking) return;
    isAsking = true;
    boards ??= readBoards();
    await boards;
    for (let found = next(); found && tried.size < ASKED_MAX; found = next()) {
      const [key, { networkId, address }] = found;
      tried.add(key);
      const overview = (await ask(tokenPath(address, String(networkId)))) as TokenOverview | null;
      if (overview)
        learn(key, {
          supply: overview.supply ?? null,
          launchedAt: overview.launchedAt ? Date.parse(overview.launchedAt) : null,
          isWhole: true,
        });
      await sleep(ASKED_EVERY_MS);
    }
    isAsking = false;
  };

  return {
    get: (networkId, address) => known.get(keyOf(networkId, address)) ?? null,
    want(networkId, address, whole, look) {
      const key = keyOf(networkId, address);
      if (whole || !wanted.has(key)) wanted.set(key, { networkId, address, whole });
      const looking = lookers.get(key) ?? new Set();
      lookers.set(key, looking.add(look));
      void askAll();
      return () => {
        looking.delete(look);
        if (looking.size === 0 && lookers.get(key) === looking) lookers.delete(key);
      };
    },
  };
}

let shared: TokenFactsStore | null = null;
const sharedFacts = (mode: VisitorMode) => {
  shared ??= createTokenFacts(
    async (path) => {
      const loaded = await call(path, mode);
      return failureOf(loaded) === null ? loaded.body : null;
    },
    (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  );
  return shared;
};

/** Null until they are known. `whole` requests the launch too. */
export function useTokenFacts(networkId: number | null, address: string, whole = false): TapeToken | null {
  const { mode } = usePage();
  const [facts, setFacts] = useState<TapeToken | null>(null);
  useEffect(() => {
    if (networkId === null) return;
    const store = sharedFacts(mode);
    const look = () => setFacts(store.get(networkId, address));
    look();
    return store.want(networkId, address, whole, look);
  }, [networkId, address, whole]);
  return facts;
}
