/** @jsxImportSource preact */
// The two rankings of traders, each linking to the other over the same window if both have it.
import { Tabs } from "../shared/bits.tsx";

const RANKINGS = [
  ["pnl", "Profit"],
  ["copy", "Worth following"],
] as const;

export function RankedBy({ current, window }: { current: "pnl" | "copy"; window: string }) {
  return (
    <Tabs
      label="Ranked by"
      values={RANKINGS}
      current={current}
      hrefOf={(value) =>
        value === "pnl" ? `/leaderboard/${window}` : `/leaderboard/copy/${window === "all" ? "30d" : window}`
      }
    />
  );
}
