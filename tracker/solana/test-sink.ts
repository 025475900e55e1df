// For tests: an in-memory sink with the real one's guarantees, which also checks the reader's: retracted blocks were stored and
// not final, and no transaction is in two blocks at once.
import type { BlockPlace, BlockRead, Cursor, Flow, PoolTrade, Sink } from "../chain.ts";

interface StoredBlock {
  height: number;
  final: boolean;
  flows: Map<string, Flow>;
  pools: Map<string, PoolTrade>;
}

export class MemorySink implements Sink {
  readonly blocks = new Map<string, StoredBlock>();
  readonly broken: string[] = [];
  retractions = 0;
  finalHeight = 0;
  /** Thrown before a step is stored, or after it: then it is unknown whether it was. */
  failNext: "before" | "after" | null = null;
  private readonly cursors = new Map<string, string>();

  async cursor(name: string): Promise<string | null> {
    return this.cursors.get(name) ?? null;
  }

  apply(reads: readonly BlockRead[], cursor: Cursor): Promise<void> {
    return this.store(cursor, () => {
      for (const { block, flows, pools } of reads) {
        const stored =
          this.blocks.get(block.hash) ?? newBlock(block.height, block.height <= this.finalHeight);
        this.blocks.set(block.hash, stored);
        for (const flow of flows) this.addFlow(block.hash, stored, flow);
        for (const trade of pools) stored.pools.set(`${trade.hash} ${trade.pool}`, trade);
      }
    });
  }

  retract(_chainId: number, blocks: readonly BlockPlace[], cursor: Cursor): Promise<void> {
    return this.store(cursor, () => {
      for (const { hash, height } of blocks) {
        const block = this.blocks.get(hash);
        if (block?.height !== height) this.broken.push(`retracts ${hash}, which was never stored`);
        if (block?.final) this.broken.push(`retracts ${hash}, which was final`);
        this.blocks.delete(hash);
        this.retractions++;
      }
    });
  }

  finalize(_chainId: number, height: number, cursor: Cursor): Promise<void> {
    return this.store(cursor, () => {
      if (height < this.finalHeight) this.broken.push(`finality went back to ${height}`);
      this.finalHeight = height;
      for (const block of this.blocks.values()) if (block.height <= height) block.final = true;
    });
  }

  /** All flows as lines of text, in chain order. */
  flows({ finalOnly = true } = {}): string[] {
    return [...this.blocks.values()]
      .filter(({ final }) => final || !finalOnly)
      .flatMap(({ height, flows }) => [...flows.values()].map((flow) => ({ height, flow })))
      .map(({ height, flow }) => lineOf(height, flow))
      .sort();
  }

  /** This wallet is not read any more. */
  forget(wallet: string): void {
    for (const { flows } of this.blocks.values())
      for (const [key, flow] of flows) if (flow.wallet === wallet) flows.delete(key);
  }

  pools(): string[] {
    return [...this.blocks.values()].flatMap(({ pools }) => [...pools.keys()]).sort();
  }

  private addFlow(hash: string, stored: StoredBlock, flow: Flow): void {
    const key = `${flow.hash} ${flow.wallet}`;
    for (const [other, { flows }] of this.blocks)
      if (other !== hash && flows.has(key)) this.broken.push(`${key} stands in two blocks`);
    stored.flows.set(key, flow);
  }

  private async store(cursor: Cursor, change: () => void): Promise<void> {
    const fail = this.failNext;
    this.failNext = null;
    if (fail === "before") throw new Error("the store is away");
    change();
    this.cursors.set(cursor.name, cursor.value);
    if (fail === "after") throw new Error("the store went away");
  }
}

const newBlock = (height: number, final: boolean): StoredBlock => ({
  height,
  final,
  flows: new Map(),
  pools: new Map(),
});

export function lineOf(height: number, { index, hash, wallet, kind, sold, bought, feeRaw }: Flow): string {
  const legs = (list: Flow["sold"]) => list.map(({ token, amountRaw }) => `${amountRaw} ${token}`).join("+");
  const place = `${String(height).padStart(9, "0")}.${String(index).padStart(4, "0")}`;
  return `${place} ${hash.slice(0, 12)} ${wallet.slice(0, 6)} ${kind} ${legs(sold)} -> ${legs(bought)} fee ${feeRaw}`;
}
