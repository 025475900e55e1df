// The chat bots configured on a serving node, run inside it: the same bots as `crowdtape bot`, each on one node at a
// time. If a node dies, another takes over within seconds, and finds the chats in the shared database of the store.
import { Refused } from "../../client/cli/refused.ts";
import { freshUuid } from "../../kit/ids.ts";
import type { Kit } from "../../kit/kit.ts";
import { keepLease, type LeaseTerms } from "../capture/lease-keeper.ts";
import type { BotName, Config } from "../config.ts";
import type { Store } from "../store/store.ts";
import { type BotSource, runBot } from "./bot.ts";

export interface RunningBots {
  /** Resolves when all have stopped and saved their positions. */
  stop(): Promise<void>;
}

export interface BotsParts extends Pick<Kit, "clock" | "log" | "random"> {
  config: Config;
  store: Pick<Store, "leases">;
  source: BotSource;
}

const NAMES: Record<BotName, string> = { telegram: "Telegram", discord: "Discord" };

/** No one in a chat notices a few seconds, and every waiting node queries the store each time. */
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
        // A wrong token stays wrong: logged once, by one node, until the operator sets another one and restarts.
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
