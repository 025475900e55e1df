// The directory that filters are resolved against: captured traders and tokens, and the names that the log has seen.
import type { Store } from "../store/store.ts";
import type { NameDirectory } from "./resolve-filter.ts";

export function storeDirectory(store: Pick<Store, "traders" | "tokens" | "log">): NameDirectory {
  return {
    userIdOf: async (handle) => (await store.traders.byHandle(handle))?.userId ?? null,
    knownUserIds: async (userIds) =>
      new Set((await store.traders.byIds(userIds)).map((trader) => trader.userId)),
    knowsAddress: async (address) => (await store.tokens.byAddress(address)).length > 0,
    knowsSymbol: (symbol) => store.log.isSymbol(symbol),
  };
}
