// The traders. Each one follows from the seed and a number, joins at a fixed time, and some take a new handle at a fixed time;
// so the crowd at any moment depends only on the clock. A handle once given always leads to the same trader.

import { hash32 } from "../../kit/random.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import { derivedAddress } from "./addresses.ts";
import { BAITED_COPIERS, baitedTerms, type CopyTerms, drawTerms } from "./copy-terms.ts";
import { FollowGraph } from "./follow-graph.ts";
import { mix, unit } from "./hash.ts";
import { zoneOf } from "./rhythm.ts";
import { proStyleOf, style, styleNamed, styleOf } from "./styles.ts";
import { freeHandle } from "./trader-names.ts";

/** About twenty people join a day... */
const JOIN_EVERY_MS = 72 * MINUTE_MS;
/** ...until the places are full, after about a hundred days: tables by trader have this much room. */
export const JOIN_ROOM = 2_048;
const RENAME_EVERY_MS = 5 * HOUR_MS;
/** Requested ones are numbered from here on, above any scheduled ones. */
const EXTRA_RENAMES_FROM = 10_000_000;
/** Handles given before genesis: this share of the first traders had another name. */
const FORMERLY_NAMED = 0.04;
/** The longest time that a new trader's wallets stay unknown. */
const RESOLVING_MS = 6 * HOUR_MS;
/** And a few old ones take this long from genesis on; they are resolved one after another. */
const SLOW_RESOLVE_MS = 90 * DAY_MS;
const HEAVIEST = 60;
/** Pros have this share of the skill of the best of their style; they make up for it by trading more often. */
const PRO_SKILL = 0.72;
/** The share of pros among the very best; overall some 5 % are pros, and they make a third of the trades. */
const PRO_CHANCE = 0.45;
/** Trade frequency: the least busy of either kind, before the style's pace. A few trade many times as much. */
const PACE_MIN = 0.5;
const PRO_PACE_MIN = 6;
/** Spread of purses in log dollars, smaller among pros. */
const PURSE_SPREAD = 1.05;
const PRO_PURSE_SPREAD = 0.6;
/** A copier's purse: its orders never exceed it. */
const COPIER_PURSE = 1_000;
/** The share of traders with both wallets who trade mostly on Solana. */
const SOLANA_HOMES = 0.25;

export interface WorldTrader {
  index: number;
  handle: string;
  formerHandles: string[];
  createdAt: number;
  style: number;
  /** From -1 to 1: the chance of choosing by the future price, or against it. */
  skill: number;
  /** A pro: trades often and with more money, sees more than others of the style, and sizes orders accordingly. */
  pro: boolean;
  /** The initial bankroll, in dollars. */
  purse: number;
  /** Index of their time zone. */
  zone: number;
  /** 1: a Solana wallet, 2: an EVM wallet, 3: both. */
  wallets: 1 | 2 | 3;
  home: number;
  resolvedAt: number;
  /** Copies another trader by these terms, and does nothing else; null for those who decide by themselves. */
  copies: CopyTerms | null;
  /** Trades against its copiers, and does nothing else. */
  baits: boolean;
}

/** Whether it only copies or baits: such an account is never drawn, and exits when its rule says so. */
export const isLed = ({ copies, baits }: Pick<WorldTrader, "copies" | "baits">): boolean =>
  copies !== null || baits;

const NOBODY: readonly number[] = [];

export class Population {
  readonly traders: WorldTrader[] = [];
  readonly copiers: WorldTrader[] = [];
  readonly baiters: WorldTrader[] = [];
  /** Each trader as often as they trade: a uniform draw from it is an active trader. */
  readonly deck: number[] = [];
  readonly graph: FollowGraph;
  /** When the next trader joins or is renamed. */
  nextAt: number;
  readonly key: number;
  readonly #byHandle = new Map<string, number>();
  readonly #genesis: number;
  readonly #first: number;
  readonly #copiersOf = new Map<number, number[]>();
  #renames = 0;
  #extraRenames = 0;
  readonly #wallets = new Map<number, { solana: string | null; evm: string | null }>();

  constructor(seed: string, genesis: number, first: number, copiers: number, baiters: number) {
    this.key = hash32(seed, "traders");
    this.#genesis = genesis;
    this.#first = first;
    this.graph = new FollowGraph(hash32(seed, "follows"));
    for (let index = 0; index < first; index++) {
      const age = unit(this.key, index, 1);
      this.#join(genesis - HOUR_MS - Math.floor(age * age * 700 * DAY_MS));
      if (unit(this.key, index, 2) < FORMERLY_NAMED) this.#rename(index, index);
    }
    for (let copier = 0; copier < copiers; copier++)
      this.#addCopier(drawTerms(this.key, copier, this.deck, (trader) => this.#copiersOf.has(trader)));
    for (let baiter = 0; baiter < baiters; baiter++) this.#addBaiter();
    this.nextAt = Math.min(this.#nextJoinAt(), this.#nextRenameAt());
  }

  /** Executes the next join or rename. */
  step(): void {
    if (this.#nextJoinAt() <= this.#nextRenameAt()) this.#join(this.#nextJoinAt());
    else {
      const number = this.#renames++;
      this.#rename(mix(this.key, number, 3) % this.traders.length, this.#first + number);
    }
    this.nextAt = Math.min(this.#nextJoinAt(), this.#nextRenameAt());
  }

  /** Renames a trader on request. */
  renameExtra(index: number): void {
    this.#rename(index, EXTRA_RENAMES_FROM + this.#extraRenames++);
  }

  get(index: number): WorldTrader {
    const trader = this.traders[index];
    if (!trader) throw new RangeError(`no trader ${index}`);
    return trader;
  }

  /** Indexes into `copiers`. */
  copiersOf(leader: number): readonly number[] {
    return this.#copiersOf.get(leader) ?? NOBODY;
  }

  byHandle(handle: string): WorldTrader | undefined {
    const index = this.#byHandle.get(handle.toLowerCase());
    return index === undefined ? undefined : this.traders[index];
  }

  /** The trader's actual wallets, whether or not the platform has resolved them. */
  wallets(trader: WorldTrader): { solana: string | null; evm: string | null } {
    let wallets = this.#wallets.get(trader.index);
    if (!wallets) {
      wallets = {
        solana: trader.wallets & 1 ? derivedAddress(true, this.key ^ 0x501, trader.index) : null,
        evm: trader.wallets & 2 ? derivedAddress(false, this.key ^ 0xe7e, trader.index) : null,
      };
      this.#wallets.set(trader.index, wallets);
    }
    return wallets;
  }

  #nextJoinAt(): number {
    const join = this.traders.length - this.#first - this.copiers.length - this.baiters.length;
    if (join >= JOIN_ROOM) return Number.POSITIVE_INFINITY;
    return Math.floor(this.#genesis + (join + unit(this.key, join, 4)) * JOIN_EVERY_MS);
  }

  #nextRenameAt(): number {
    return Math.floor(this.#genesis + (this.#renames + unit(this.key, this.#renames, 5)) * RENAME_EVERY_MS);
  }

  #join(createdAt: number): void {
    const index = this.traders.length;
    const weight = this.#enrol(createdAt);
    for (let i = 0; i < weight; i++) this.deck.push(index);
  }

  /** Returns the newcomer's trade frequency, relative to others. */
  #enrol(createdAt: number): number {
    const index = this.traders.length;
    const roll = mix(this.key, index, 6);
    const quality = this.#quality(index, unit(roll, 8));
    const pro = unit(roll, 9) < PRO_CHANCE * quality ** 4;
    const styleIndex = pro ? proStyleOf(unit(roll, 1)) : styleOf(unit(roll, 1), quality);
    const { skill, purseUsd, proPurse, pace } = style(styleIndex);
    const handle = freeHandle(mix(this.key, index, 7), index, this.#byHandle);
    const walletRoll = unit(roll, 2);
    const wallets = walletRoll < 0.08 ? 1 : walletRoll < 0.15 ? 2 : 3;
    const slow = unit(roll, 3) < 0.006;
    this.traders.push({
      index,
      handle,
      formerHandles: [],
      createdAt,
      style: styleIndex,
      pro,
      skill: pro ? PRO_SKILL * skill[1] : skill[0] + (skill[1] - skill[0]) * quality,
      purse: purseUsd * Math.exp((pro ? PRO_PURSE_SPREAD : PURSE_SPREAD) * bell(roll)) * (pro ? proPurse : 1),
      zone: zoneOf(unit(roll, 4)),
      wallets,
      home: homeOf(unit(roll, 5), wallets),
      resolvedAt: slow
        ? this.#genesis + unit(roll, 6) * SLOW_RESOLVE_MS
        : createdAt + unit(roll, 6) ** 4 * RESOLVING_MS,
      copies: null,
      baits: false,
    });
    this.#byHandle.set(handle, index);
    this.graph.add(index);
    const heavy = Math.min(HEAVIEST, (pro ? PRO_PACE_MIN : PACE_MIN) / unit(roll, 7) ** 0.6);
    return Math.max(1, Math.round(heavy * pace));
  }

  /** An account that has existed since genesis; never in the deck, so that it never trades on its own. */
  #addCopier(copies: CopyTerms): void {
    const copier = this.#addLed();
    copier.copies = copies;
    const others = this.#copiersOf.get(copies.leader);
    if (others) others.push(this.copiers.length);
    else this.#copiersOf.set(copies.leader, [this.copiers.length]);
    this.copiers.push(copier);
  }

  #addBaiter(): void {
    const baiter = this.#addLed();
    baiter.baits = true;
    this.baiters.push(baiter);
    for (let copier = 0; copier < BAITED_COPIERS; copier++) this.#addCopier(baitedTerms(baiter.index));
  }

  #addLed(): WorldTrader {
    const index = this.traders.length;
    this.#enrol(this.#genesis);
    const trader = this.get(index);
    Object.assign(trader, { style: styleNamed("bot"), purse: COPIER_PURSE, wallets: 3, pro: false });
    trader.resolvedAt = this.#genesis;
    return trader;
  }

  /** The first of the crowd have the most followers, and mostly for a reason. */
  #quality(index: number, luck: number): number {
    const rank = index < this.#first ? index / this.#first : 0.3 + 0.7 * luck;
    return 0.9 * (1 - rank) + 0.1 * luck;
  }

  #rename(index: number, number: number): void {
    const trader = this.get(index);
    const handle = freeHandle(mix(this.key, number, 8), number, this.#byHandle);
    trader.formerHandles.push(trader.handle);
    trader.handle = handle;
    this.#byHandle.set(handle, index);
  }
}

/** Roughly normal, from a few uniform rolls. */
function bell(roll: number): number {
  let sum = 0;
  for (let place = 0; place < 6; place++) sum += unit(roll, 20 + place);
  return (sum - 3) * Math.SQRT2;
}

/** The network of most of a trader's trades: altchain is the busiest. */
function homeOf(roll: number, wallets: number): number {
  if (wallets === 1) return 0;
  const evm = wallets === 2 ? roll : (roll - SOLANA_HOMES) / (1 - SOLANA_HOMES);
  if (evm < 0) return 0;
  return evm < 0.58 ? 4 : evm < 0.78 ? 2 : evm < 0.92 ? 3 : 1;
}
