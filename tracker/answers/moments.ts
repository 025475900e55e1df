// Computes all standings for the moments that the service will ask about, shortly before it does. It asks about whole half
// minutes, some 25 seconds after each.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop, type Loop } from "../../kit/loop.ts";
import { SECOND_MS } from "../../kit/units.ts";
import type { RosterStandings } from "./standings.ts";

const EVERY_MS = 30 * SECOND_MS;
const AFTER_MS = 20 * SECOND_MS;

/** `warm` preloads what token pages need at that moment. */
export function createMoments(
  standings: Pick<RosterStandings, "prepare">,
  warm: () => Promise<void>,
  clock: Clock,
  log: Log,
): Loop {
  let last = 0;
  return createLoop({
    failure: "could not compute standings",
    everyMs: EVERY_MS,
    clock,
    log,
    async round() {
      const moment = Math.floor((clock.now() - AFTER_MS) / EVERY_MS) * EVERY_MS;
      if (moment !== last) {
        await standings.prepare(moment);
        await warm();
      }
      last = moment;
      return Math.max(0, moment + EVERY_MS + AFTER_MS - clock.now());
    },
  });
}
