/** @jsxImportSource preact */
// Is this one good? Win rate, returns, holding times, best and worst, and the drawdown, from the newest closed positions.
import type { PnlAnswer, PositionsAnswer } from "../../client/src/generated.ts";
import { Card, Change, Gain, Stats } from "../shared/bits.tsx";
import { counted, percent, share, span, times, usd } from "../shared/format.ts";
import { useAnswer } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { pathOf, pnlPath, traderPath } from "./answers.ts";
import {
  type Bin,
  type ClosedPosition,
  drawdownOf,
  returnPct,
  type TrackRecord,
  trackRecordOf,
} from "./track-record.ts";

/** Enough to judge by, and fits one page. */
const POSITIONS_MAX = 200;

/** `isLikely`: something was closed, as far as is known before the answer arrives. */
export function TrackRecordCard({ handle, isLikely }: { handle: string; isLikely: boolean }) {
  const answer = useAnswer<PositionsAnswer>(
    pathOf(`${traderPath(handle)}/positions`, { status: "closed", sort: "recent", limit: POSITIONS_MAX }),
  );
  const curve = useAnswer<PnlAnswer>(pnlPath(handle, "30d", "1d"));
  return (
    <Card
      title="Track record"
      aside={
        answer.body ? (
          <span class="soft">
            {answer.body.nextCursor === null ? "all" : "the newest"}{" "}
            {counted(answer.body.count, "closed position")}
          </span>
        ) : undefined
      }
    >
      <Loaded
        answer={answer}
        rows={1}
        room={isLikely ? <Figures record={trackRecordOf([])} /> : null}
        isEmpty={(body) => body.positions.length === 0}
        empty="Nothing was closed yet, so there is nothing to judge by."
      >
        {(body) => (
          <Figures
            record={trackRecordOf(body.positions)}
            curve={curve.body?.buckets.map(({ pnlUsd }) => pnlUsd)}
          />
        )}
      </Loaded>
    </Card>
  );
}

function Figures({ record, curve }: { record: TrackRecord; curve?: readonly number[] | undefined }) {
  return (
    <>
      <Stats
        small
        of={{
          Won: share(record.winRate),
          "Gains by losses": times(record.profitFactor),
          "Median return": <Change points={record.medianReturnPct} />,
          "Median hold": record.medianHoldMs === null ? "–" : span(record.medianHoldMs),
          "Drawdown, 30 d": curve ? usd(drawdownOf(curve)) : "–",
          Best: <Extreme position={record.best} />,
          Worst: <Extreme position={record.worst} />,
        }}
      />
      <div class="histograms">
        <Histogram title="Returns" bins={record.returns} />
        <Histogram title="Held for" bins={record.holds} />
      </div>
    </>
  );
}

function Extreme({ position }: { position: ClosedPosition | null }) {
  if (position === null) return <span class="num">–</span>;
  return (
    <a
      class="plain-link"
      href={`/trades/${position.tradeId}`}
      title={`${position.token.symbol}, ${percent(returnPct(position))}`}
    >
      <Gain usd={position.pnlUsd} />
    </a>
  );
}

/** Bars with their counts: a table for screen readers. */
function Histogram({
  title,
  bins,
}: {
  title: string;
  bins: readonly (Omit<Bin, "isGain"> & { isGain?: boolean })[];
}) {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  return (
    <table class="histogram">
      <caption>{title}</caption>
      <tbody>
        {bins.map(({ label, count, isGain }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td class="histogram-bar">
              <svg
                width="100%"
                height="10"
                viewBox="0 0 100 10"
                preserveAspectRatio="none"
                aria-hidden="true"
              >
                <rect
                  class={isGain === undefined ? "even" : isGain ? "gain" : "loss"}
                  width={(count / most) * 100}
                  height="10"
                />
              </svg>
            </td>
            <td class="num right">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
