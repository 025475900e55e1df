// The tracker's settings, read from the environment that config.ts passes in: each chain's providers, and dollar coins and
// wrapped coins in addition to the well-known ones. Error messages name the setting and never quote a URL, which may hold a
// key.
import { matching, oneOf, optional, secret, text, wholeNumber } from "../kit/settings.ts";
import { MINUTE_MS } from "../kit/units.ts";
import { ALERTS_AT, ALERTS_AT_DEFAULT, type AlertsAt } from "./alerts-at.ts";
import { SOLANA_CHAIN_ID } from "./chain.ts";
import { evmChain, findEvmChain } from "./evm/chains.ts";
import type { ChainSettings } from "./open-chain.ts";

export const TRACKER_SETTINGS = {
  PRICES: matching(
    "Where the tracker gets prices that chains do not provide: nowhere (observed), or an endpoint with the common DEX price API's shape.",
    /^(observed|https?:\/\/[^\s]+)$/,
    '"observed" or a URL that starts with http:// or https://',
    "observed",
  ),
  GRPC_SOLANA: secret(
    matching(
      "A Yellowstone gRPC server that streams the wallets' transactions, next to RPC_SOLANA: its address and, after a comma, its token.",
      /^https?:\/\/[^\s,/]+\/?(,[\x21-\x2b\x2d-\x7e]{1,256})?$/,
      "https://host,token",
    ),
  ),
  PRICES_HISTORY: optional(
    text(
      "A CSV file of chain,time,price with past prices of chains' coins, for backfilled trades that neither a feed nor a pool can price.",
    ),
  ),
  ALERTS_AT: text(
    "When a trade becomes an alert: confirmed (its block was seen; retracted if it is re-orged out), safe (some blocks on) or final; for single chains as name:level, separated by commas.",
    "confirmed",
  ),
  TRACKER_HISTORY_DAYS: wholeNumber("How many days of a new trader's past the tracker reads.", 30, 0, 365),
  TRACKER_CALLS_PER_SECOND: wholeNumber("Calls a second to one chain's provider, at most.", 25, 1, 10_000),
  TRACKER_STABLES: text(
    "Dollar coins in addition to the well-known ones: chainId:address, separated by commas.",
  ),
  TRACKER_WRAPPED: text("Wrapped coins of unknown chains: chainId:address, separated by commas."),
  TRACKER_FEEDS: text(
    "Chainlink dollar price feeds for the coins of unknown chains: chainId:address, separated by commas.",
  ),
  TRACKER_COIN_POOLS: text(
    "Deep pools of a chain's coin against a dollar coin, in addition to the well-known ones: chainId:address, separated by commas.",
  ),
  TRACKER_FACTORIES: text(
    "Factories, singletons or (Solana) programs whose pools may price tokens, in addition to the well-known ones: chainId:address, separated by commas.",
  ),
  TRACKER_DEPTH_MIN_USD: wholeNumber(
    "How much money a pool must hold, in dollars, to price a token.",
    500,
    0,
    1_000_000_000,
  ),
  TRACKER_POOLS_MAX: wholeNumber(
    "How many pools the tracker reads every swap of, for replays: the most recently traded ones; 0 reads none.",
    2_000,
    0,
    100_000,
  ),
  TRACKER_PROCESS: oneOf(
    "Where the tracker of UPSTREAM=chain runs: in a separate process (own), or in the service's (shared). child is for the process that the service starts.",
    "own",
    ["own", "shared", "child"],
  ),
  TRACKER_VISITOR_WALLETS: wholeNumber(
    "How many wallets visitors of the explorer may add to the tracker in total; 0: none. Each costs calls to your providers.",
    0,
    0,
    100_000,
  ),
  TRACKER_SECRET: secret(
    matching(
      "A secret shared by a separate tracker (crowdtape tracker serve) and the services that follow it: with it, the operator's verdicts on tokens in /admin reach the tracker.",
      /^[\x21-\x7e]{16,128}$/,
      "16 to 128 visible characters",
    ),
  ),
  TRACKER_WAKE_SECRET: secret(
    matching(
      "The secret that providers' webhooks must send to /tracker/wake; without it there is no such path.",
      /^[\x21-\x7e]{16,128}$/,
      "16 to 128 visible characters",
    ),
  ),
} as const;

type Environment = Record<string, string | undefined>;

const ALTCHAIN_ID = 4663;
const WRAPPED_SOL = "So11111111111111111111111111111111111111112";
/** Price endpoints' names for chains that have another name here. */
const SLUGS: Record<number, string> = { 1: "ethereum", 56: "bsc", 137: "polygon", 42161: "arbitrum" };
/** Where a node's own "finalized" lags by minutes, "safe" would be no sooner; rollups count blocks instead. */
const FINAL_BLOCKS: Record<number, number> = { 8453: 8, 10: 8, 56: 5, 137: 16, [ALTCHAIN_ID]: 100 };
const POLL_MS: Record<number, number> = { 1: 4_000, 8453: 2_000, 10: 2_000, 56: 1_000, [ALTCHAIN_ID]: 500 };
const POLL_MS_DEFAULT = 2_000;
/** Blocks (slots on Solana) behind the head that count as safe: a re-org that deep is news. */
const SAFE_BLOCKS: Record<number, number> = { 1: 4, 56: 3, 137: 8, [SOLANA_CHAIN_ID]: 16, [ALTCHAIN_ID]: 20 };
const SAFE_BLOCKS_DEFAULT = 3;
/** Chains with several blocks a second are read in batches. */
const GAP_MS = 250;
const REVIEW_MS = MINUTE_MS;

export interface RpcUrls {
  urls: string[];
  webSocketUrl: string | null;
}

/** `RPC_BASE=https://…,https://…,wss://…`: in order of preference; news arrives over the first ws URL. */
export function readRpcUrls(name: string, text: string, faults: string[]): RpcUrls {
  const given = text
    .split(",")
    .map((url) => url.trim())
    .filter((url) => url !== "");
  if (given.some((url) => !/^(https?|wss?):\/\//.test(url) || !URL.canParse(url)))
    faults.push(`${name} must be http(s):// or ws(s):// URLs, separated by commas.`);
  const urls = given.filter((url) => url.startsWith("http"));
  if (given.length > 0 && urls.length === 0) faults.push(`${name} needs at least one http(s):// URL.`);
  return { urls, webSocketUrl: given.find((url) => url.startsWith("ws")) ?? null };
}

/** Every chain that has providers. */
export function readTrackerChains(
  environment: Environment,
  more: {
    stables: string;
    wrapped: string;
    feeds: string;
    coinPools: string;
    factories: string;
    grpcSolana: string | null;
    alertsAt: string;
    callsPerSecond: number;
  },
  faults: string[],
): ChainSettings[] {
  const stables = byChain("TRACKER_STABLES", more.stables, faults);
  const wrapped = byChain("TRACKER_WRAPPED", more.wrapped, faults);
  const feeds = byChain("TRACKER_FEEDS", more.feeds, faults);
  const coinPools = byChain("TRACKER_COIN_POOLS", more.coinPools, faults);
  const factories = byChain("TRACKER_FACTORIES", more.factories, faults);
  const alertsAt = readAlertsAt(more.alertsAt, faults);
  const chains = new Map<number, ChainSettings>();
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith("RPC_") || !text?.trim()) continue;
    const chain = chainNamed(name.slice("RPC_".length));
    if (!chain) {
      faults.push(
        `${name} names no known chain: use RPC_SOLANA, RPC_ETH, RPC_BASE, RPC_BSC or RPC_ and a chain id.`,
      );
      continue;
    }
    const { chainId } = chain;
    const { urls, webSocketUrl } = readRpcUrls(name, text, faults);
    const isSolana = chainId === SOLANA_CHAIN_ID;
    chains.set(chainId, {
      chainId,
      name: chain.name,
      slug: SLUGS[chainId] ?? chain.name,
      urls,
      webSocketUrl,
      grpc: isSolana ? grpcEndpoint(more.grpcSolana) : null,
      wrapped: isSolana ? WRAPPED_SOL : (wrapped.get(chainId)?.[0] ?? evmChain(chainId).wrapped),
      stables: stables.get(chainId) ?? [],
      feeds: feeds.get(chainId) ?? [],
      coinPools: coinPools.get(chainId) ?? [],
      factories: factories.get(chainId) ?? [],
      finality: FINAL_BLOCKS[chainId] ?? "finalized",
      alertsAt: alertsAt.get(chainId) ?? alertsAt.get(null) ?? ALERTS_AT_DEFAULT,
      safeBlocks: SAFE_BLOCKS[chainId] ?? SAFE_BLOCKS_DEFAULT,
      pollMs: POLL_MS[chainId] ?? POLL_MS_DEFAULT,
      gapMs: GAP_MS,
      reviewMs: REVIEW_MS,
      callsPerSecondMax: more.callsPerSecond,
    });
  }
  if (more.grpcSolana !== null && !chains.has(SOLANA_CHAIN_ID))
    faults.push("GRPC_SOLANA needs RPC_SOLANA too: histories and blocks are read there.");
  return [...chains.values()];
}

function grpcEndpoint(text: string | null): ChainSettings["grpc"] {
  if (text === null) return null;
  const [url = "", token = null] = text.split(",");
  return { url, token };
}

/** Combinations that can't work with the tracker in this process. */
export function refuseTracker(role: string, chains: readonly ChainSettings[], faults: string[]): void {
  if (chains.length === 0)
    faults.push(
      "UPSTREAM=chain needs a provider: set RPC_SOLANA, RPC_ETH, RPC_BASE, RPC_BSC or RPC_ and a chain id.",
    );
  if (role !== "all")
    faults.push(
      `ROLE must be all while UPSTREAM is chain: the tracker belongs to one process. ` +
        `Run "crowdtape tracker serve" and set UPSTREAM to its URL on every node.`,
    );
}

/** `safe,eth:final`: a default for all chains, and overrides for some. */
function readAlertsAt(text: string, faults: string[]): Map<number | null, AlertsAt> {
  const found = new Map<number | null, AlertsAt>();
  for (const part of text.split(",").map((each) => each.trim())) {
    const [name = "", level] = part.includes(":") ? part.split(":", 2) : ["", part];
    const chain = name === "" ? null : chainNamed(name);
    const at = ALERTS_AT.find((each) => each === level);
    if (at === undefined || (name !== "" && !chain)) {
      faults.push(
        `ALERTS_AT must be confirmed, safe or final, or a list with name:level for some chains (it is "${text.slice(0, 80)}").`,
      );
      break;
    }
    found.set(chain?.chainId ?? null, at);
  }
  return found;
}

/** A chain's id by its name or number, if known. */
export const chainIdOf = (text: string): number | null => chainNamed(text)?.chainId ?? null;

function chainNamed(text: string): { chainId: number; name: string } | null {
  const name = text.toLowerCase().replaceAll("_", "-");
  if (name === "solana" || name === "sol") return { chainId: SOLANA_CHAIN_ID, name: "solana" };
  if (name === "altchain" || name === String(ALTCHAIN_ID)) return { chainId: ALTCHAIN_ID, name: "altchain" };
  const chain = findEvmChain(name);
  return chain ? { chainId: chain.chainId, name: chain.names[0] ?? name } : null;
}

/** `8453:0xabc…,4663:0xdef…` */
function byChain(name: string, text: string, faults: string[]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const part of text.split(",").map((each) => each.trim())) {
    if (part === "") continue;
    const pair = /^(\d{1,12}):(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/.exec(part);
    if (!pair?.[2]) {
      faults.push(`${name} must be a list of chainId:address, separated by commas.`);
      continue;
    }
    const address = pair[2].startsWith("0x") ? pair[2].toLowerCase() : pair[2];
    const chainId = Number(pair[1]);
    found.set(chainId, [...(found.get(chainId) ?? []), address]);
  }
  return found;
}
