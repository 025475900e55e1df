// For tests: a Solana cluster in this process. Transactions are executed by a real virtual machine (litesvm, with the real
// token programs); blocks, skipped slots, the three commitments and forks that drop confirmed blocks are ours.
import {
  address,
  type EncodedAccount,
  lamports,
  type MaybeEncodedAccount,
  type Transaction,
} from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { encodeBase58 } from "../../../tracker/solana/base58.ts";
import { type Landed, landedOf, readBalances } from "./landed.ts";

export type Level = "processed" | "confirmed" | "finalized";

export interface Block {
  slot: number;
  parentSlot: number;
  blockhash: string;
  previousBlockhash: string;
  /** Seconds. */
  time: number;
  transactions: Landed[];
}

type Touched = Map<string, MaybeEncodedAccount>;

const FIRST_SLOT = 1_000;
const FIRST_TIME = 1_750_000_000;
/** The approximate rate of slots, as on a real cluster. */
const SLOTS_PER_SECOND = 2.5;

export class TestLedger {
  /** It does not remember transactions: one that was lost with its block may land again. A lost block's hash stays valid too. */
  readonly vm = new LiteSVM().withNativeMints().withTransactionHistory(0n).withBlockhashCheck(false);
  readonly blocks: Block[] = [];
  /** Called when any commitment has advanced. */
  onAdvance: () => void = () => {};
  private slot = FIRST_SLOT;
  private forks = 0;
  private open: Landed[] = [];
  private confirmedCount = 0;
  private finalizedCount = 0;
  /** The previous state of the accounts touched by the block being built, and by each block that is not final yet, by slot. */
  private touched: Touched = new Map();
  private readonly touchedIn = new Map<number, Touched>();

  /** Block times follow from the slots since a fixed moment, unless a clock is given. */
  constructor(private readonly now: (() => number) | null = null) {
    this.produce();
    this.confirm();
    this.finalize();
  }

  /** Executes a transaction into the block being built. A failing one lands too, and pays its fee. */
  send(transaction: Transaction): Landed {
    const keys = landedOf.keys(transaction);
    this.remember(keys, this.touched);
    const before = readBalances(this.vm, keys);
    const result = this.vm.sendTransaction(transaction);
    const landed = landedOf(transaction, result, before, this.vm);
    const refused =
      result instanceof FailedTransactionMetadata && result.meta().computeUnitsConsumed() === 0n;
    if (!refused) this.open.push(landed);
    return landed;
  }

  /** Closes the block being built. */
  produce(): Block {
    const parent = this.blocks.at(-1);
    const block: Block = {
      slot: this.slot,
      parentSlot: parent?.slot ?? this.slot - 1,
      blockhash: hashOf(`block ${this.slot} ${this.forks}`),
      previousBlockhash: parent?.blockhash ?? hashOf("genesis"),
      time: this.time(),
      transactions: this.open,
    };
    this.open = [];
    this.blocks.push(block);
    this.touchedIn.set(block.slot, this.touched);
    this.touched = new Map();
    this.moveTo(this.slot + 1);
    this.onAdvance();
    return block;
  }

  private time(): number {
    if (this.now) return Math.floor(this.now() / 1_000);
    return FIRST_TIME + Math.floor((this.slot - FIRST_SLOT) / SLOTS_PER_SECOND);
  }

  /** Leaders that were offline: these slots never get a block. */
  skip(slots = 1): void {
    this.moveTo(this.slot + slots);
  }

  confirm(behind = 0): void {
    this.confirmedCount = Math.max(this.confirmedCount, this.blocks.length - behind);
    this.onAdvance();
  }

  finalize(behind = 0): void {
    this.finalizedCount = Math.max(this.finalizedCount, this.blocks.length - behind);
    this.confirmedCount = Math.max(this.confirmedCount, this.finalizedCount);
    const final = this.blocks[this.finalizedCount - 1]?.slot ?? 0;
    for (const slot of this.touchedIn.keys()) if (slot <= final) this.touchedIn.delete(slot);
    this.onAdvance();
  }

  /** Drops the last blocks: their slots stay empty, and the transactions in `keeps` land again in the next block. */
  fork(depth: number, keeps: (landed: Landed) => boolean = () => false): Landed[] {
    const lost = this.blocks.splice(Math.max(this.finalizedCount, this.blocks.length - depth));
    if (lost.length === 0) return [];
    this.undo(this.touched);
    for (const { slot } of lost.toReversed()) {
      this.undo(this.touchedIn.get(slot) ?? new Map());
      this.touchedIn.delete(slot);
    }
    this.touched = new Map();
    this.forks++;
    this.confirmedCount = Math.min(this.confirmedCount, this.blocks.length);
    this.open = [];
    this.moveTo(this.slot);
    const dropped = lost.flatMap((block) => block.transactions);
    for (const landed of dropped.filter(keeps)) this.send(landed.transaction);
    return dropped;
  }

  /** The blocks that a node shows at a commitment. */
  at(level: Level): Block[] {
    const count = { processed: Infinity, confirmed: this.confirmedCount, finalized: this.finalizedCount }[
      level
    ];
    return this.blocks.slice(0, count);
  }

  /** An account in its state after the blocks; one that no transaction touched is in the virtual machine's state. */
  accountIn(blocks: Block[], key: string): MaybeEncodedAccount {
    for (const { transactions } of blocks.toReversed())
      for (const { after } of transactions.toReversed()) {
        const account = after.find((each) => each.address === key);
        if (account) return account;
      }
    return this.vm.getAccount(address(key));
  }

  /** A funded throw-away key: a wallet that trades needs SOL. */
  airdrop(wallet: string, amount: bigint): void {
    // Before its first transaction, a block being built has nothing to lose: this change belongs to the previous block.
    const last = this.blocks.at(-1);
    const touched = this.open.length === 0 && last ? this.touchedIn.get(last.slot) : this.touched;
    if (touched) this.remember([wallet], touched);
    const held = this.vm.getAccount(address(wallet));
    this.vm.setAccount(systemAccount(wallet, (held.exists ? held.lamports : 0n) + amount));
  }

  private remember(keys: readonly string[], touched: Touched): void {
    for (const key of keys) if (!touched.has(key)) touched.set(key, this.vm.getAccount(address(key)));
  }

  private undo(touched: Touched): void {
    for (const [key, account] of touched)
      this.vm.setAccount(account.exists ? account : systemAccount(key, 0n));
  }

  private moveTo(slot: number): void {
    this.slot = slot;
    this.vm.expireBlockhash();
  }
}

/** A wallet; an empty one counts as nonexistent. */
function systemAccount(key: string, amount: bigint): EncodedAccount {
  return {
    address: address(key),
    programAddress: address("11111111111111111111111111111111"),
    data: new Uint8Array(),
    executable: false,
    lamports: lamports(amount),
    space: 0n,
  };
}

function hashOf(text: string): string {
  return encodeBase58(new Uint8Array(new Bun.CryptoHasher("sha256").update(text).digest()));
}
