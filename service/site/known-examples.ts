// A handle, a token and a trade that exist, so that pasted examples work: from a trader who wrote about a known position, if
// there is one.
import type { Store } from "../store/store.ts";

export async function knownExamples(store: Pick<Store, "theses">): Promise<Record<string, string>> {
  const newest = await store.theses.recent({ limit: 25 }).catch(() => null);
  const thesis = newest?.rows.find(({ tradeId }) => tradeId !== null) ?? newest?.rows[0];
  if (!thesis) return {};
  return {
    handle: thesis.handle,
    userId: thesis.userId,
    ...(thesis.tradeId === null ? {} : { tradeId: thesis.tradeId }),
    tokenAddress: thesis.token.address,
    symbol: thesis.token.symbol,
  };
}
