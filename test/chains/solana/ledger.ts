// For tests: a Solana cluster in this process. Transactions are executed by a real virtual machine (litesvm, with the real
// token programs); blocks, skipped slots, the three commitments and forks that drop what was confirmed are ours.
import { address, type MaybeEncodedAccount, type Transaction } from "@solana/kit";
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

const FIRST_SLOT = 1_000;
const FIRST_TIME = 1_750_000_000;
/** Two blocks are about this far apart, in slots a second. */
const SLOTS_PER_SECOND = 2.5;

export class TestLedger {
  vm = freshVm();
  readonly blocks: Block[] = [];
  /** Called when any commitment moved. */
  onAdvance: () => void = () => {};
  private slot = FIRST_SLOT;
  private forks = 0;
  private open: Landed[] = [];
  private confirmedCount = 0;
  private finalizedCount = 0;
  /** The state before each block that is not final yet, by slot. */
  private readonly before = new Map<number, Uint8Array>();

  /** Blocks are dated by the slots passed since a fixed moment, unless a clock is given. */
  constructor(private readonly now: (() => number) | null = null) {
    this.before.set(this.slot, this.vm.toBytes());
    this.produce();
    this.confirm();
    this.finalize();
  }

  /** Executes a transaction into the block being built. One that fails lands too, and pays its fee. */
  send(transaction: Transaction): Landed {
    const keys = landedOf.keys(transaction);
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
    this.moveTo(this.slot + 1);
    this.onAdvance();
    return block;
  }

  private time(): number {
    if (this.now) return Math.floor(this.now() / 1_000);
    return FIRST_TIME + Math.floor((this.slot - FIRST_SLOT) / SLOTS_PER_SECOND);
  }

  /** Leaders that were asleep: these slots never get a block. */
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
    for (const slot of this.before.keys()) if (slot <= final) this.before.delete(slot);
    this.onAdvance();
  }

  /** The last blocks lose: their slots stay empty, and what `keeps` names lands again in the next block. */
  fork(depth: number, keeps: (landed: Landed) => boolean = () => false): Landed[] {
    const lost = this.blocks.splice(Math.max(this.finalizedCount, this.blocks.length - depth));
    const state = lost[0] && this.before.get(lost[0].slot);
    if (!state) return [];
    this.vm = prepare(LiteSVM.fromBytes(state));
    this.forks++;
    this.confirmedCount = Math.min(this.confirmedCount, this.blocks.length);
    for (const block of lost) this.before.delete(block.slot);
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

  /** An account as the blocks left it; one that no transaction touched is as the virtual machine has it. */
  accountIn(blocks: Block[], key: string): MaybeEncodedAccount {
    for (const { transactions } of blocks.toReversed())
      for (const { after } of transactions.toReversed()) {
        const account = after.find((each) => each.address === key);
        if (account) return account;
      }
    return this.vm.getAccount(address(key));
  }

  /** Nobody's key, funded: a wallet that trades needs SOL. */
  airdrop(wallet: string, lamports: bigint): void {
    const held = this.vm.getAccount(address(wallet));
    const now = held.exists ? held.lamports : 0n;
    this.vm.setAccount({
      address: address(wallet),
      programAddress: address("11111111111111111111111111111111"),
      data: new Uint8Array(),
      executable: false,
      lamports: (now + lamports) as typeof held extends { lamports: infer L } ? L : never,
      space: 0n,
    });
    if (this.open.length === 0) this.before.set(this.slot, this.vm.toBytes());
  }

  private moveTo(slot: number): void {
    this.slot = slot;
    this.vm.expireBlockhash();
    this.before.set(slot, this.vm.toBytes());
  }
}

function freshVm(): LiteSVM {
  return prepare(new LiteSVM().withNativeMints());
}

/** Blockhashes of lost blocks stay good, so that a transaction can land again on the other fork. */
function prepare(vm: LiteSVM): LiteSVM {
  return vm.withBlockhashCheck(false);
}

function hashOf(text: string): string {
  return encodeBase58(new Uint8Array(new Bun.CryptoHasher("sha256").update(text).digest()));
}
