// The bridge from the leader's profit to the follower's as bars: each begins where the previous one ended, and the last is the
// remainder, from zero.
import type { CopyAnswer } from "../../client/src/generated.ts";

export interface Bar {
  label: string;
  usd: number;
  /** Both ends, in per cent of the picture's width. */
  from: number;
  to: number;
  isSum: boolean;
}

export function bridgeBars(bridge: CopyAnswer["bridge"]): Bar[] {
  const steps: [string, number][] = [
    ["At the leader's prices", bridge.leaderUsd],
    ["Not copied", bridge.skippedUsd],
    ["Delay", bridge.delayUsd],
    ["Your own impact", bridge.impactUsd],
    ["Fees", bridge.feesUsd],
  ];
  let total = 0;
  const spans = steps.map(([label, usd]) => {
    const from = total;
    total += usd;
    return { label, usd, from, to: total, isSum: false };
  });
  const bars = [
    ...spans,
    { label: "Left for you", usd: bridge.netUsd, from: 0, to: bridge.netUsd, isSum: true },
  ];
  const ends = bars.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const place = (value: number) => (high === low ? 0 : ((value - low) / (high - low)) * 100);
  return bars.map((bar) => ({ ...bar, from: place(bar.from), to: place(bar.to) }));
}
