// Reads the past of traders who were added: each wallet's last days, once, as a cursor of its own that goes on after a
// restart. A trader who is removed meanwhile is left as far as it got.
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop, type Loop } from "../../kit/loop.ts";
import { type BackfillRequest, type ChainReader, SOLANA_CHAIN_ID } from "../chain.ts";
import { backfillName, isBackfilled, markBackfilled } from "./backfill-marks.ts";
import type { Directory } from "./directory.ts";

const EVERY_MS = 5_000;
const DAY_MS = 86_400_000;

interface Chain {
  chainId: number;
  name: string;
  reader: ChainReader;
}

export function createBackfills(parts: {
  db: Database;
  directory: Directory;
  readers: readonly Chain[];
  historyDays: number;
  clock: Clock;
  log: Log;
}): Loop {
  const { db, directory, clock, log } = parts;
  /** Those that failed last come last, so that none keeps the others waiting for ever. */
  const failed = new Set<string>();

  const readChain = async (chain: Chain, signal: AbortSignal): Promise<void> => {
    const { chainId, name, reader } = chain;
    // Live reading has to have begun: the past ends there.
    if (reader.status().cursor === null) return;
    const wanted = directory.traders().flatMap((trader) => {
      const wallets = chainId === SOLANA_CHAIN_ID ? trader.solana : trader.evm;
      return wallets.length > 0 ? [{ trader, wallets, own: backfillName(name, trader.userId, wallets) }] : [];
    });
    const isLast = ({ own }: { own: string }) => Number(failed.has(own));
    for (const { trader, wallets, own } of wanted.sort((a, b) => isLast(a) - isLast(b))) {
      if (signal.aborted) return;
      if (await isBackfilled(db.read, own)) continue;
      const sinceMs = trader.addedAt - parts.historyDays * DAY_MS;
      failed.add(own);
      await reader.backfill({ wallets, sinceMs, name: own, onProgress: progressLog(trader.handle, name) });
      failed.delete(own);
      await db.write((tx) => markBackfilled(tx, own, clock.now()));
      log.info("a trader's past is read", { trader: trader.handle, chain: name });
    }
  };

  const progressLog = (trader: string, chain: string): Required<BackfillRequest>["onProgress"] => {
    let told = -1;
    return ({ fromHeight, height, toHeight }) => {
      const percent = Math.floor((100 * (height - fromHeight)) / Math.max(1, toHeight - fromHeight));
      if (percent < told + 10) return;
      told = percent;
      log.info("reading a trader's past", { trader, chain, percent });
    };
  };

  const round = async (signal: AbortSignal) => {
    if (parts.historyDays === 0) return;
    // One chain's trouble is not another's.
    for (const chain of parts.readers)
      await readChain(chain, signal).catch((problem: unknown) =>
        log.warn("a trader's past could not be read", { chain: chain.name, problem }),
      );
  };
  return createLoop({ failure: "a trader's past could not be read", everyMs: EVERY_MS, clock, log, round });
}
