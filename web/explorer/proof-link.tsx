/** @jsxImportSource preact */
// A link from a profit to its proof: from a window to its positions, from a position to its trade, fill by fill.
import { Gain } from "../shared/bits.tsx";

export const windowProof = (handle: string, window: string) =>
  `/traders/${encodeURIComponent(handle)}?window=${window}#proof`;

/** Null without a trade id. */
export const tradeProof = (tradeId: string | null | undefined) => (tradeId ? `/trades/${tradeId}` : null);

export function ProvedGain({
  proof,
  ...gain
}: {
  usd: number | null | undefined;
  quiet?: boolean;
  proof: string | null;
}) {
  if (proof === null) return <Gain {...gain} />;
  return (
    <a class="plain-link" href={proof} title="Proof: what this profit is made of">
      <Gain {...gain} />
    </a>
  );
}
