// The operator's verdicts on tokens, applied to answers: spam is left out of boards, activity, searches by name and holdings,
// and tokens mistaken for spam count again. Each node keeps the verdicts in memory and follows the store's changes.
import { fault } from "../../contract/errors.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop } from "../../kit/loop.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { Holding } from "../../protocol/shapes/token.ts";
import { tokenKey } from "../store/captured/tokens.ts";
import type { TokenVerdict } from "../store/captured/verdicts.ts";
import type { Store } from "../store/store.ts";

type TokenId = Pick<TokenVerdict, "address" | "networkId">;

export interface Moderation {
  /** Whether the operator marked it as spam; the platform's own opinion is in its data. */
  isSpam(token: TokenId): boolean;
  /** Holdings with the operator's verdict in place of the platform's. */
  judged(holdings: readonly Holding[]): readonly Holding[];
  verdictOf(token: TokenId): TokenVerdict | null;
  /** Newest first. */
  list(): TokenVerdict[];
  judge(given: Omit<TokenVerdict, "judgedAt">): Promise<TokenVerdict>;
  /** Resolves when everything stored now is loaded. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Another node's verdict applies here at most this long after it was stored. */
const FOLLOW_EVERY_MS = 5_000;
const CHANGES_A_PAGE = 500;
/** They are kept in memory on every node. */
const VERDICTS_MAX = 10_000;

export function createModeration(parts: {
  store: Pick<Store, "verdicts">;
  clock: Clock;
  log: Log;
}): Moderation {
  const { store, clock, log } = parts;
  const known = new Map<string, TokenVerdict>();
  let seen = 0;
  const keyOf = ({ address, networkId }: TokenId) => `${networkId}:${tokenKey(address)}`;

  const catchUp = async (signal?: AbortSignal) => {
    for (let more = true; more && !signal?.aborted; await nextTurn()) {
      const page = await store.verdicts.changedAfter(seen, CHANGES_A_PAGE);
      for (const verdict of page.rows) {
        known.delete(keyOf(verdict));
        if (verdict.verdict !== null) known.set(keyOf(verdict), verdict);
      }
      seen = page.version;
      more = page.more;
    }
  };
  const following = createLoop({
    failure: "moderation did not follow the verdicts",
    everyMs: FOLLOW_EVERY_MS,
    first: "later",
    clock,
    log,
    round: catchUp,
  });
  const verdictOf = (token: TokenId) => (known.size === 0 ? null : (known.get(keyOf(token)) ?? null));

  return {
    verdictOf,
    isSpam: (token) => verdictOf(token)?.verdict === "spam",
    judged(holdings) {
      if (known.size === 0) return holdings;
      return holdings.map((holding) => {
        const { verdict } = verdictOf(holding.token) ?? {};
        return verdict ? { ...holding, spam: verdict === "spam" } : holding;
      });
    },
    list: () => [...known.values()].reverse(),
    async judge(given) {
      const isKnown = verdictOf(given) !== null;
      if (!isKnown && (await store.verdicts.count()) >= VERDICTS_MAX)
        throw fault("conflict", `At most ${VERDICTS_MAX.toLocaleString("en")} tokens can be judged.`);
      const judged = { ...given, judgedAt: clock.now() };
      await store.verdicts.save(judged);
      await catchUp();
      return judged;
    },
    async start() {
      await catchUp();
      following.start();
    },
    stop: following.stop,
  };
}
