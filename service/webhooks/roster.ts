// The webhooks of this node, in memory: which are live in the filter index, which sleep until a time, and which
// have work. Every event is matched once against all of them; idle ones cost only memory.
import type { Clock } from "../../kit/clock.ts";
import type { FeedEntry } from "../feed/entry.ts";
import { createFilterIndex } from "../feed/filter-index.ts";
import type { StoredWebhook } from "../store/money/webhooks.ts";
import { type Deliverable, isPaper } from "./deliverable.ts";
import { adopt, type Endpoint, endpointOf } from "./endpoint.ts";
import type { Schedule } from "./schedule.ts";
import { recentlyUndone, takenBackFor, takeOut } from "./taken-back.ts";

export interface Roster {
  all(): Endpoint[];
  size(): number;
  /** A row of a shard that is held, new or changed by its owner. */
  take(row: StoredWebhook, term: number): void;
  /** After a step, or when something changed: among those with something to do, asleep, or at rest. */
  place(endpoint: Endpoint): void;
  /** It starts over: its ready queue is void. */
  begun(endpoint: Endpoint): void;
  /** It has everything up to the tail's newest position, and is matched as events arrive. */
  goLive(endpoint: Endpoint): void;
  /** The next entry of the log. */
  onEntry(entry: FeedEntry): void;
  /** Removes alerts that were undone meanwhile from the queue of an endpoint that is behind. */
  leaveOutUndone(endpoint: Endpoint): void;
  /** Wakes those that are due. */
  tick(): void;
  /** An account's plan or balance changed: those that wait for it look again. */
  wakeAccount(accountId: string): void;
  /** Paper follows of an account, or of any, may have booked something: its webhooks look. */
  wakePaper(accountId: string | null): void;
  lose(shard: number): void;
  /** Nothing new is begun in the shard; true once nothing is under way. */
  windDown(shard: number): boolean;
  goOn(shard: number): void;
}

export interface RosterParts {
  clock: Clock;
  schedule: Pick<Schedule, "add" | "remove">;
  epoch(): string;
}

/** An endpoint that has this many waiting is behind, and reads the log in pages instead. */
const READY_MAX = 200;

export function createRoster({ clock, schedule, epoch }: RosterParts): Roster {
  const endpoints = new Map<string, Endpoint>();
  const asleep = new Set<Endpoint>();
  const live = createFilterIndex<Endpoint>();
  const undone = recentlyUndone();
  const ofShard = (shard: number) => [...endpoints.values()].filter(({ webhook }) => webhook.shard === shard);

  const endLive = (endpoint: Endpoint) => {
    live.remove(endpoint.webhook.id);
    endpoint.isLive = false;
  };
  const forget = (endpoint: Endpoint) => {
    const { id } = endpoint.webhook;
    if (endpoints.get(id) !== endpoint) return;
    endpoints.delete(id);
    endLive(endpoint);
    asleep.delete(endpoint);
    schedule.remove(endpoint);
  };
  const place = (endpoint: Endpoint) => {
    if (endpoint.isBusy) return;
    const { webhook } = endpoint;
    if (webhook.status !== "active" || endpoint.cut.signal.aborted) return forget(endpoint);
    asleep.delete(endpoint);
    const isOfThisLog = isPaper(webhook) || webhook.epoch === epoch();
    const isAtRest = endpoint.isLive && endpoint.ready.length === 0 && isOfThisLog;
    if (endpoint.isWindingDown || isAtRest) return;
    if (endpoint.sleepUntil <= clock.now()) schedule.add(endpoint);
    else asleep.add(endpoint);
  };
  const lookAgain = (endpoint: Endpoint) => {
    endpoint.sleepUntil = 0;
    place(endpoint);
  };
  const add = (endpoint: Endpoint, next: Deliverable) => {
    if (endpoint.ready.length < READY_MAX) endpoint.ready.push(next);
    else {
      endLive(endpoint);
      endpoint.coveredTo = endpoint.ready.at(-1)?.seq ?? endpoint.webhook.position;
    }
    place(endpoint);
  };
  const begun = (endpoint: Endpoint) => {
    if (endpoints.get(endpoint.webhook.id) === endpoint) endLive(endpoint);
    place(endpoint);
  };

  return {
    all: () => [...endpoints.values()],
    size: () => endpoints.size,
    take(row, term) {
      const known = endpoints.get(row.id);
      if (known) return adopt(known, row) ? begun(known) : place(known);
      if (row.status !== "active") return;
      const endpoint = endpointOf(row, term);
      endpoints.set(row.id, endpoint);
      place(endpoint);
    },
    place,
    begun,
    goLive(endpoint) {
      if (endpoint.isLive || endpoints.get(endpoint.webhook.id) !== endpoint) return;
      endpoint.isLive = true;
      if (!isPaper(endpoint.webhook)) live.add(endpoint.webhook.id, endpoint.filter, endpoint);
    },
    onEntry(entry) {
      const { stream, isNews, facts, event } = entry;
      if (stream !== "alerts" || !isNews || facts === null) return;
      if (event.kind === "retract") undone.add(event.retractedEventId);
      for (const endpoint of live.search(facts)) {
        // A webhook may begin ahead of this node's reader: another node has read the log further.
        if (event.seq <= endpoint.coveredTo) continue;
        const next = nextFor(endpoint, entry);
        if (next) add(endpoint, next);
      }
    },
    leaveOutUndone(endpoint) {
      if (!endpoint.isLive) undone.leaveOut(endpoint);
    },
    tick() {
      for (const endpoint of asleep) if (endpoint.sleepUntil <= clock.now()) place(endpoint);
    },
    wakeAccount(accountId) {
      for (const endpoint of endpoints.values()) {
        if (endpoint.webhook.accountId !== accountId) continue;
        endpoint.isAccountChanged = endpoint.isBusy;
        if (endpoint.webhook.waitingFor !== null) lookAgain(endpoint);
      }
    },
    wakePaper(accountId) {
      for (const endpoint of endpoints.values()) {
        const { webhook } = endpoint;
        if (!isPaper(webhook) || (accountId !== null && webhook.accountId !== accountId)) continue;
        endpoint.isLive = false;
        place(endpoint);
      }
    },
    lose(shard) {
      for (const endpoint of ofShard(shard)) {
        endpoint.cut.abort();
        forget(endpoint);
      }
    },
    windDown(shard) {
      const own = ofShard(shard);
      for (const endpoint of own) endpoint.isWindingDown = true;
      return own.every(({ isBusy }) => !isBusy);
    },
    goOn(shard) {
      for (const endpoint of ofShard(shard)) {
        endpoint.isWindingDown = false;
        place(endpoint);
      }
    },
  };
}

/** What to send a live endpoint for an entry that its filter matches. A retraction removes its alert from the queue. */
function nextFor(endpoint: Endpoint, { event, undone }: FeedEntry): Deliverable | null {
  if (event.kind !== "retract") return event;
  const takenBack = takenBackFor(endpoint, { retract: event, undone });
  return takenBack && takeOut(endpoint, takenBack.undone) ? takenBack : null;
}
