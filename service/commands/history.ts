// `crowdtape history close`: closes every final day that is not closed yet, and recloses those that have changed since. The
// service runs it as a separate process, so that no request waits for it.
import { Refused } from "../../client/cli/refused.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop, type Loop } from "../../kit/loop.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import { type Config, environmentWith } from "../config.ts";
import { openPlace } from "../history/place.ts";
import { atTheDesk } from "./operator.ts";
import { PROGRAM_COMMAND } from "./program.ts";

export function closeHistory(): Promise<void> {
  return atTheDesk(async ({ config, store, kit }) => {
    if (config.history === null)
      throw new Refused(
        "HISTORY is not set. It names the folder, or s3://BUCKET/NAME, that closed days go to.",
      );
    // Loaded only by the process that closes: the serving one runs this as another process.
    const { closeDays } = await import("../history/close.ts");
    const closing = await closeDays({
      store,
      clock: kit.clock,
      log: kit.log,
      place: openPlace(config.history),
      retentionDays: config.retentionDays.fills,
      onClosed: ({ path, rows, bytes }) => console.log(`${path}: ${rows} rows, ${bytes} bytes`),
    });
    if (closing.kind === "notYet") throw new Refused(`No day was closed. ${closing.why}`);
    console.log(closing.files === 0 ? "Nothing has changed." : `Closed ${closing.files} files.`);
  });
}

/** How often days are checked: most checks only compare, and one per day closes. */
const LOOK_MS = 30 * MINUTE_MS;
const FIRST_LOOK_MS = MINUTE_MS;

/** Runs it periodically until stopped. Several nodes may do so: the store's lease admits one at a time. */
export function closeInTime(config: Config, { clock, log }: Pick<Kit, "clock" | "log">): Loop | null {
  const { history } = config;
  if (history === null || config.role === "api") return null;
  let child: Bun.Subprocess | null = null;
  let isFirst = true;
  const loop = createLoop({
    failure: "days could not be closed",
    clock,
    log,
    async round(signal) {
      if (isFirst) {
        isFirst = false;
        return FIRST_LOOK_MS;
      }
      const closing = Bun.spawn([...PROGRAM_COMMAND, "history", "close"], {
        env: environmentWith({ LOG_LEVEL: "warn" }),
        stdin: "ignore",
        stdout: "ignore",
        stderr: "pipe",
      });
      child = closing;
      const said = (await new Response(closing.stderr).text()).trim();
      const code = await closing.exited;
      child = null;
      if (code !== 0 && !signal.aborted) log.warn("no day was closed", { said });
      return LOOK_MS;
    },
  });
  loop.start();
  return {
    ...loop,
    async stop() {
      child?.kill();
      await loop.stop();
    },
  };
}
