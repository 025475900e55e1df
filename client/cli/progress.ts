// A progress bar on stderr, in a terminal only: the walk's progress through the requested range, rows, and credits so far.
import { count } from "./units.ts";

export interface ProgressBar {
  show(rows: number, credits: number, times: readonly number[]): void;
  end(): void;
}

const BAR_WIDTH = 24;

/** A fraction from 0 to 1. */
export function barOf(part: number): string {
  const filled = Math.round(part * BAR_WIDTH);
  return `[${"#".repeat(filled)}${" ".repeat(BAR_WIDTH - filled)}] ${Math.floor(part * 100)}%`;
}

export function progressBar(
  stream: { isTTY?: boolean; write(text: string): unknown },
  order: "newest first" | "oldest first" | "mixed",
  from: number,
  to: number,
): ProgressBar {
  if (!stream.isTTY) return { show() {}, end() {} };
  let first: number | null = null;
  const done = (times: readonly number[]): number | null => {
    const last = times.at(-1);
    if (order === "mixed" || last === undefined) return null;
    first ??= times[0] ?? null;
    const [begin, end] = order === "newest first" ? [Number.isFinite(to) ? to : first, from] : [from, to];
    if (begin === null || !Number.isFinite(begin) || !Number.isFinite(end) || begin === end) return null;
    return Math.min(1, Math.max(0, (last - begin) / (end - begin)));
  };
  return {
    show(rows, credits, times) {
      const part = done(times);
      const bar = part === null ? "" : `${barOf(part)}  `;
      stream.write(`\r\u001b[K${bar}${count(rows)} rows, ${count(credits)} credits`);
    },
    end: () => void stream.write("\r\u001b[K"),
  };
}
