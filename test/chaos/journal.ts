// What clients keep: every request with what they know of its end, and every frame with when it came. It is written
// down as it happens, by processes that no fault touches, and is the evidence that ledger and log are held to.
import { appendFileSync, readFileSync } from "node:fs";

/** A request that was answered, or one whose end its client can't know. */
export interface RequestEntry {
  type: "request";
  lane: string;
  routeId: string;
  path: string;
  startedAt: number;
  endedAt: number;
  /** null: no answer came, so it may or may not have been charged. */
  answer: {
    status: number;
    cost: number;
    requestId: string;
    /** The answer's code, when it is a refusal. */
    error: string | null;
  } | null;
  /** What is wrong with the answer by itself: its shape, its price, its age. */
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

/** A key that was asked for until an answer came; null: none did, so there is one of that name or none. */
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
