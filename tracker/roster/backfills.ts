// Reads the history of added traders: each wallet's last days, once, with a cursor that survives restarts. Traders on an EVM
// chain are read together, since a log query costs the same for one wallet and for a hundred. If a trader is removed meanwhile,
// the back-fill stays where it got.

import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop, type Loop } from "../../kit/loop.ts";
import { DAY_MS } from "../../kit/units.ts";
import { type BackfillRequest, type ChainReader, SOLANA_CHAIN_ID } from "../chain.ts";
import { RpcUnavailable } from "../rpc/errors.ts";
import {
  backfillGroupName,
  backfillName,
  forgetGroups,
  isBackfilled,
  markBackfilled,
} from "./backfill-marks.ts";
import type { Directory } from "./directory.ts";

const EVERY_MS = 5_000;
/** Wallets whose history is read at once: all their activity in a range of blocks has to fit in memory. */
const GROUP_WALLETS_MAX = 100;

interface BackfilledChain {
  chainId: number;
  name: string;
  reader: ChainReader;
}

interface WantedPast {
  handle: string;
  wallets: readonly string[];
  /** The mark that records it as read. */
  own: string;
  sinceMs: number;
}

/** In order; traders whose history starts on different days are not read together. */
function grouped(wanted: readonly WantedPast[], walletsMax: number): WantedPast[][] {
  const groups: WantedPast[][] = [];
  let size = 0;
  for (const one of wanted.toSorted((a, b) => a.sinceMs - b.sinceMs)) {
    const last = groups.at(-1);
    const isNear = last?.[0] !== undefined && one.sinceMs - last[0].sinceMs < DAY_MS;
    if (last && isNear && size + one.wallets.length <= walletsMax) {
      last.push(one);
      size += one.wallets.length;
    } else {
      groups.push([one]);
      size = one.wallets.length;
    }
  }
  return groups;
}

export function createBackfills(parts: {
  database: Database;
  directory: Directory;
  readers: readonly BackfilledChain[];
  historyDays: number;
  clock: Clock;
  log: Log;
}): Loop {
  const { database, directory, clock, log } = parts;
  /** Failed ones go last and each alone, so that they never block the others. */
  const failed = new Set<string>();

  const readChain = async (chain: BackfilledChain, signal: AbortSignal): Promise<void> => {
    const { chainId, name, reader } = chain;
    // Live reading must have started: the history ends there.
    if (reader.status().cursor === null) return;
    const wanted: WantedPast[] = [];
    for (const trader of directory.traders()) {
      const wallets = chainId === SOLANA_CHAIN_ID ? trader.solana : trader.evm;
      const own = backfillName(name, trader.userId, wallets);
      if (wallets.length === 0 || (await isBackfilled(database.read, own))) continue;
      wanted.push({
        handle: trader.handle,
        wallets,
        own,
        sinceMs: trader.addedAt - parts.historyDays * DAY_MS,
      });
    }
    const perGroup = chainId === SOLANA_CHAIN_ID ? 1 : GROUP_WALLETS_MAX;
    const groups = [
      ...grouped(
        wanted.filter(({ own }) => !failed.has(own)),
        perGroup,
      ),
      ...grouped(
        wanted.filter(({ own }) => failed.has(own)),
        1,
      ),
    ];
    for (const group of groups) {
      if (signal.aborted) return;
      try {
        await readGroup(chain, group);
        for (const { own } of group) failed.delete(own);
      } catch (error) {
        // An unreachable provider says nothing about these traders.
        if (error instanceof RpcUnavailable) throw error;
        for (const { own } of group) failed.add(own);
        log.warn("could not read a trader's history", { chain: name, traders: group.length, error });
      }
    }
  };

  const readGroup = async (
    { name, reader }: BackfilledChain,
    group: readonly WantedPast[],
  ): Promise<void> => {
    const [first] = group;
    if (!first) return;
    const cursor =
      group.length === 1
        ? first.own
        : backfillGroupName(
            name,
            group.map(({ own }) => own),
          );
    const trader = group.length === 1 ? first.handle : `${first.handle} and ${group.length - 1} more`;
    await reader.backfill({
      wallets: group.flatMap(({ wallets }) => wallets),
      sinceMs: Math.min(...group.map(({ sinceMs }) => sinceMs)),
      name: cursor,
      onProgress: progressLog(trader, name),
    });
    await database.write(async (tx) => {
      for (const { own } of group) await markBackfilled(tx, own, clock.now());
      await forgetGroups(tx, name);
    });
    log.info("a trader's history is read", { trader, chain: name });
  };

  const progressLog = (trader: string, chain: string): Required<BackfillRequest>["onProgress"] => {
    let logged = -1;
    return ({ fromHeight, height, toHeight }) => {
      const percent = Math.floor((100 * (height - fromHeight)) / Math.max(1, toHeight - fromHeight));
      if (percent < logged + 10) return;
      logged = percent;
      log.info("reading a trader's history", { trader, chain, percent });
    };
  };

  const round = async (signal: AbortSignal) => {
    if (parts.historyDays === 0) return;
    // One chain's failure must not affect another.
    for (const chain of parts.readers)
      await readChain(chain, signal).catch((error: unknown) =>
        log.warn("could not read a trader's history", { chain: chain.name, error }),
      );
  };
  return createLoop({ failure: "could not read a trader's history", everyMs: EVERY_MS, clock, log, round });
}
