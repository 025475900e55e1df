// The reader's state together with what it stores: each step changes both in one transaction of the sink, or neither.
import { type BlockRead, type Sink, SOLANA_CHAIN_ID } from "../chain.ts";
import { type PendingBlock, readState, type State, withPending, writeState } from "./state.ts";

export class Journal {
  private current: State | null = null;

  constructor(
    private readonly sink: Sink,
    private readonly name: string,
  ) {}

  get state(): State {
    if (!this.current) throw new Error("the Solana cursor was not loaded");
    return this.current;
  }

  /** After a failure of the sink nobody knows whether the step was stored: the stored state decides. */
  async load(): Promise<void> {
    this.current = readState(await this.sink.cursor(this.name));
  }

  forget(): void {
    this.current = null;
  }

  get isLoaded(): boolean {
    return this.current !== null;
  }

  /** A step that only saves work: when it is lost, it is done again. */
  note(next: State): void {
    this.current = next;
  }

  async apply(reads: BlockRead[], pending: PendingBlock[], state: State = this.state): Promise<void> {
    const next = withPending(state, pending);
    await this.step(next, (cursor) => this.sink.apply(reads, cursor));
  }

  async retract(lost: PendingBlock[]): Promise<void> {
    const hashes = new Set(lost.map(({ hash }) => hash));
    const newestFirst = lost.toSorted((a, b) => b.slot - a.slot).map(({ hash }) => hash);
    const pending = this.state.pending.filter(({ hash }) => !hashes.has(hash));
    const slots = new Set(lost.map(({ slot }) => slot));
    const scanned = this.state.scanned?.filter((slot) => !slots.has(slot)) ?? null;
    await this.step({ ...this.state, pending, scanned }, (cursor) =>
      this.sink.retract(SOLANA_CHAIN_ID, newestFirst, cursor),
    );
  }

  async finalize(next: State): Promise<void> {
    await this.step(next, (cursor) => this.sink.finalize(SOLANA_CHAIN_ID, next.final, cursor));
  }

  private async step(
    next: State,
    store: (cursor: { name: string; value: string }) => Promise<void>,
  ): Promise<void> {
    const value = writeState(next);
    this.current = null;
    await store({ name: this.name, value });
    this.current = next;
  }
}
