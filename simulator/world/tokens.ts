// Every token the world has or will have, each derived from the seed and its number. Launches have fixed times, so the list at
// any moment depends only on the clock. Accounting needs supply within 2^53 millionths.

import { hash32 } from "../../kit/random.ts";
import { DAY_MS, MINUTE_MS } from "../../kit/units.ts";
import { derivedAddress } from "./addresses.ts";
import { mix, unit } from "./hash.ts";
import { marketNoise } from "./markets.ts";
import { NETWORKS, network } from "./networks.ts";
import type { Noise } from "./noise.ts";
import { type PriceCharacter, priceAt } from "./prices.ts";
import { type LifeName, lifeOf } from "./token-lives.ts";
import { tokenName } from "./token-names.ts";
import { ESTABLISHED } from "./token-words.ts";

/** Launched tokens that already exist at genesis. */
const EARLY_LAUNCHES = 260;
/** About fourteen launches a day, so the boards have something new at every look. */
const LAUNCH_EVERY_MS = 100 * MINUTE_MS;
/** Some 280 days of launches; after that the world has all its tokens. Positions and fills hold them in 16 bits. */
export const TOKENS_MAX = 4_096;
/** A bonding-curve token leaves its curve at this market cap, as launchpads do. */
const GRADUATION_USD = 69_000;
const MILLION = 1_000_000;
/** Some launches take the ticker of a recent launch on another network: a bot that goes by symbol alone is in trouble. */
const COPYCAT_CHANCE = 0.05;
const COPYCAT_REACH = 60;

export interface WorldToken {
  index: number;
  network: number;
  symbol: string;
  name: string;
  /** In whole tokens. */
  supply: number;
  decimals: number;
  launchAt: number;
  /** When it crosses the graduation cap, if ever; established tokens were never on a curve. */
  graduatedAt: number | null;
  established: boolean;
  /** It can be bought but not sold; boards leave it out. */
  honeypot: boolean;
  lowFees: boolean;
  /** null for established tokens, which are past theirs. */
  life: LifeName | null;
  /** How much talk there was before the launch, 0 to 1. */
  hype: number;
  price: PriceCharacter;
}

export class TokenCatalog {
  readonly list: WorldToken[] = [];
  /** When the next token launches. */
  nextAt = Number.POSITIVE_INFINITY;
  readonly #networks = new Uint8Array(TOKENS_MAX);
  readonly #key: number;
  readonly #genesis: number;
  readonly #symbols = new Set<string>();
  readonly #addresses = new Map<number, string>();
  readonly #byAddress = new Map<string, WorldToken>();
  readonly #market: Noise;
  #extra = 0;

  constructor(seed: string, genesis: number) {
    this.#key = hash32(seed, "tokens");
    this.#genesis = genesis;
    this.#market = marketNoise(seed);
    for (const [networkIndex, symbol, name, supply, capital, decimals] of ESTABLISHED) {
      this.#symbols.add(symbol);
      this.#add(this.#established(networkIndex, symbol, name, supply * MILLION, capital * MILLION, decimals));
    }
    for (let early = 0; early < EARLY_LAUNCHES; early++) {
      const spread = (EARLY_LAUNCHES - early - unit(this.#key, early, 3)) / EARLY_LAUNCHES;
      this.#add(this.#launched(Math.floor(genesis - spread * spread * 150 * DAY_MS - 60_000)));
    }
    this.nextAt = this.#nextLaunch();
  }

  /** The network of a token, when nothing else about it is needed. */
  networkOf(index: number): number {
    return this.#networks[index] as number;
  }

  #nextLaunch(): number {
    const index = this.list.length;
    if (index >= TOKENS_MAX) return Number.POSITIVE_INFINITY;
    const launch = index - ESTABLISHED.length - EARLY_LAUNCHES - this.#extra;
    return Math.floor(this.#genesis + (launch + unit(this.#key, launch, 4)) * LAUNCH_EVERY_MS);
  }

  launchNext(): WorldToken {
    const token = this.#add(this.#launched(this.nextAt));
    this.nextAt = this.#nextLaunch();
    return token;
  }

  /** Launches one on request, now; undefined when the world has all its tokens. */
  launchExtra(at: number): WorldToken | undefined {
    if (this.list.length >= TOKENS_MAX) return undefined;
    this.#extra++;
    return this.#add(this.#launched(at, "second run"));
  }

  get(index: number): WorldToken {
    const token = this.list[index];
    if (!token) throw new RangeError(`no token ${index}`);
    return token;
  }

  address(token: WorldToken): string {
    const known = this.#addresses.get(token.index);
    if (known !== undefined) return known;
    const address = derivedAddress(network(token.network).solana, this.#key ^ 0xadd, token.index);
    this.#addresses.set(token.index, address);
    return address;
  }

  byAddress(address: string, networkId?: number): WorldToken | undefined {
    if (this.#byAddress.size < this.list.length) {
      for (const token of this.list.slice(this.#byAddress.size))
        this.#byAddress.set(caseOf(this.address(token)), token);
    }
    const token = this.#byAddress.get(caseOf(address));
    return token && (networkId === undefined || network(token.network).id === networkId) ? token : undefined;
  }

  #add(token: WorldToken): WorldToken {
    this.list.push(token);
    this.#networks[token.index] = token.network;
    return token;
  }

  #established(
    networkIndex: number,
    symbol: string,
    name: string,
    supply: number,
    capital: number,
    decimals: number,
  ): WorldToken {
    const index = this.list.length;
    const launchAt = this.#genesis - (710 + Math.floor(unit(this.#key, index, 5) * 500)) * DAY_MS;
    const launchLogPrice = Math.log(capital / supply);
    return {
      index,
      network: networkIndex,
      symbol,
      name,
      supply,
      decimals,
      launchAt,
      graduatedAt: null,
      established: true,
      honeypot: false,
      lowFees: true,
      life: null,
      hype: 0,
      price: {
        key: mix(this.#key, index, 6),
        launchAt,
        launchLogPrice,
        floorLogPrice: launchLogPrice - 3,
        dailyVolatility: 0.018 + 0.03 * unit(this.#key, index, 7),
        noiseAtLaunch: 0,
        beta: 0.8 + 0.9 * unit(this.#key, index, 9),
        market: this.#market,
        ages: [0, 1],
        heights: [0, 0],
        bleedPerDay: 0,
        wicks: [],
        rugAt: Number.POSITIVE_INFINITY,
      },
    };
  }

  #launched(launchAt: number, wanted: LifeName | null = null): WorldToken {
    const index = this.list.length;
    const key = mix(this.#key, index, 8);
    const networkIndex = pickNetwork(unit(key, 1));
    const copied = unit(key, 6) < COPYCAT_CHANCE ? this.#worthCopying(key, networkIndex) : undefined;
    const { symbol, name } = copied ?? tokenName(this.#key, index, this.#symbols);
    const supply = (unit(key, 2) < 0.85 ? 1_000 : unit(key, 3) < 0.5 ? 100 : 420) * MILLION;
    const honeypot = wanted === null && unit(key, 4) < 0.03;
    const life = lifeOf(key, launchAt, supply, honeypot ? "honeypot" : wanted);
    const price = { ...life.price, market: this.#market };
    return {
      index,
      network: networkIndex,
      symbol,
      name,
      supply,
      decimals: network(networkIndex).decimals,
      launchAt,
      graduatedAt: graduation(price, supply),
      established: false,
      honeypot,
      lowFees: unit(key, 5) < 0.3,
      life: life.name,
      hype: hypeOf(life.name, unit(key, 7)),
      price,
    };
  }

  /** A recent launch on another network whose ticker is worth copying. */
  #worthCopying(key: number, networkIndex: number): WorldToken | undefined {
    const taken = new Set<string>();
    for (const token of this.list) if (token.network === networkIndex) taken.add(token.symbol);
    const recent = this.list.slice(-COPYCAT_REACH).filter(({ symbol }) => !taken.has(symbol));
    return recent[Math.floor(unit(key, 8) * recent.length)];
  }
}

/** Talk is a poor guide, but not worthless: hits were a little louder on average. */
function hypeOf(life: LifeName, roll: number): number {
  return life === "dud" ? roll ** 4 : life === "hit" ? roll ** 1.2 : roll ** 2.2;
}

function pickNetwork(roll: number): number {
  let index = 0;
  for (const { share } of NETWORKS) {
    if (roll < share) return index;
    roll -= share;
    index++;
  }
  return NETWORKS.length - 1;
}

/** Hex addresses are the same in any case; base58 ones are not. */
function caseOf(address: string): string {
  return address.startsWith("0x") ? address.toLowerCase() : address;
}

const SEARCH_STEPS = 24;

function graduation(price: PriceCharacter, supply: number): number | null {
  const peakAge = price.ages[price.heights.indexOf(Math.max(...price.heights))] as number;
  for (let step = 0; step <= SEARCH_STEPS; step++) {
    const at = Math.floor(price.launchAt + (peakAge * step) / SEARCH_STEPS);
    if (priceAt(price, at) * supply >= GRADUATION_USD) return at;
  }
  return null;
}
