// Capture's own status: how far each feed is read and how far behind, who writes, what was refused. Kept
// up to date by its parts, so that reading it costs nothing and works while upstream or the store is down.
import { FEEDS, type FeedName } from "../../protocol/shapes/event.ts";

const newFeedStatus = (feed: FeedName) => ({
  feed,
  /** The last position that is in the log; null before the first. */
  position: null as number | null,
  /** The newest position that upstream has. */
  newest: null as number | null,
  lastReadAt: null as number | null,
  /** The time of the newest event stored, as upstream gave it. */
  lastEventAt: null as number | null,
  /** Reads that upstream did not answer well, since start. */
  failures: 0,
  lastFailure: null as string | null,
  gaps: 0,
  refused: {} as Record<string, number>,
});

export type FeedStatus = ReturnType<typeof newFeedStatus>;

export interface KeeperStatus {
  name: string;
  lastDoneAt: number | null;
  rounds: number;
  failures: number;
}

export interface CaptureStatus {
  /** This node holds the writer's lease. */
  writing: boolean;
  holder: string;
  term: number | null;
  feeds: (FeedStatus & { lag: number | null })[];
  /** The position up to which fills, positions and theses follow the log. */
  derivedSeq: number;
  /** Items from before the log began that have yet to be read, behind live events. */
  historyLeft: number;
  /** Questions to upstream that wait their turn or for their answers to be saved, and those that found no room. */
  waiting: { trades: number; traders: number; tokens: number; theses: number; sweeps: number };
  turnedAway: number;
  keepers: KeeperStatus[];
}

export function newFeedStatuses(): Record<FeedName, FeedStatus> {
  return Object.fromEntries(FEEDS.map((feed) => [feed, newFeedStatus(feed)])) as Record<FeedName, FeedStatus>;
}

export function lagOf({ position, newest }: FeedStatus): number | null {
  return newest === null ? null : Math.max(0, newest - (position ?? 0));
}
