// `crowdtape doctor`: checks settings, disk, store, books, bus and upstream, and explains what is wrong. Checks that depend
// on something broken are skipped, so each fault is reported once.

import { accessSync, constants, mkdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { RedisClient } from "bun";
import { Refused } from "../../client/cli/refused.ts";
import { BadSettings } from "../../kit/bad-settings.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { insistOn } from "../../simulator/persist/identity.ts";
import { readJournal } from "../../simulator/persist/journal.ts";
import { readIdentity } from "../../simulator/persist/snapshot.ts";
import { SOLANA_CHAIN_ID } from "../../tracker/chain.ts";
import type { ChainSettings } from "../../tracker/open-chain.ts";
import { createRpcClient, createRpcMetrics } from "../../tracker/rpc/client.ts";
import { CHAIN, type Config, readConfig, SIMULATOR } from "../config.ts";
import { createKit } from "../foundation.ts";
import { remoteUpstream } from "../upstream/remote.ts";
import { atTheDesk } from "./operator.ts";
import { describeChain, rosterSize } from "./providers.ts";
import { explain } from "./run.ts";

/** Below this a day of a busy log may not fit. */
const FREE_DISK_LOW_BYTES = 1_000_000_000;
/** The timeout for external services. */
const PATIENCE_MS = 5_000;

/** A fault's description, or null when all is well. */
type Work = () => Promise<string | null> | string | null;
type Look = (what: string, work: Work) => Promise<boolean>;

export async function doctor(): Promise<void> {
  let looked = 0;
  let wrong = 0;
  const look: Look = async (what, work) => {
    const fault = await Promise.resolve().then(work).catch(explain);
    looked++;
    if (fault !== null) wrong++;
    console.log(fault === null ? `ok     ${what}` : `wrong  ${what}: ${fault}`);
    return fault === null;
  };

  let config: Config | null = null;
  await look("settings", () => {
    try {
      config = readConfig();
      return null;
    } catch (error) {
      if (error instanceof BadSettings) return error.faults.join(" ");
      throw error;
    }
  });
  const advice = config === null ? [] : adviceOn(config);
  if (config !== null) await lookAround(config, look);
  for (const sentence of advice) console.log(`note   ${sentence}`);
  if (wrong > 0) throw new Refused(`${wrong} of ${looked} checks found something wrong.`);
  console.log(advice.length === 0 ? "All is well." : "Nothing is broken; see the notes.");
}

/** Advice on settings needed to serve others. A demo on a local machine needs none of it. */
function adviceOn(config: Config): string[] {
  const advice = [...config.warnings];
  if (config.upstream === SIMULATOR) return advice;
  if (config.smtpUrl === null)
    advice.push(
      "mail: SMTP_URL is not set. Lost keys can't be replaced by mail, and free keys go to anybody.",
    );
  if (config.stripe === null && config.solana === null)
    advice.push("payments: neither cards (STRIPE_…) nor stablecoins (SOLANA_…) are set up; nobody can pay.");
  if (config.publicUrl === null)
    advice.push("PUBLIC_URL is not set; links in mails, documents and answers point to HOST and PORT.");
  else if (config.publicUrl.startsWith("http:"))
    advice.push("PUBLIC_URL is not https: keys travel unencrypted.");
  return advice;
}

async function lookAround(config: Config, look: Look): Promise<void> {
  const diskIsWell = await look(`disk (${config.dataFolder})`, () => lookAtDisk(config.dataFolder));
  const onDisk = config.databaseUrl === null;
  if (diskIsWell || !onDisk) {
    const storeIsWell = await look(`store (${onDisk ? "SQLite" : "PostgreSQL"})`, () =>
      atTheDesk(async ({ store }) => void (await store.log.head())).then(() => null),
    );
    if (storeIsWell) await look("books", lookAtBooks);
  }
  const { redisUrl, upstream } = config;
  if (redisUrl !== null) await look("bus (Redis)", () => lookAtRedis(redisUrl));
  // Even if `crowdtape tracker serve` reads them and UPSTREAM is something else.
  await lookAtChains(config, look);
  if (upstream === CHAIN) return;
  if (upstream !== SIMULATOR) await look("upstream (remote)", () => lookAtPlatform(upstream));
  else if (diskIsWell) await look("upstream (simulator)", () => lookAtWorld(config));
}

async function lookAtChains(config: Config, look: Look): Promise<void> {
  const { chains, poolsMax } = config.tracker;
  if (chains.length === 0) return;
  const wallets = await rosterSize(config);
  for (const chain of chains) {
    const isThere = await look(`chain (${chain.name})`, () => lookAtChain(chain));
    if (isThere)
      for (const line of await describeChain(chain, wallets, poolsMax)) console.log(`       ${line}`);
  }
}

function lookAtDisk(folder: string): string | null {
  mkdirSync(folder, { recursive: true });
  accessSync(folder, constants.W_OK | constants.R_OK | constants.X_OK);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  return free < FREE_DISK_LOW_BYTES
    ? `only ${Math.floor(free / 1e6)} MB are free; make room for at least 1 GB`
    : null;
}

function lookAtBooks(): Promise<string | null> {
  return atTheDesk(async ({ access }) => {
    const wrong = await access.imbalances();
    return wrong.length === 0
      ? null
      : `${wrong.length} accounts do not add up; the first is ${wrong[0]?.accountId}`;
  });
}

async function lookAtRedis(url: string): Promise<string | null> {
  const client = new RedisClient(url, { connectionTimeout: PATIENCE_MS, autoReconnect: false });
  try {
    await client.send("PING", []);
    return null;
  } catch {
    return "it does not answer; check REDIS_URL and that Redis runs";
  } finally {
    client.close();
  }
}

/** A running server holds the world, so it is not opened here; this only checks that it is the configured one. */
async function lookAtWorld({ simulatorFolder: folder, simulator }: Config): Promise<string | null> {
  const journal = await readJournal(join(folder, "world.journal"));
  const found = journal?.identity ?? readIdentity(join(folder, "world.snapshot"));
  if (found) insistOn(found, folder, { ...simulator, traders: simulator.traders ?? found.traders });
  return null;
}

/** Checks each provider separately: otherwise one that is down hides behind another. */
async function lookAtChain(chain: ChainSettings): Promise<string | null> {
  const isSolana = chain.chainId === SOLANA_CHAIN_ID;
  const { clock, random } = createKit({ logLevel: "silent" });
  for (const url of chain.urls) {
    const { host } = new URL(url);
    const metrics = createRpcMetrics(createMetrics());
    const rpc = createRpcClient({
      chain: chain.name,
      urls: [url],
      clock,
      random,
      metrics,
      timeoutMs: PATIENCE_MS,
    });
    try {
      const answer = await rpc.call(
        isSolana ? "getSlot" : "eth_chainId",
        [],
        AbortSignal.timeout(PATIENCE_MS),
      );
      if (!isSolana && Number(answer) !== chain.chainId)
        return `${host} is a node of chain ${Number(answer)}, not of ${chain.chainId}; check the RPC_ settings`;
    } catch {
      return `${host} does not answer; check the RPC_ settings`;
    }
  }
  return null;
}

async function lookAtPlatform(baseUrl: string): Promise<string | null> {
  const { clock, log, random } = createKit({ logLevel: "silent" });
  const upstream = remoteUpstream({ baseUrl, clock, log, random, metrics: createMetrics() });
  try {
    const outcome = await upstream.ping({ deadlineMs: PATIENCE_MS });
    if (outcome.kind === "found") return null;
    const why = outcome.kind === "failed" ? outcome.reason : "no answer in time";
    return `it does not answer as a platform does (${why}); check UPSTREAM and that the platform runs`;
  } finally {
    await upstream.close();
  }
}
