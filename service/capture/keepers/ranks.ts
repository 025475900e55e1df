// Records leaderboard ranks once an hour, so that a later board can show who rose and who fell. An hour
// that was missed is requested when needed; if a platform can't answer for the past, it stays unknown.
import type { Clock } from "../../../kit/clock.ts";
import type { Pace } from "../../../kit/pace.ts";
import { HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";
import { PNL_WINDOWS, type PnlWindow } from "../../../protocol/shapes/trader.ts";
import { comparedHour, hourBegin, PAST_RANKS_KEPT_MS } from "../../model/past-ranks.ts";
import type { Store } from "../../store/store.ts";
import type { Upstream } from "../../upstream/port.ts";
import { type Keeper, NotAnswered } from "../keeper.ts";

const REST_MS = 2 * MINUTE_MS;
/** By then a platform has settled the books of an hour that has just begun. */
const SETTLED_AFTER_MS = MINUTE_MS;
const DEADLINE_MS = 10_000;
/** A platform that answers for its last settled moment is this much early at most. */
const EARLY_MS_MAX = 5 * MINUTE_MS;

export function ranksKeeper(options: {
  upstream: Upstream;
  store: Pick<Store, "pastRanks">;
  clock: Clock;
  pages: Pace;
  /** Whose people these are. */
  source: string;
}): Keeper {
  const { upstream, store, clock, pages, source } = options;
  /** What it could not tell of: asked for once. */
  const unknown = new Map<PnlWindow, Set<number>>(PNL_WINDOWS.map((window) => [window, new Set()]));

  /** Whether it was answered, with a ranking of that hour or not. */
  const keep = async (window: PnlWindow, hour: number, signal: AbortSignal): Promise<boolean> => {
    await pages.turn(signal);
    if (signal.aborted) return true;
    const outcome = await upstream.leaderboard(window, hour, { deadlineMs: DEADLINE_MS, signal });
    if (outcome.kind !== "found") return outcome.kind === "unsupported" || outcome.kind === "notFound";
    const { asOf, rows } = outcome.value;
    if (rows.length === 0 || asOf <= hour - EARLY_MS_MAX || asOf >= hour + HOUR_MS) {
      unknown.get(window)?.add(hour);
      return true;
    }
    const ranks = rows.map(({ userId, rank }) => [userId, rank] as const);
    await store.pastRanks.save({ window, hour, source }, { asOf, ranks });
    return true;
  };

  return {
    name: "ranks",
    restMs: REST_MS,
    async round(signal) {
      let unanswered = 0;
      const now = clock.now();
      const oldest = now - PAST_RANKS_KEPT_MS;
      await store.pastRanks.forget(oldest, source);
      for (const window of PNL_WINDOWS) {
        const kept = await store.pastRanks.hours(window, oldest);
        const given = unknown.get(window);
        for (const hour of given ?? []) if (hour < oldest) given?.delete(hour);
        for (const hour of [comparedHour(window, now), hourBegin(now - SETTLED_AFTER_MS)])
          if (!signal.aborted && !kept.includes(hour) && !given?.has(hour))
            if (!(await keep(window, hour, signal))) unanswered += 1;
      }
      // Retried soon, and not only after the rest.
      if (unanswered > 0) throw new NotAnswered(`${unanswered} rankings`);
    },
  };
}
