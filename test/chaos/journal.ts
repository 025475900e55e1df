// The clients' record: every request with its outcome as far as they know it, and every frame with its arrival time. It is
// written as it happens, by processes that no fault touches, and is the evidence that ledger and log are checked against.
import { appendFileSync, readFileSync } from "node:fs";

/** A request that was answered, or one with an outcome unknown to its client. */
export interface RequestEntry {
  type: "request";
  lane: string;
  routeId: string;
  path: string;
  startedAt: number;
  endedAt: number;
  /** null: there was no answer, so it may or may not have been charged. */
  answer: {
    status: number;
    cost: number;
    requestId: string;
    /** The answer's code, if it is a refusal. */
    error: string | null;
  } | null;
  /** Errors in the answer itself: its shape, its price, its age. */
  wrong: string[];
}

export interface FrameEntry {
  type: "frame";
  lane: string;
  kind: "welcome" | "event" | "heartbeat" | "resumed" | "gap" | "close";
  at: number;
  /** The log's position; for a close its code. */
  seq: number;
  eventId?: string;
  note?: string;
}

/** A key that was requested until an answer came; null: none did, so there is one key of that name or none. */
export interface MintedEntry {
  type: "minted";
  lane: string;
  name: string;
  status: number | null;
  wrong: string[];
}

export type Entry = RequestEntry | FrameEntry | MintedEntry;

export function journalWriter(file: string): (entry: Entry) => void {
  return (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

export interface Journal {
  requests: RequestEntry[];
  frames: FrameEntry[];
  minted: MintedEntry[];
}

export function readJournal(file: string): Journal {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const entries = lines.map((line) => JSON.parse(line) as Entry);
  return {
    requests: entries.filter((entry) => entry.type === "request"),
    frames: entries.filter((entry) => entry.type === "frame"),
    minted: entries.filter((entry) => entry.type === "minted"),
  };
}
