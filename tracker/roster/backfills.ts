// Reads the past of traders who were added: each wallet's last days, once, as a cursor of its own that goes on after a
// restart. A trader who is removed meanwhile is left as far as it got.
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop, type Loop } from "../../kit/loop.ts";
import { type ChainReader, SOLANA_CHAIN_ID } from "../chain.ts";
import type { Directory } from "./directory.ts";
import type { RosterTrader } from "./roster.ts";

const EVERY_MS = 5_000;
const DAY_MS = 86_400_000;

export function createBackfills(parts: {
  db: Database;
  directory: Directory;
  readers: readonly { chainId: number; name: string; reader: ChainReader }[];
  historyDays: number;
  clock: Clock;
  log: Log;
}): Loop {
  const { db, directory, clock, log } = parts;
  const nameOf = (chain: string, trader: RosterTrader) => `backfill:${chain}:${trader.userId}`;
  const doneName = (chain: string, trader: RosterTrader, wallets: readonly string[]) =>
    `${nameOf(chain, trader)}:${[...wallets].sort().join(",")}`;
  const isDone = async (name: string): Promise<boolean> =>
    (await db.read.one(sql`SELECT value FROM tracker_meta WHERE name = ${name}`)) !== null;

  const round = async (signal: AbortSignal) => {
    if (parts.historyDays === 0) return;
    for (const { chainId, name, reader } of parts.readers) {
      // Live reading has to have begun: the past ends there.
      if (reader.status().cursor === null) continue;
      for (const trader of directory.traders()) {
        if (signal.aborted) return;
        const wallets = chainId === SOLANA_CHAIN_ID ? trader.solana : trader.evm;
        const done = doneName(name, trader, wallets);
        if (wallets.length === 0 || (await isDone(done))) continue;
        const sinceMs = trader.addedAt - parts.historyDays * DAY_MS;
        let told = -1;
        await reader.backfill({
          ...{ wallets, sinceMs, name: nameOf(name, trader) },
          onProgress({ fromHeight, height, toHeight }) {
            const percent = Math.floor((100 * (height - fromHeight)) / Math.max(1, toHeight - fromHeight));
            if (percent >= told + 10)
              log.info("reading a trader's past", { trader: trader.handle, chain: name, percent });
            if (percent >= told + 10) told = percent;
          },
        });
        await db.write((tx) =>
          tx.run(
            sql`INSERT INTO tracker_meta (name, value) VALUES (${done}, ${String(clock.now())})
              ON CONFLICT (name) DO NOTHING`,
          ),
        );
        log.info("a trader's past is read", { trader: trader.handle, chain: name });
      }
    }
  };
  return createLoop({ failure: "a trader's past could not be read", everyMs: EVERY_MS, clock, log, round });
}
