// A summary of the news in one sentence: for screen readers, announcing each row would be noise.
import type { TapeEvent } from "../shared/feed.ts";
import { counted, usd } from "../shared/format.ts";

const KINDS = ["buy", "sell", "thesis", "perp", "transfer", "listing", "push"] as const;
const PLURALS: Record<string, string> = { thesis: "theses", push: "pushes" };

/** "14 new: 9 buys, 5 sells. Largest: @ana bought BONK for $3,200." Empty for nothing. */
export function newsOf(events: readonly TapeEvent[]): string {
  if (events.length === 0) return "";
  const parts = KINDS.flatMap((kind) => {
    const many = events.filter(({ alertType }) => alertType === kind).length;
    if (many === 0) return [];
    return [many > 1 && PLURALS[kind] ? `${many} ${PLURALS[kind]}` : counted(many, kind)];
  });
  const [largest] = events
    .filter(({ fillUsd, trader }) => typeof fillUsd === "number" && trader !== null)
    .sort((one, other) => (other.fillUsd ?? 0) - (one.fillUsd ?? 0));
  const size = largest
    ? ` Largest: @${largest.trader} ${largest.alertType === "sell" ? "sold" : "bought"} ${largest.token ?? "a token"} for ${usd(largest.fillUsd)}.`
    : "";
  return `${events.length} new: ${parts.join(", ")}.${size}`;
}
