/** @jsxImportSource preact */
// The first columns of every trader ranking: rank, trader, profit, and the profit as a bar.
import type { LeaderboardRow } from "../../client/src/generated.ts";
import { TraderLink } from "../shared/bits.tsx";
import { PnlBar } from "../shared/sparkline.tsx";
import type { TableColumn } from "../shared/table.tsx";
import { ProvedGain, windowProof } from "./proof-link.tsx";
import { RankCell } from "./rank-change.tsx";

export function leaderColumns(
  { rows, window, asOf }: { rows: readonly LeaderboardRow[]; window: string; asOf: string | null },
  size?: number,
  sort?: TableColumn<LeaderboardRow>["sort"],
): TableColumn<LeaderboardRow>[] {
  const largest = Math.max(...rows.map(({ pnlUsd }) => Math.abs(pnlUsd)));
  const both = rows.some(({ pnlUsd }) => pnlUsd < 0);
  return [
    { title: "#", class: "rank num", cell: (row) => <RankCell row={row} asOf={asOf} /> },
    {
      title: "Trader",
      cell: (row) => (
        <TraderLink
          handle={row.handle}
          name={row.displayName}
          avatar={row.avatar}
          verified={row.verified}
          {...(size ? { size } : {})}
        />
      ),
    },
    {
      title: "PnL",
      class: "right",
      ...(sort ? { sort } : {}),
      cell: (row) => <ProvedGain usd={row.pnlUsd} proof={windowProof(row.handle, window)} />,
    },
    {
      title: "PnL as a bar",
      class: "bar",
      isTitleHidden: true,
      cell: (row) => <PnlBar value={row.pnlUsd} largest={largest} both={both} />,
    },
  ];
}
