// Every token the world has or will have, each told from the seed and its number. Launches come at fixed times,
// so the list at any moment is a matter of the clock. Accounting needs supply within 2^53 millionths.
import { hash32 } from "../../kit/random.ts";
import { derivedAddress } from "./addresses.ts";
import { mix, unit } from "./hash.ts";
import { NETWORKS, network } from "./networks.ts";
import { type PriceCharacter, priceAt } from "./prices.ts";
import { lifeOf } from "./token-lives.ts";
import { tokenName } from "./token-names.ts";
import { ESTABLISHED } from "./token-words.ts";

const DAY = 86_400_000;
/** Launched tokens that are already there at genesis. */
const EARLY_LAUNCHES = 260;
/** About fourteen launches a day, so the boards have something new each time one looks. */
const LAUNCH_EVERY_MS = 100 * 60_000;
/** Some 280 days of launches; after that the world has all its tokens. Positions and fills hold them in 16 bits. */
export const TOKEN_LIMIT = 4_096;
/** A bonding-curve token leaves its curve at this market cap, as launchpads do. */
const GRADUATION_USD = 69_000;
const MILLION = 1_000_000;

export interface Token {
  index: number;
  network: number;
  symbol: string;
  name: string;
  /** In whole tokens. */
  supply: number;
  decimals: number;
  launchAt: number;
  /** When it crosses the graduation cap, if ever; established tokens never were on a curve. */
  graduatedAt: number | null;
  established: boolean;
  /** It can be bought and not sold; boards leave it out. */
  honeypot: boolean;
  lowFees: boolean;
  price: PriceCharacter;
}

export class TokenCatalog {
  readonly list: Token[] = [];
  readonly #key: number;
  readonly #genesis: number;
  readonly #symbols = new Set<string>();
  readonly #addresses = new Map<number, string>();
  readonly #byAddress = new Map<string, Token>();

  constructor(seed: string, genesis: number) {
    this.#key = hash32(seed, "tokens");
    this.#genesis = genesis;
    for (const [networkIndex, symbol, name, supply, capital, decimals] of ESTABLISHED) {
      this.#symbols.add(symbol);
      this.#add(this.#established(networkIndex, symbol, name, supply * MILLION, capital * MILLION, decimals));
    }
    for (let early = 0; early < EARLY_LAUNCHES; early++) {
      const spread = (EARLY_LAUNCHES - early - unit(this.#key, early, 3)) / EARLY_LAUNCHES;
      this.#add(this.#launched(Math.floor(genesis - spread * spread * 150 * DAY - 60_000)));
    }
  }

  /** When the next token launches. */
  get nextAt(): number {
    const index = this.list.length;
    if (index >= TOKEN_LIMIT) return Number.POSITIVE_INFINITY;
    const launch = index - ESTABLISHED.length - EARLY_LAUNCHES;
    return Math.floor(this.#genesis + (launch + unit(this.#key, index, 4)) * LAUNCH_EVERY_MS);
  }

  launchNext(): Token {
    return this.#add(this.#launched(this.nextAt));
  }

  get(index: number): Token {
    const token = this.list[index];
    if (!token) throw new RangeError(`no token ${index}`);
    return token;
  }

  address(token: Token): string {
    const known = this.#addresses.get(token.index);
    if (known !== undefined) return known;
    const address = derivedAddress(network(token.network).solana, this.#key ^ 0xadd, token.index);
    this.#addresses.set(token.index, address);
    return address;
  }

  byAddress(address: string, networkId?: number): Token | undefined {
    if (this.#byAddress.size < this.list.length) {
      for (const token of this.list.slice(this.#byAddress.size))
        this.#byAddress.set(caseOf(this.address(token)), token);
    }
    const token = this.#byAddress.get(caseOf(address));
    return token && (networkId === undefined || network(token.network).id === networkId) ? token : undefined;
  }

  #add(token: Token): Token {
    this.list.push(token);
    return token;
  }

  #established(
    networkIndex: number,
    symbol: string,
    name: string,
    supply: number,
    capital: number,
    decimals: number,
  ): Token {
    const index = this.list.length;
    const launchAt = this.#genesis - (300 + Math.floor(unit(this.#key, index, 5) * 500)) * DAY;
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
      price: {
        key: mix(this.#key, index, 6),
        launchAt,
        launchLogPrice,
        floorLogPrice: launchLogPrice - 2.5,
        volatility: 0.35 + 0.4 * unit(this.#key, index, 7),
        ages: [0, 1],
        heights: [0, 0],
        bleedPerDay: 0,
      },
    };
  }

  #launched(launchAt: number): Token {
    const index = this.list.length;
    const key = mix(this.#key, index, 8);
    const networkIndex = pickNetwork(unit(key, 1));
    const { symbol, name } = tokenName(this.#key, index, this.#symbols);
    const supply = (unit(key, 2) < 0.85 ? 1_000 : unit(key, 3) < 0.5 ? 100 : 420) * MILLION;
    const honeypot = unit(key, 4) < 0.03;
    const price = lifeOf(key, launchAt, supply, honeypot);
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
      price,
    };
  }
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

const SEARCH_STEPS = 96;

function graduation(price: PriceCharacter, supply: number): number | null {
  const peakAge = price.ages[1] as number;
  for (let step = 0; step <= SEARCH_STEPS; step++) {
    const at = Math.floor(price.launchAt + (peakAge * step) / SEARCH_STEPS);
    if (priceAt(price, at) * supply >= GRADUATION_USD) return at;
  }
  return null;
}
