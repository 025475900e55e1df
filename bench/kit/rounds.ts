// Comparable runs: all contenders in turn, in every round, so that a noisy minute hits them alike. A round in which a
// contender failed or other programs took the machine is void and is repeated, up to a few times.
import { watchStrangers } from "./machine.ts";

export interface Contender<Value> {
  name: string;
  measure(round: number): Promise<Value>;
}

export interface Rounds<Value> {
  /** The values of each valid round, by the contender's name. */
  kept: Record<string, Value>[];
  /** Why rounds were repeated, or why they count anyway. */
  notes: string[];
}

export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** Rounds beyond the requested ones before a disturbed machine is accepted. */
const EXTRA_ROUNDS = 2;

export async function interleaved<Value>(
  contenders: readonly Contender<Value>[],
  wanted: number,
): Promise<Rounds<Value>> {
  const clean: Record<string, Value>[] = [];
  const disturbed: Record<string, Value>[] = [];
  const notes: string[] = [];
  for (let round = 0; clean.length < wanted && round < wanted + EXTRA_ROUNDS; round++) {
    const values: Record<string, Value> = {};
    const reasons: string[] = [];
    try {
      for (let i = 0; i < contenders.length; i++) {
        // Each round starts with a different one.
        const contender = contenders[(i + round) % contenders.length] as Contender<Value>;
        const judge = watchStrangers();
        values[contender.name] = await contender.measure(round);
        const reason = judge();
        if (reason !== null) reasons.push(`${contender.name}: ${reason}`);
      }
    } catch (error) {
      notes.push(`round ${round + 1} is void: ${error instanceof Error ? error.message : error}`);
      continue;
    }
    if (reasons.length === 0) clean.push(values);
    else {
      disturbed.push(values);
      const others = reasons.length > 1 ? `, and ${reasons.length - 1} more like it` : "";
      notes.push(`round ${round + 1} is void (${reasons[0]}${others})`);
    }
  }
  const lacking = wanted - clean.length;
  if (lacking <= 0) return { kept: clean, notes };
  const taken = disturbed.slice(-lacking);
  if (taken.length > 0)
    notes.push(`the machine was never quiet: ${taken.length} void rounds count after all`);
  const kept = [...clean, ...taken];
  if (kept.length === 0) throw new Error(`no round could be run: ${notes.join("; ")}`);
  return { kept, notes };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    low: at(0),
    high: at(sorted.length - 1),
  };
}

/** `0.52 (0.50–0.55)` */
export function spreadText({ median, low, high }: Spread, digits = 2): string {
  return `${figure(median, digits)} (${figure(low, digits)}–${figure(high, digits)})`;
}

export function figure(value: number, digits = 2): string {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
