// Whether the platform says that it is simulated: if no trades are real, test keys work. Until a remote platform has said
// so, it counts as real.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop, type Loop } from "../../kit/loop.ts";
import type { Upstream } from "./port.ts";

export interface Invented extends Pick<Loop, "start" | "stop"> {
  isInvented(): boolean;
}

/** Source names of simulated platforms begin with this. */
const INVENTED = /^simulator\b/;
const ASK_EVERY_MS = 60_000;
const ASK_AGAIN_MS = 2_000;
const ASK_MS = 2_000;

export function createInvented(
  upstream: Pick<Upstream, "capabilities">,
  parts: { clock: Clock; log: Log },
): Invented {
  let invented = false;
  const loop = createLoop({
    ...parts,
    failure: "the platform was not asked what it is",
    everyMs: ASK_EVERY_MS,
    async round() {
      const outcome = await upstream.capabilities({ deadlineMs: ASK_MS });
      // A platform that does not answer keeps its last status.
      if (outcome.kind !== "found") return ASK_AGAIN_MS;
      invented = INVENTED.test(outcome.value.source);
      return ASK_EVERY_MS;
    },
  });
  return { ...loop, isInvented: () => invented };
}
