// Messages between nodes that a key or an account changed, sent over the bus; a lost one costs at most the age
// limit of the caches, and nothing depends on it for correctness.
import type { Bus } from "../bus/port.ts";

export type AccessChange = { kind: "key"; keyId: string } | { kind: "account"; accountId: string };

export interface AccessChanges {
  /** Reaches this node's listeners now and those of other nodes soon. */
  announce(change: AccessChange): void;
  listen(listener: (change: AccessChange) => void): () => void;
}

export type ChangeCarrier = Pick<Bus, "announce" | "listen">;

/** Without a carrier, within this node. */
export function createAccessChanges(carrier?: ChangeCarrier): AccessChanges & { close(): void } {
  const listeners = new Set<(change: AccessChange) => void>();
  const tell = (change: AccessChange) => {
    for (const listener of listeners) listener(change);
  };
  // The bus delivers to its own node too, so an announcement comes back from there.
  const stop = carrier?.listen((message) => {
    if (message.kind === "revoked") tell({ kind: "key", keyId: message.keyId });
    else if (message.kind === "accountChanged") tell({ kind: "account", accountId: message.accountId });
  });
  return {
    announce(change) {
      if (!carrier) tell(change);
      else if (change.kind === "key") carrier.announce({ kind: "revoked", keyId: change.keyId });
      else carrier.announce({ kind: "accountChanged", accountId: change.accountId });
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => stop?.(),
  };
}
