// Reads some wallets' history, from a moment up to the final block, through the same netting and sink as the live reader. Each
// step stores its progress, so an interrupted back-fill resumes instead of starting over.
import type { BackfillRequest, Sink } from "../chain.ts";
import { readContents } from "./block-reads.ts";
import { hitsOf, walletTopics } from "./hits.ts";
import type { BlockSpan } from "./log-source.ts";
import { headersAt, type StretchContext } from "./stretch.ts";

export interface EvmBackfillContext {
  context: StretchContext;
  sink: Sink;
  finalHeight: number;
  /** Blocks per query: more than when reading live, since the filter names the wallets and results are short. */
  span: BlockSpan;
}

interface EvmProgress {
  from: number;
  /** The next block to read. */
  next: number;
  to: number;
}

export async function backfill(
  { context, sink, finalHeight, span }: EvmBackfillContext,
  { wallets, sinceMs, name, onProgress }: BackfillRequest,
): Promise<void> {
  const saved = await sink.cursor(name);
  let progress =
    saved === null ? await plan(context, sinceMs, finalHeight) : (JSON.parse(saved) as EvmProgress);
  const named = walletTopics(wallets);
  const tell = () =>
    onProgress?.({ fromHeight: progress.from, height: progress.next - 1, toHeight: progress.to });
  while (progress.next <= progress.to) {
    context.signal?.throwIfAborted();
    const { from, next, to } = progress;
    const { to: end, answer } = await span.run(next, to, (last) =>
      context.logs.fetch({ from: next, to: last }, named, new Set(), context.signal),
    );
    const hits = [...hitsOf(answer.transfers, named, context.chain.wrapped).values()];
    const reads = await readContents(
      context,
      hits.map((block) => ({ hits: block, swaps: [] })),
    );
    progress = { from, next: end + 1, to };
    await sink.apply(reads, { name, value: JSON.stringify(progress) });
    tell();
  }
  tell();
}

async function plan(context: StretchContext, sinceMs: number, finalHeight: number): Promise<EvmProgress> {
  const from = await heightAt(context, sinceMs, finalHeight);
  return { from, next: from, to: finalHeight };
}

/** The first block at or after a moment, by binary search; the one after the last if all are older. */
async function heightAt(context: StretchContext, timeMs: number, lastHeight: number): Promise<number> {
  let low = 1;
  let high = lastHeight + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [header] = await headersAt(context, [middle]);
    // Pruned nodes lack old blocks: theirs start later.
    if (!header || header.timeMs < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
