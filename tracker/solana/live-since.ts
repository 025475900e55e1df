// From which slot on each wallet is read live. Everything up to that slot is history, and a back-fill's business; stored
// before the first live read, so that the two meet without a gap or an overlap.
import type { Sink } from "../chain.ts";

export class LiveSince {
  private slots = new Map<string, number>();

  constructor(
    private readonly sink: Sink,
    private readonly name: string,
  ) {}

  async load(): Promise<void> {
    const text = await this.sink.cursor(this.name);
    this.slots = new Map(text === null ? [] : (JSON.parse(text) as [string, number][]));
  }

  /** Wallets that are new begin after this slot, which is final; those that are gone are forgotten. Answers if any is new. */
  async follow(wallets: ReadonlySet<string>, final: number): Promise<boolean> {
    const isSame = wallets.size === this.slots.size && [...wallets].every((wallet) => this.slots.has(wallet));
    if (isSame) return false;
    const hasNew = [...wallets].some((wallet) => !this.slots.has(wallet));
    const next = new Map([...wallets].map((wallet) => [wallet, this.slots.get(wallet) ?? final]));
    await this.sink.apply([], { name: this.name, value: JSON.stringify([...next]) });
    this.slots = next;
    return hasNew;
  }

  of(wallet: string): number | null {
    return this.slots.get(wallet) ?? null;
  }
}
