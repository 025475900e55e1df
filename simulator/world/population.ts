// Who is there. Every trader follows from the seed and a number, joins at a fixed time, and some take a new handle
// at a fixed time; so the crowd at any moment is a matter of the clock. A handle once given leads to the same trader for good.

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
/** ...until the places are taken, after some hundred days: tables by trader have this much room. */
export const JOIN_ROOM = 2_048;
const RENAME_EVERY_MS = 5 * HOUR_MS;
/** Those that are asked for are numbered from here on, beyond any that come by themselves. */
const EXTRA_RENAMES_FROM = 10_000_000;
/** Handles given before genesis: this part of the first traders was called something else. */
const FORMERLY_NAMED = 0.04;
/** How long the wallets of a new trader stay unknown at most. */
const RESOLVING_MS = 6 * HOUR_MS;
/** And a few old ones take this long from genesis on; they come one after another. */
const SLOW_RESOLVE_MS = 90 * DAY_MS;
const HEAVIEST = 60;
/** Those who live by it see this part of what the best of their style do; they make up for it by how often they trade. */
const PRO_SKILL = 0.72;
/** Of the very best this many live by it; of all, some 5 %, and they make a third of the trades. */
const PRO_CHANCE = 0.45;
/** Of trades: the least busy of either kind, before the style's pace. A few do many times as much. */
const PACE_MIN = 0.5;
const PRO_PACE_MIN = 6;
/** Purses differ by this much in log dollars, less among those who live by it. */
const PURSE_SPREAD = 1.05;
const PRO_PURSE_SPREAD = 0.6;
/** What a copier brings: its orders are never larger than it can pay. */
const COPIER_PURSE = 1_000;
/** The part of those with both wallets who trade mostly on Solana. */
const SOLANA_HOMES = 0.25;

export interface WorldTrader {
  index: number;
  handle: string;
  formerHandles: string[];
  createdAt: number;
  style: number;
  /** From -1 to 1: the chance of choosing by the price to come, or against it. */
  skill: number;
  /** Lives by it: trades often and with more, sees more than others of the style, and sizes orders by what is seen. */
  pro: boolean;
  /** What they brought to trade with, in dollars. */
  purse: number;
  /** Which of the time zones they live in. */
  zone: number;
  /** 1: a Solana wallet, 2: an EVM wallet, 3: both. */
  wallets: 1 | 2 | 3;
  home: number;
  resolvedAt: number;
  /** Does what another does, by these terms, and nothing else; null for those who decide by themselves. */
  copies: CopyTerms | null;
  /** Lives off those who copy it, and does nothing else. */
  baits: boolean;
}

/** Whether what it does is not its own idea: it is never drawn, and leaves when it is time to. */
export const isLed = ({ copies, baits }: Pick<WorldTrader, "copies" | "baits">): boolean =>
  copies !== null || baits;

const NOBODY: readonly number[] = [];

export class Population {
  readonly traders: WorldTrader[] = [];
  readonly copiers: WorldTrader[] = [];
  readonly baiters: WorldTrader[] = [];
  /** Traders, each as often as they trade: a fair draw from it is an active trader. */
  readonly deck: number[] = [];
  readonly graph: FollowGraph;
  /** When somebody joins or is renamed next. */
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

  /** Lets the next join or renaming happen. */
  step(): void {
    if (this.#nextJoinAt() <= this.#nextRenameAt()) this.#join(this.#nextJoinAt());
    else {
      const number = this.#renames++;
      this.#rename(mix(this.key, number, 3) % this.traders.length, this.#first + number);
    }
    this.nextAt = Math.min(this.#nextJoinAt(), this.#nextRenameAt());
  }

  /** Renames somebody because it was asked for. */
  renameExtra(index: number): void {
    this.#rename(index, EXTRA_RENAMES_FROM + this.#extraRenames++);
  }

  get(index: number): WorldTrader {
    const trader = this.traders[index];
    if (!trader) throw new RangeError(`no trader ${index}`);
    return trader;
  }

  /** Places in `copiers`. */
  copiersOf(leader: number): readonly number[] {
    return this.#copiersOf.get(leader) ?? NOBODY;
  }

  byHandle(handle: string): WorldTrader | undefined {
    const index = this.#byHandle.get(handle.toLowerCase());
    return index === undefined ? undefined : this.traders[index];
  }

  /** The wallets a trader really has, whether or not the platform has found them out. */
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

  /** Returns how often the newcomer trades, against others. */
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

  /** An account that has been there since genesis; never in the deck, so that it does nothing of its own accord. */
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

  /** The first of the crowd are the ones with many followers, and mostly for a reason. */
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

/** About normal, from a few even rolls. */
function bell(roll: number): number {
  let sum = 0;
  for (let place = 0; place < 6; place++) sum += unit(roll, 20 + place);
  return (sum - 3) * Math.SQRT2;
}

/** Where most of one's trades are: altchain is the busiest. */
function homeOf(roll: number, wallets: number): number {
  if (wallets === 1) return 0;
  const evm = wallets === 2 ? roll : (roll - SOLANA_HOMES) / (1 - SOLANA_HOMES);
  if (evm < 0) return 0;
  return evm < 0.58 ? 4 : evm < 0.78 ? 2 : evm < 0.92 ? 3 : 1;
}
