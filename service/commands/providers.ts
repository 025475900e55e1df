// What `crowdtape doctor` says about the providers of a chain: what each allows, and what following the roster costs there.
import { existsSync } from "node:fs";
import { openDatabase } from "../../database/open.ts";
import { sql } from "../../database/sql.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { SOLANA_CHAIN_ID } from "../../tracker/chain.ts";
import {
  callsPerDay,
  type MeasuredProvider,
  measureProvider,
  tapeCallsPerDay,
} from "../../tracker/evm/measure.ts";
import type { ChainSettings } from "../../tracker/open-chain.ts";
import { createRpcClient, createRpcMetrics } from "../../tracker/rpc/client.ts";
import { reasonOf } from "../../tracker/rpc/errors.ts";
import { RATE_TRIED } from "../../tracker/rpc/measure-rate.ts";
import { type GrpcEndpoint, openGeyser } from "../../tracker/solana/geyser.ts";
import {
  type MeasuredSolana,
  measureSolana,
  solanaCallsPerDay,
  solanaTapeCallsPerDay,
} from "../../tracker/solana/measure.ts";
import type { Config } from "../config.ts";
import { createKit, trackerLocation } from "../foundation.ts";

const PATIENCE_MS = 5_000;

/** How many wallets of each family are on the roster; none when it can't be read. */
export async function rosterSize(config: Config): Promise<Record<"evm" | "solana", number>> {
  const none = { evm: 0, solana: 0 };
  try {
    const location = trackerLocation(config);
    // The check must not create it.
    if ("file" in location && !existsSync(location.file)) return none;
    const database = await openDatabase(location);
    try {
      const rows = await database.read.all<{ family: string; n: number }>(
        sql`SELECT family, COUNT(*) AS n FROM tracker_wallet GROUP BY family`,
      );
      return { ...none, ...Object.fromEntries(rows.map(({ family, n }) => [family, n])) };
    } finally {
      await database.close();
    }
  } catch {
    return none;
  }
}

/** An active trader's trades per day, for the estimate. */
const TRADES_PER_DAY = 10;
/** A pool has a buy and a sell, and is read for about a day. */
const TRADES_PER_POOL = 2;
/** Other people's swaps in such a pool per day: hundreds in most, tens of thousands in a few. */
const SWAPS_PER_POOL = 500;

/** What each provider allows, and what following this roster costs there. */
export async function describeChain(
  chain: ChainSettings,
  wallets: Record<"evm" | "solana", number>,
  poolsMax: number,
): Promise<string[]> {
  const isSolana = chain.chainId === SOLANA_CHAIN_ID;
  const { clock, random } = createKit({ logLevel: "silent" });
  const metrics = createRpcMetrics(createMetrics());
  const lines: string[] = [];
  for (const url of chain.urls) {
    const { host } = new URL(url);
    const limits = { batchMax: 100, callsPerSecondMax: RATE_TRIED };
    const rpc = createRpcClient({ chain: chain.name, urls: [url], clock, random, metrics, ...limits });
    try {
      const said = isSolana
        ? solanaWords(await measureSolana(rpc, clock))
        : evmWords(await measureProvider(rpc, chain.chainId, clock));
      lines.push(`${host}: ${said}`);
    } catch (error) {
      lines.push(`${host}: could not be measured (${reasonOf(error)})`);
    }
  }
  const { webSocketUrl, grpc } = chain;
  if (webSocketUrl !== null)
    lines.push(
      `${new URL(webSocketUrl).host}: WebSocket ${(await opens(webSocketUrl)) ? "opens" : "does not open"}`,
    );
  if (grpc !== null)
    lines.push(`${new URL(grpc.url).host}: stream ${(await streams(grpc)) ? "opens" : "does not open"}`);
  const count = isSolana ? wallets.solana : wallets.evm;
  const news = grpc !== null ? "stream" : webSocketUrl !== null ? "socket" : "none";
  const calls = isSolana
    ? solanaCallsPerDay(news, count, TRADES_PER_DAY)
    : callsPerDay(chain.pollMs, count, TRADES_PER_DAY);
  const [shown, perMonth] = [inWords(calls), inWords(calls * 30)];
  const whose = count === 1 ? "a wallet" : `${inWords(count)} wallets`;
  lines.push(
    count === 0
      ? `about ${shown} calls a day (${perMonth} a month) before anybody is followed: crowdtape roster import adds traders`
      : `about ${shown} calls a day (${perMonth} a month) for ${whose} with ${TRADES_PER_DAY} trades a day each`,
  );
  const pools = Math.min(poolsMax, Math.ceil((count * TRADES_PER_DAY) / TRADES_PER_POOL));
  if (pools > 0) lines.push(tapeWords(chain, pools));
  return lines;
}

function tapeWords({ chainId, pollMs }: ChainSettings, pools: number): string {
  const isSolana = chainId === SOLANA_CHAIN_ID;
  const calls = isSolana ? solanaTapeCallsPerDay(pools, SWAPS_PER_POOL) : tapeCallsPerDay(pollMs, pools);
  const each = isSolana ? ` with ${SWAPS_PER_POOL} swaps a day each` : "";
  return `and about ${inWords(calls)} a day for the tape of ${inWords(pools)} pools${each} (TRACKER_POOLS_MAX=0 leaves it out)`;
}

const inWords = (count: number): string => count.toLocaleString("en-US");

const rateWords = (callsPerSecond: number): string =>
  callsPerSecond >= RATE_TRIED ? `${RATE_TRIED} calls a second or more` : `${callsPerSecond} calls a second`;

const evmWords = (measured: MeasuredProvider): string =>
  `head ${Math.round(measured.headAgeMs / 1_000)} s old, ranges of ${measured.rangeBlocks} blocks, ` +
  `batches of ${measured.batchCalls}, ${rateWords(measured.callsPerSecond)}, ` +
  `balances ${inWords(measured.archiveBlocks)} blocks back, ${measured.hasTraces ? "traces" : "no traces"}`;

function solanaWords(measured: MeasuredSolana): string {
  const { headAgeMs, signaturesAPage, archiveSlots } = measured;
  return [
    headAgeMs === null ? "age of its head unknown" : `head ${Math.round(headAgeMs / 1_000)} s old`,
    !signaturesAPage ? "lists no signatures" : `lists ${inWords(signaturesAPage)} signatures at once`,
    `batches of ${measured.batchCalls}`,
    rateWords(measured.callsPerSecond),
    archiveSlots === null ? "past unknown" : `${inWords(archiveSlots)} slots back`,
  ].join(", ");
}

/** Whether a slot arrives in time. */
async function streams(endpoint: GrpcEndpoint): Promise<boolean> {
  const heard = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => heard.resolve(false), PATIENCE_MS);
  const stream = await openGeyser(endpoint, {
    onUpdate: ({ slot }) => void (slot && heard.resolve(true)),
    onEnd: () => heard.resolve(false),
  });
  stream.ask({ accounts: [], fromSlot: null });
  const isHeard = await heard.promise;
  clearTimeout(timer);
  stream.close();
  return isHeard;
}

function opens(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      socket.close();
      resolve(isOpen);
    };
    const timer = setTimeout(() => end(false), PATIENCE_MS);
    socket.onopen = () => end(true);
    socket.onerror = () => end(false);
  });
}
