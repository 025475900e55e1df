// The bus: hints between nodes. Nothing on it is the only copy of anything: a node that hears "the log moved" reads the
// log, and one that hears nothing for a while polls. A lost hint costs freshness and never correctness.

export type BusMessage =
  | { kind: "moved"; epoch: string; seq: number }
  | { kind: "revoked"; keyId: string }
  | { kind: "accountChanged"; accountId: string }
  /** Its follows on paper booked something. */
  | { kind: "paper"; accountId: string };

/** `degraded`: other nodes are not being heard, or do not hear us, until it is `up` again. */
export type BusState = "up" | "degraded";

export interface Bus {
  /** This node's listeners hear it before this returns, other nodes' soon. Never throws, never waits. */
  announce(message: BusMessage): void;
  /** Returns how to stop listening. A listener that throws is logged and harms no other. */
  listen(listener: (message: BusMessage) => void): () => void;
  state(): BusState;
  /** Called on each change. After `degraded`, hints may have been missed: look at the log and drop caches. */
  onState(listener: (state: BusState) => void): () => void;
  close(): Promise<void>;
}

/** A message from the wire, or null when it is unknown: a newer node may say more than we know. */
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
