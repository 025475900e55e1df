// `crowdtape tracker serve`: the tracker as a separate server. `crowdtape tracker explain`: what the tracker sees in a
// transaction, one JSON line per wallet, so that anyone can check a booking against the chain.
import { Refused } from "../../client/cli/refused.ts";
import { systemClock } from "../../kit/clock.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { normaliseAddress } from "../../protocol/values.ts";
import { type Explanation, SOLANA_CHAIN_ID } from "../../tracker/chain.ts";
import { CannotExplain, explainHash, explainText } from "../../tracker/explain.ts";
import { readPriceHistory } from "../../tracker/prices/history.ts";
import { createRpcClient, createRpcMetrics } from "../../tracker/rpc/client.ts";
import { runTracker } from "../../tracker/server/run.ts";
import { chainIdOf } from "../../tracker/settings.ts";
import { readConfig, rpcUrlsOf } from "../config.ts";
import { createKit, trackerLocation } from "../foundation.ts";
import { metricsPages, serveProbes } from "../ops/probes.ts";
import { listening } from "./run.ts";
import { untilSignal } from "./signals.ts";

export async function explainAll(
  asked: readonly string[],
  values: { chain?: string; wallet?: string },
): Promise<void> {
  const { wallet } = values;
  if (wallet !== undefined && normaliseAddress(wallet) === null)
    throw new Refused(`${wallet} is not a wallet address.`);
  const faults: string[] = [];
  for (const each of asked) {
    try {
      for (const line of await explainOne(each, values.chain, wallet)) console.log(JSON.stringify(line));
    } catch (error) {
      // One bad file of many must not hide the others.
      if (!(error instanceof CannotExplain)) throw error;
      faults.push(error.message);
    }
  }
  if (faults.length > 0) throw new Refused(faults.join("\n"));
}

export async function serveTracker(): Promise<void> {
  const config = readConfig();
  if (config.tracker.process === "child") return (await import("./tracker-child.ts")).runTrackerChild();
  if (config.tracker.chains.length === 0)
    throw new Refused(
      "Set RPC_SOLANA, RPC_ETH, RPC_BASE, RPC_BSC or RPC_ and a chain id to a provider's URL.",
    );
  const { clock, log, metrics, random } = createKit(config);
  const probes = config.metrics && serveProbes(config.metrics, metricsPages(metrics));
  const stopping = new AbortController();
  void untilSignal().then(() => stopping.abort());
  await listening(config, () =>
    runTracker({
      ...config.tracker,
      location: trackerLocation(config),
      history: readPriceHistory(config.tracker.pricesHistory, chainIdOf),
      host: config.host,
      port: config.port,
      clock,
      log,
      metrics,
      random,
      signal: stopping.signal,
      onListening: (url) =>
        console.log(`The tracker is served on ${url}. Follow it with: UPSTREAM=${url} npm start`),
    }),
  ).finally(() => probes?.stop());
}

/** An EVM hash, or a Solana signature. */
const HASH = /^(0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/;

async function explainOne(
  each: string,
  chain: string | undefined,
  wallet: string | undefined,
): Promise<Explanation[]> {
  const file = Bun.file(each);
  if (await file.exists()) return explainText(await file.text(), each, wallet, chain);
  if (!HASH.test(each)) throw new CannotExplain(`${each} is neither a file nor a transaction hash.`);
  if (chain === undefined) throw new CannotExplain(`Say which chain ${each} is on: --chain NAME.`);
  const chainId = chainIdOf(chain);
  if (chainId === null)
    throw new CannotExplain(`There is no chain called "${chain}": say solana, eth, base, bsc or a chain id.`);
  if (each.startsWith("0x") === (chainId === SOLANA_CHAIN_ID))
    throw new CannotExplain(`${each} is not a transaction hash of ${chain}.`);
  const urls = rpcUrlsOf(chain);
  if (urls.length === 0)
    throw new CannotExplain(
      `No node is set for ${chain}: set RPC_${chain.toUpperCase().replaceAll("-", "_")} to its RPC URL.`,
    );
  const rpc = createRpcClient({
    chain,
    urls,
    clock: systemClock(),
    random: seededRandom(each),
    metrics: createRpcMetrics(createMetrics()),
  });
  return explainHash(each, chainId === SOLANA_CHAIN_ID ? "solana" : chain, rpc, wallet);
}
