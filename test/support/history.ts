// Closes a live service's days in this process, as `crowdtape history close` does in its own.
import { join } from "node:path";
import { createLog } from "../../kit/log.ts";
import { type ClosingParts, closeDays } from "../../service/history/close.ts";
import { openPlace } from "../../service/history/place.ts";
import type { LiveService } from "./live-service.ts";

const RETENTION_DAYS = 365;

export const closingOf = ({ service, clock, folder }: LiveService): ClosingParts => ({
  store: service.store,
  clock,
  log: createLog("silent", clock.now),
  place: openPlace(join(folder, "history")),
  retentionDays: RETENTION_DAYS,
});

/** Returns the last closed day. */
export async function closeEveryDay(live: LiveService): Promise<string> {
  const parts = closingOf(live);
  const closing = await closeDays(parts);
  if (closing.kind === "notYet") throw new Error(closing.why);
  const date = (await parts.place.manifest()).files.at(-1)?.date;
  if (date === undefined) throw new Error("there is no day to close");
  return date;
}
