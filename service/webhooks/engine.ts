// The deliveries of one node: it claims its share of the webhooks, listens to the log for all of them, and runs those that have
// something to do.
import type { Chains } from "../../contract/chains.ts";
import type { Database } from "../../database/database.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop } from "../../kit/loop.ts";
import type { Metrics } from "../../kit/metrics.ts";
import type { Access } from "../access/access.ts";
import type { Bus } from "../bus/port.ts";
import type { Tail } from "../feed/tail.ts";
import type { LogStore } from "../store/captured/log.ts";
import { webhooksOfShard } from "../store/money/webhooks.ts";
import { createClaims } from "./claims.ts";
import { createCommits, type TellOwner } from "./commits.ts";
import { createStep, createWrite, type DeliveryStep } from "./deliver.ts";
import { savePlaces } from "./idle.ts";
import { createPages } from "./pages.ts";
import { createPaperPages } from "./paper-pages.ts";
import type { Post } from "./post.ts";
import { createRoster, type Roster } from "./roster.ts";
import { createSchedule } from "./schedule.ts";
import { createStandings } from "./standings.ts";

export interface EngineParts extends Kit {
  database: Database;
  logStore: LogStore;
  tail: Pick<Tail, "listen" | "epoch" | "newest">;
  access: Pick<Access, "grants" | "within" | "onChange">;
  bus: Pick<Bus, "listen">;
  chains: Chains;
  post: Post;
  tellOwner: TellOwner;
  /** How long requests under way may take when the node stops. */
  drainMs: number;
  /** How long shards stay this node's without renewal. */
  leaseMs?: number | undefined;
}

export interface Engine {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** An owner changed something on this node. */
  wake(): void;
  counts(): { endpoints: number; behind: number; underWay: number };
}

/** How exactly a retry keeps its time. */
const TICK_MS = 250;
/** How far back a node that takes over searches for endpoints without events. */
const SAVE_PLACES_EVERY_MS = 300_000;
/** A lost hint that a paper follow booked something costs this much freshness and nothing else. */
const LOOK_AT_PAPER_MS = 5_000;
/** Rows in one read. */
const ROWS_MAX = 500;
/** Retry interval for a store that does not answer. */
const FAILED_STEP_MS = 2_000;

export function createEngine(parts: EngineParts): Engine {
  const { database, clock, log, tail, access } = parts;
  const standings = createStandings({ database, clock, grants: access.grants });
  const claims = createClaims({
    database,
    clock,
    log,
    leaseMs: parts.leaseMs,
    async onHeld({ shard, term }, since) {
      for (let [after, isFull] = [since, true]; isFull; ) {
        const rows = await webhooksOfShard(database.read, shard, after, ROWS_MAX);
        for (const row of rows) {
          standings.forget(row.accountId);
          roster.take(row, term);
        }
        after = rows.at(-1)?.revision ?? after;
        isFull = rows.length === ROWS_MAX;
      }
    },
    onLost: (shard) => roster.lose(shard),
    windDown: (shard) => roster.windDown(shard),
    goOn: (shard) => roster.goOn(shard),
  });
  const holds = (shard: number, term: number) => claims.termOf(shard) === term;
  const schedule = createSchedule(async (endpoint) => {
    try {
      if (holds(endpoint.webhook.shard, endpoint.term)) await step(endpoint);
      else endpoint.sleepUntil = clock.now() + TICK_MS;
    } catch (error) {
      log.warn("a webhook's step failed", { webhookId: endpoint.webhook.id, error });
      endpoint.sleepUntil = clock.now() + FAILED_STEP_MS;
    } finally {
      endpoint.isBusy = false;
      // A top-up or plan change made meanwhile must not wait for its next check.
      if (endpoint.isAccountChanged && endpoint.webhook.waitingFor !== null) endpoint.sleepUntil = 0;
      endpoint.isAccountChanged = false;
      roster.place(endpoint);
    }
  });
  const roster = createRoster({ clock, schedule, epoch: tail.epoch });
  const commits = createCommits({ ...parts, charges: access.within, holds });
  const step = stepOf(parts, { standings, roster, commits });
  const upkeep = upkeepOf(parts, roster, tail.newest);
  tail.listen({
    onEntries: (entries) => entries.forEach(roster.onEntry),
    onRebuilt: () => roster.all().forEach(roster.place),
  });
  const stopHearing = access.onChange((change) => {
    if (change.kind !== "account") return;
    standings.forget(change.accountId);
    roster.wakeAccount(change.accountId);
  });
  const stopHearingPaper = parts.bus.listen((message) => {
    if (message.kind === "paper") roster.wakePaper(message.accountId);
  });
  const counts = () => ({
    endpoints: roster.size(),
    behind: roster.all().filter(({ isLive }) => !isLive).length,
    underWay: schedule.underWay(),
  });
  measure(parts.metrics, roster, counts);

  return {
    async start() {
      claims.start();
      upkeep.start();
    },
    async stop() {
      stopHearing();
      stopHearingPaper();
      await upkeep.stop();
      const late = new AbortController();
      const cutting = clock.sleep(parts.drainMs, late.signal).then(() => {
        if (!late.signal.aborted) for (const { cut } of roster.all()) cut.abort();
      });
      await schedule.drain();
      late.abort();
      await cutting;
      await commits.close();
      await upkeep.save();
      await claims.stop();
    },
    wake: claims.wake,
    counts,
  };
}

function stepOf(
  parts: EngineParts,
  own: {
    standings: ReturnType<typeof createStandings>;
    roster: Roster;
    commits: ReturnType<typeof createCommits>;
  },
): DeliveryStep {
  const { roster } = own;
  const { epoch, newest } = parts.tail;
  const write = createWrite({ commits: own.commits, begun: roster.begun });
  const readPage = createPages({
    log: parts.logStore,
    logger: parts.log,
    newest,
    write: (endpoint, change) =>
      write(endpoint, { apply: (row) => ({ webhook: change(row), gaveUp: false }) }),
  });
  return createStep({
    ...parts,
    ...own,
    readPage,
    readPaper: createPaperPages(parts.database),
    goLive: roster.goLive,
    leaveOutUndone: roster.leaveOutUndone,
    begun: roster.begun,
    epoch,
    newest,
  });
}

/** Timed work: due retries, and positions of idle endpoints to save. */
function upkeepOf({ database, clock, log }: EngineParts, roster: Roster, newest: () => number) {
  const failure = "places of webhooks were not saved";
  const save = () => savePlaces(database, roster.all(), newest());
  const ticking = createLoop({
    failure: "webhooks were not woken",
    everyMs: TICK_MS,
    clock,
    log,
    round: roster.tick,
  });
  const saving = createLoop({
    failure,
    everyMs: SAVE_PLACES_EVERY_MS,
    first: "later",
    clock,
    log,
    round: save,
  });
  const lookingAtPaper = createLoop({
    failure: "webhooks did not look for what paper follows booked",
    everyMs: LOOK_AT_PAPER_MS,
    first: "later",
    clock,
    log,
    round: () => roster.wakePaper(null),
  });
  const loops = [ticking, saving, lookingAtPaper];
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    stop: () => Promise.all(loops.map((loop) => loop.stop())),
    save: () => save().catch((error) => log.warn(failure, { error })),
  };
}

function measure(metrics: Metrics, roster: Roster, counts: Engine["counts"]): void {
  metrics.probe("crowdtape_webhook_endpoints", "Webhooks this node delivers to.", () => counts().endpoints);
  metrics.probe("crowdtape_webhook_under_way", "Webhook requests under way.", () => counts().underWay);
  metrics.probe("crowdtape_webhook_behind", "Webhooks that read the log in pages.", () => counts().behind);
  metrics.probe(
    "crowdtape_webhook_failing",
    "Webhooks whose last attempt failed.",
    () => roster.all().filter(({ webhook }) => webhook.failures > 0).length,
  );
}
