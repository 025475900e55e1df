// Notices traders and tokens that the directory does not have, and traders with a handle it does not know, and
// has them requested. Remembers those it has looked up, so that a busy trader costs one lookup and not thousands.
import { createLru } from "../../kit/lru.ts";
import type { Token } from "../../protocol/shapes/token.ts";
import type { Trader } from "../../protocol/shapes/trader.ts";
import { normaliseHandle } from "../../protocol/values.ts";
import type { TokenStore } from "../store/captured/tokens.ts";
import type { TraderStore } from "../store/captured/traders.ts";

export interface SeenSubjects {
  look(traders: ReadonlyMap<string, string | null>, tokens: ReadonlyMap<string, Token>): Promise<void>;
  /** Upstream has just answered about this trader. */
  learn(trader: Trader): void;
}

/** A few megabytes at most; a trader beyond costs one more lookup. */
const REMEMBERED_TRADERS = 20_000;
const REMEMBERED_TOKENS = 10_000;

export function createSeen(options: {
  traders: TraderStore;
  tokens: TokenStore;
  onTrader(userId: string): void;
  onToken(token: Token): void;
}): SeenSubjects {
  const { traders, tokens, onTrader, onToken } = options;
  /** Every handle the trader has or had, so that a late event under an old handle does not look like a new trader. */
  const handles = createLru<string, readonly string[]>(REMEMBERED_TRADERS);
  const knownTokens = createLru<string, true>(REMEMBERED_TOKENS);
  const learn = (trader: Trader) =>
    handles.set(trader.userId, [trader.handle, ...trader.formerHandles].map(keyOf));
  return {
    learn,
    async look(seenTraders, seenTokens) {
      const unknown = [...seenTraders.keys()].filter((userId) => handles.get(userId) === undefined);
      if (unknown.length > 0) for (const trader of await traders.byIds(unknown)) learn(trader);
      for (const [userId, handle] of seenTraders) {
        const known = handles.get(userId);
        const handleKey = handle === null ? [] : [keyOf(handle)];
        if (known && handleKey.every((key) => known.includes(key))) continue;
        onTrader(userId);
        // Requested once; handles unknown to upstream are not requested again with every event.
        handles.set(userId, [...(known ?? []), ...handleKey]);
      }
      for (const [key, token] of seenTokens) {
        if (knownTokens.get(key)) continue;
        knownTokens.set(key, true);
        if (!(await tokens.find(token.address, token.networkId))) onToken(token);
      }
    },
  };
}

function keyOf(handle: string): string {
  return normaliseHandle(handle) ?? handle;
}
