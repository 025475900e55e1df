// Hints between nodes that a key or an account changed. They travel on the bus; a lost one costs at the most the age
// limit of the caches, and nothing depends on them for truth.
import type { Bus } from "../bus/port.ts";

export type Hint = { kind: "key"; keyId: string } | { kind: "account"; accountId: string };

export interface Hints {
  /** Tells this node's listeners now and the other nodes' soon. */
  say(hint: Hint): void;
  listen(listener: (hint: Hint) => void): () => void;
}

export type HintCarrier = Pick<Bus, "announce" | "listen">;

/** Without a carrier, within this node. */
export function createHints(carrier?: HintCarrier): Hints & { close(): void } {
  const listeners = new Set<(hint: Hint) => void>();
  const tell = (hint: Hint) => {
    for (const listener of listeners) listener(hint);
  };
  // The bus tells its own node too, so what is said comes back from there.
  const stop = carrier?.listen((message) => {
    if (message.kind === "revoked") tell({ kind: "key", keyId: message.keyId });
    else if (message.kind === "accountChanged") tell({ kind: "account", accountId: message.accountId });
  });
  return {
    say(hint) {
      if (!carrier) tell(hint);
      else if (hint.kind === "key") carrier.announce({ kind: "revoked", keyId: hint.keyId });
      else carrier.announce({ kind: "accountChanged", accountId: hint.accountId });
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => stop?.(),
  };
}
