// Several followed traders buying the same token within minutes: reported once when there are enough of them, and again only
// after a quiet period for that token.
import { MINUTE_MS } from "../kit/units.ts";
import type { ServedAlert } from "./shapes/types.ts";

const CROWD_WINDOW_MS = 10 * MINUTE_MS;
/** No one wants notifications about the same token all afternoon. */
const QUIET_MS = 30 * MINUTE_MS;
/** Tokens with buys in the window; the least recently bought is evicted first. */
const TOKENS_MAX = 2_000;

export interface CrowdNews {
  symbol: string;
  address: string;
  networkId: number | null;
  /** How many traders they are. */
  count: number;
  traders: string[];
}

type CrowdBuy = Pick<ServedAlert, "alertType" | "trader" | "token" | "tokenAddress" | "chainId" | "ts">;

export interface Crowd {
  /** The news that this event triggers, if any. */
  add(event: CrowdBuy): CrowdNews | null;
}

export function createCrowd(tradersMin: number): Crowd {
  const buys = new Map<string, { trader: string; ts: number }[]>();
  const saidAt = new Map<string, number>();
  return {
    add({ alertType, trader, token, tokenAddress, chainId, ts }) {
      if (alertType !== "buy" || trader === null || tokenAddress === null) return null;
      const key = `${chainId} ${tokenAddress}`;
      const recent = (buys.get(key) ?? []).filter((buy) => Math.abs(ts - buy.ts) <= CROWD_WINDOW_MS);
      recent.push({ trader, ts });
      buys.delete(key);
      buys.set(key, recent);
      if (buys.size > TOKENS_MAX)
        for (const oldest of buys.keys()) {
          buys.delete(oldest);
          saidAt.delete(oldest);
          break;
        }
      const traders = [...new Set(recent.map((buy) => buy.trader))];
      if (traders.length < tradersMin || ts - (saidAt.get(key) ?? Number.NEGATIVE_INFINITY) < QUIET_MS)
        return null;
      saidAt.set(key, ts);
      return {
        symbol: token ?? tokenAddress,
        address: tokenAddress,
        networkId: chainId,
        count: traders.length,
        traders,
      };
    },
  };
}
