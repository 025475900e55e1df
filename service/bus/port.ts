// The bus: hints between nodes. It never carries the only copy of anything: a node that receives "the log moved" reads the
// log, and one that receives nothing for a while polls. A lost hint costs freshness, never correctness.

export type BusMessage =
  | { kind: "moved"; epoch: string; seq: number }
  | { kind: "revoked"; keyId: string }
  | { kind: "accountChanged"; accountId: string }
  /** Its follows on paper booked something. */
  | { kind: "paper"; accountId: string };

/** `degraded`: messages to or from other nodes are not getting through, until it is `up` again. */
export type BusState = "up" | "degraded";

export interface Bus {
  /** Delivered to this node's listeners before this returns, to other nodes' soon. Never throws, never waits. */
  announce(message: BusMessage): void;
  /** Returns how to stop listening. A listener that throws is logged and harms no other. */
  listen(listener: (message: BusMessage) => void): () => void;
  state(): BusState;
  /** Called on each change. After `degraded`, hints may have been missed: read the log and drop caches. */
  onState(listener: (state: BusState) => void): () => void;
  close(): Promise<void>;
}

/** A message from the wire, or null when it is unknown: a newer node may send new kinds. */
export function parseMessage(text: string): BusMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { kind, epoch, seq, keyId, accountId } = value as Record<string, unknown>;
  if (kind === "moved" && typeof epoch === "string" && Number.isSafeInteger(seq)) {
    return { kind, epoch, seq: Number(seq) };
  }
  if (kind === "revoked" && typeof keyId === "string") return { kind, keyId };
  if ((kind === "accountChanged" || kind === "paper") && typeof accountId === "string")
    return { kind, accountId };
  return null;
}
