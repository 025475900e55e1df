// Looks up the origins of tokens that a roster trader swapped and either holds or traded within a day. What a chain won't
// answer is retried later; what can't be known stays unknown.
import type { Database } from "../database/database.ts";
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import type { LivePositions, LiveToken } from "./answers/live-positions.ts";
import { finalHeight } from "./books/kept-blocks.ts";
import { launchAfter, saveLaunch } from "./books/launches.ts";
import type { ChainQueries, LaunchAnswer } from "./chain.ts";

/** Per chain and round; a chain's queries may process fewer. */
const TOKENS_MAX = 200;

type LaunchQueries = Pick<ChainQueries, "launches">;

export interface Launches {
  round(): Promise<void>;
}

export function createLaunches(parts: {
  database: Database;
  live: Pick<LivePositions, "tokens">;
  chains: readonly { chainId: number; queries: LaunchQueries }[];
  /** Drops a token's cache entry, so that it is read again. */
  forget(chainId: number, token: string): void;
  clock: Pick<Clock, "now">;
  log: Log;
}): Launches {
  const { database, live, clock, log } = parts;

  const dueOn = (chainId: number): LiveToken[] => {
    const now = clock.now();
    const due: { of: LiveToken; askAt: number }[] = [];
    for (const of of live.tokens()) {
      const { askAt } = of.known.launch;
      const isWanted = of.swappers > 0 && of.holders.size + of.recent.length > 0;
      if (of.known.chainId === chainId && isWanted && askAt !== null && askAt <= now) due.push({ of, askAt });
    }
    // Tokens that were never asked about come first.
    due.sort((a, b) => a.askAt - b.askAt);
    return due.slice(0, TOKENS_MAX).map(({ of }) => of);
  };

  const save = async (of: LiveToken, answer: LaunchAnswer) => {
    const launch = launchAfter(of.known.launch, answer, clock.now());
    await database.write((tx) => saveLaunch(tx, of.known, launch));
    of.known = { ...of.known, launch };
    parts.forget(of.known.chainId, of.known.token);
  };

  const roundOf = async (chainId: number, { launches }: LaunchQueries) => {
    const due = launches ? dueOn(chainId) : [];
    const height = await finalHeight(database.read, chainId);
    if (!launches || due.length === 0 || height < 0) return;
    const asked = due.map(({ known }) => ({ token: known.token, known: known.launch }));
    const answers = await launches(asked, height);
    for (const [place, of] of due.entries()) {
      const answer = answers[place];
      if (answer) await save(of, answer);
    }
  };

  return {
    async round() {
      for (const { chainId, queries } of parts.chains)
        await roundOf(chainId, queries).catch((error) =>
          log.warn("could not look up tokens' launches", { chainId, error }),
        );
    },
  };
}
