/** @jsxImportSource preact */
// A profit that leads to its proof: of a window to the positions it is made of, of a position to its trade, fill by fill.
import { Gain } from "../shared/bits.tsx";

export const windowProof = (handle: string, window: string) =>
  `/traders/${encodeURIComponent(handle)}?window=${window}#proof`;

/** Null where no trade is named. */
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
