// The outgoing queue to other nodes. Always bounded: only the newest move is kept, a repeated
// message is kept once, and past the bound the oldest is dropped, because hints lose value with age.
import { createLatch } from "../../kit/latch.ts";
import type { BusMessage } from "./port.ts";

// Far more keys than are revoked while Redis is down for a minute.
export const PENDING_MAX = 1_000;

export interface Pending {
  put(message: BusMessage): void;
  /** Takes everything, or waits until there is something or the signal aborts. */
  take(signal: AbortSignal): Promise<BusMessage[]>;
  /** Requeues unsent messages, unless a newer one has replaced them. */
  putBack(messages: readonly BusMessage[]): void;
}

export function createPending(): Pending {
  const waiting = new Map<string, BusMessage>();
  const filled = createLatch();
  const put = (message: BusMessage) => {
    const key = keyOf(message);
    waiting.delete(key);
    waiting.set(key, message);
    if (waiting.size > PENDING_MAX) {
      const oldest = waiting.keys().next().value;
      if (oldest !== undefined) waiting.delete(oldest);
    }
    filled.open();
  };
  return {
    put,
    async take(signal) {
      await filled.wait(signal);
      filled.close();
      const all = [...waiting.values()];
      waiting.clear();
      return all;
    },
    putBack(messages) {
      const newer = [...waiting.values()];
      waiting.clear();
      for (const message of [...messages, ...newer]) put(message);
    },
  };
}

function keyOf(message: BusMessage): string {
  if (message.kind === "moved") return "moved";
  return message.kind === "revoked" ? `revoked ${message.keyId}` : `account ${message.accountId}`;
}
