// The paper follows of one node. It holds some for seconds at a time, wakes those whose leader did something or whose next
// order is due, and advances each by a step. It doesn't matter which node does so: the store is the source of truth, and a
// write carries the version that it continues from.
import type { Chains } from "../../../contract/chains.ts";
import { freshUuid } from "../../../kit/ids.ts";
import type { Kit } from "../../../kit/kit.ts";
import { createLoop } from "../../../kit/loop.ts";
import { MINUTE_MS, SECOND_MS } from "../../../kit/units.ts";
import type { ChainRetractItem } from "../../../protocol/shapes/event.ts";
import { nextDueAt, type PaperTerms } from "../../../replay/paper.ts";
import { hasRules } from "../../../replay/terms.ts";
import type { Access } from "../../access/access.ts";
import { planDelayMs } from "../../access/identity/caller.ts";
import { planOf } from "../../access/ledger/renewal.ts";
import type { FeedEntry } from "../../feed/entry.ts";
import { userForm } from "../../feed/facts.ts";
import type { Tail } from "../../feed/tail.ts";
import {
  advanceFollow,
  anyFollow,
  claimFollows,
  endFollow,
  leaveFollows,
  type StoredFollow,
} from "../../store/money/follows.ts";
import type { Store } from "../../store/store.ts";
import type { TapeReader } from "../copy/tape.ts";
import { inTurn } from "../in-turn.ts";
import { createPaperCommit } from "./commit.ts";
import { type KeptPaper, readKept } from "./kept.ts";
import type { KeptTerms } from "./present.ts";
import { createRetractions } from "./retractions.ts";
import { createPaperStep, type RetractedTrade } from "./step.ts";

export interface Paper {
  start(): void;
  stop(): Promise<void>;
  /** An owner created one here: it need not wait for the next round. */
  wake(): void;
  held(): number;
}

export interface PaperParts extends Pick<Kit, "clock" | "log" | "metrics"> {
  store: Pick<Store, "database" | "log">;
  access: Pick<Access, "within" | "grants" | "onChange">;
  tail: Pick<Tail, "listen" | "epoch" | "newest" | "recent" | "oldestKept" | "positionAt">;
  tape: TapeReader;
  chains: Chains;
  settleMs: number;
  /** Orders of this account were booked. */
  booked(accountId: string): void;
}

/** How long a hold lasts without renewal: with another node's round, the longest pause after a node dies. */
const LEASE_MS = 6_000;
const RENEW_EVERY_MS = 1_500;
/** All share one thread: a step takes some milliseconds of it, and each follow may step every few seconds. */
const FOLLOWS_PER_NODE_MAX = 500;
const STEPS_MAX = 4;
const TICK_MS = 250;
/** How often rules are checked on the ticks of holdings. */
const LOOK_EVERY_MS = 10 * SECOND_MS;
/** How often the others are valued, and the positions of quiet ones saved. */
const VALUE_EVERY_MS = 5 * MINUTE_MS;
const FAILED_STEP_MS = 2_000;

interface HeldFollow {
  follow: StoredFollow;
  kept: KeptPaper;
  terms: PaperTerms;
  /** The leader's retracted trades not yet applied to the state; and retractions whose trade was not looked up yet. */
  retracted: RetractedTrade[];
  unread: ChainRetractItem[];
  /** Whether these include retractions from before the takeover: until then no step may pass that position in the log. */
  isReady: boolean;
  wakeAt: number;
}

export function createPaper(parts: PaperParts): Paper {
  const { store, access, tail, clock, log, settleMs } = parts;
  const { database } = store;
  const holder = freshUuid();
  const held = new Map<string, HeldFollow>();
  const step = createPaperStep({ ...parts, log: store.log });
  const commit = createPaperCommit({ ...parts, database, holder });
  const retractions = createRetractions(store.log);
  const ofLeader = (userId: string) => [...held.values()].filter(({ follow }) => follow.userId === userId);

  /** Drops stale state: the next round reads it again, if it is still ours. */
  const drop = (one: HeldFollow) => {
    if (held.get(one.follow.followId) === one) held.delete(one.follow.followId);
  };

  const end = async (one: HeldFollow, note: string) => {
    await database.write((tx) => endFollow(tx, holder, one.follow, note, clock.now()));
    drop(one);
  };

  const delayOf = async ({ follow }: HeldFollow): Promise<number> => {
    const account = await access.grants.account(follow.accountId);
    return account ? planDelayMs(planOf(account), account.createdAt, clock.now()) : 0;
  };

  const wait = async (one: HeldFollow) => {
    one.wakeAt = clock.now() + VALUE_EVERY_MS;
    if (one.follow.waitingFor === "credits") return;
    const waiting = { ...one.follow, waitingFor: "credits" as const, note: UNPAID_NOTE };
    if (await database.write((tx) => advanceFollow(tx, holder, waiting)))
      one.follow = { ...waiting, version: waiting.version + 1 };
    else drop(one);
  };

  const work = async (one: HeldFollow) => {
    if (one.follow.epoch !== tail.epoch()) return end(one, REBUILT_NOTE);
    const delayMs = await delayOf(one);
    const due = delayMs === 0 ? Number.POSITIVE_INFINITY : await tail.positionAt(clock.now() - delayMs);
    const upTo = Math.min(tail.newest(), due);
    const newestAt = tail.recent(tail.newest() - 1, 1)?.[0]?.capturedAt ?? 0;
    // Copied in the same turn as the newest position: anything that arrives meanwhile is for the next step.
    const unread = [...one.unread];
    for (const event of unread) {
      const found = await retractions.of(event);
      if (found?.userId === one.follow.userId) one.retracted.push(found.trade);
      one.unread.splice(one.unread.indexOf(event), 1);
    }
    const retracted = [...one.retracted];
    const reach = { upTo: Math.max(upTo, one.follow.position), delayMs, newestAt };
    const stepped = await step({ ...one, ...reach, retracted });
    const committed = await commit(one.follow, stepped);
    if (committed.kind === "lost") return drop(one);
    if (committed.kind === "unpaid") return wait(one);
    one.follow = committed.follow;
    if (committed.booked > 0) parts.booked(one.follow.accountId);
    one.kept = stepped.kept;
    one.retracted = one.retracted.filter((trade) => !retracted.includes(trade));
    one.wakeAt =
      stepped.hasMore || one.retracted.length > 0 ? 0 : nextLook(one, settleMs + delayMs, clock.now());
  };

  const working = createLoop({
    failure: "paper follows were not worked",
    everyMs: TICK_MS,
    clock,
    log,
    async round() {
      const due = [...held.values()].filter(({ isReady, wakeAt }) => isReady && wakeAt <= clock.now());
      await inTurn(due, STEPS_MAX, async (one) => {
        try {
          await work(one);
        } catch (error) {
          log.warn("a paper follow's step failed", { followId: one.follow.followId, error });
          one.wakeAt = clock.now() + FAILED_STEP_MS;
        }
      });
    },
  });

  /** Starts on newly held follows, from their positions in the log. */
  const take = async (follows: readonly StoredFollow[]) => {
    if (follows.length === 0) return;
    const oldest = await tail.oldestKept();
    const upTo = tail.newest();
    const fresh = follows.map((follow): HeldFollow => {
      const { fold } = JSON.parse(follow.terms) as KeptTerms;
      const nothing = { retracted: [], unread: [], isReady: false, wakeAt: 0 };
      return { follow, kept: readKept(follow.state), terms: fold, ...nothing };
    });
    // From here on the tail delivers retractions; earlier ones are read from the log.
    for (const one of fresh) held.set(one.follow.followId, one);
    try {
      for (const one of fresh) if (oldest - 1 > one.follow.position) await end(one, GAP_NOTE);
      const from = Math.min(...fresh.map(({ follow }) => follow.position));
      for (const { userId, trade } of await retractions.between(Math.max(from, oldest - 1), upTo))
        for (const one of fresh) if (one.follow.userId === userId) one.retracted.push(trade);
    } catch (error) {
      // The next round starts on them again, and reads again.
      for (const one of fresh) drop(one);
      throw error;
    }
    for (const one of fresh) one.isReady = true;
    working.wake();
  };

  const claiming = createLoop({
    failure: "paper follows were not claimed",
    everyMs: RENEW_EVERY_MS,
    clock,
    log,
    async round() {
      if (held.size === 0 && !(await anyFollow(database.read))) return;
      const known = [...held.keys()];
      const now = clock.now();
      const claim = { holder, now, leaseMs: LEASE_MS, heldMax: FOLLOWS_PER_NODE_MAX, known };
      const claimed = await database.write((tx) => claimFollows(tx, claim));
      const ours = new Set(claimed.held);
      for (const one of [...held.values()]) if (!ours.has(one.follow.followId)) drop(one);
      await take(claimed.taken.filter(({ followId }) => !held.has(followId)));
    },
  });

  const onEntry = ({ event, facts }: FeedEntry) => {
    if (held.size === 0) return;
    if (event.kind === "retract") {
      for (const one of held.values()) {
        if (!facts?.traders.includes(userForm(one.follow.userId))) continue;
        one.unread.push(event);
        one.wakeAt = 0;
      }
    } else if (event.feed === "app" && event.userId !== null)
      for (const one of ofLeader(event.userId)) {
        const due = (event.execAt ?? event.at) + one.terms.delayMs + settleMs;
        one.wakeAt = Math.min(one.wakeAt, Math.max(due, clock.now()));
      }
  };
  tail.listen({
    onEntries: (entries) => entries.forEach(onEntry),
    onRebuilt() {
      for (const one of held.values()) one.wakeAt = 0;
    },
  });
  const stopHearing = access.onChange((change) => {
    if (change.kind !== "account") return;
    for (const one of held.values())
      if (one.follow.accountId === change.accountId && one.follow.waitingFor !== null) one.wakeAt = 0;
  });
  parts.metrics.probe("crowdtape_paper_follows", "Paper follows this node works.", () => held.size);

  return {
    start() {
      claiming.start();
      working.start();
    },
    async stop() {
      stopHearing();
      await claiming.stop();
      await working.stop();
      await database
        .write((tx) => leaveFollows(tx, holder))
        .catch((error) => log.warn("paper follows were not handed over; their holds expire", { error }));
    },
    wake: claiming.wake,
    held: () => held.size,
  };
}

const UNPAID_NOTE =
  "There are not enough credits for the next hundred orders. It continues where it was once there are.";
const REBUILT_NOTE = "The log was rebuilt, so there is no telling what the trader did in between.";
const GAP_NOTE = "The log no longer reaches back to where this follow stopped.";

/** When there is something to do next if the leader does nothing. */
function nextLook({ kept: { state }, terms }: HeldFollow, lateMs: number, now: number): number {
  const isWatched = hasRules(terms.rules) && state.holdings.length > 0;
  return Math.min(nextDueAt(state, terms) + lateMs, now + (isWatched ? LOOK_EVERY_MS : VALUE_EVERY_MS));
}
