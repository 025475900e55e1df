// The chat bots that the settings of a serving node name, run inside it: the same bots as `crowdtape bot`, each on one node at a
// time. A node that dies is followed by another within seconds, which finds the chats where both have them: in the store's database.
import { Refused } from "../../client/cli/refused.ts";
import { freshUuid } from "../../kit/ids.ts";
import type { Kit } from "../../kit/kit.ts";
import { keepLease, type LeaseTerms } from "../capture/lease-keeper.ts";
import type { BotName, Config } from "../config.ts";
import type { Store } from "../store/store.ts";
import { type BotSource, runBot } from "./bot.ts";

export interface RunningBots {
  /** Resolves when all have ended and written down where they are. */
  stop(): Promise<void>;
}

export interface BotsParts extends Pick<Kit, "clock" | "log" | "random"> {
  config: Config;
  store: Pick<Store, "leases">;
  source: BotSource;
}

const NAMES: Record<BotName, string> = { telegram: "Telegram", discord: "Discord" };

/** Nobody in a chat notices some seconds, and every node that waits asks the store each time. */
const termsOf = (name: BotName): LeaseTerms => ({
  name: `bot ${name}`,
  does: `runs the ${NAMES[name]} bot`,
  lengthMs: 12_000,
  renewEveryMs: 4_000,
  standbyPollMs: 3_000,
});

export function startBots({ config, store, source, clock, log, random }: BotsParts): RunningBots {
  const stopping = new AbortController();
  const holder = freshUuid();
  const running = config.bot.named.map((name) => {
    const run = { clock, log, random, source };
    const work = async (_: unknown, signal: AbortSignal) => {
      const onReady = (said: string) => log.info(said);
      try {
        await runBot(config, name, { ...run, signal, onReady });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        // A wrong token stays wrong: said once, and by one node, until somebody sets another one and starts again.
        log.error(`the ${NAMES[name]} bot can't run`, { why: error.message });
        await clock.sleep(Number.POSITIVE_INFINITY, signal);
      }
    };
    const terms = termsOf(name);
    return keepLease({ leases: store.leases, terms, holder, clock, log, signal: stopping.signal, work });
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
