/** @jsxImportSource preact */
// The change of rank on a leaderboard: an arrow and a number, and a sentence for screen readers. An unknown change is not
// shown.
import type { LeaderboardRow } from "../../client/src/generated.ts";
import { HOUR_MS } from "../../kit/units.ts";
import { count } from "../shared/format.ts";

export interface ShownMove {
  mark: string;
  tone: "gain" | "loss" | "even" | "fresh";
  label: string;
}

export function shownMove(move: LeaderboardRow["rankChange"], asOf: string | null): ShownMove | null {
  if (move === null || asOf === null) return null;
  const hours = Math.max(1, Math.floor((Date.parse(asOf) - Date.parse(move.since)) / HOUR_MS));
  const time = hours === 1 ? "1 hour" : `${hours} hours`;
  const { places } = move;
  if (places === null) return { mark: "new", tone: "fresh", label: `new on the board in ${time}` };
  if (places === 0) return { mark: "=", tone: "even", label: `same place as ${time} ago` };
  const many = `${count(Math.abs(places))} ${Math.abs(places) === 1 ? "place" : "places"}`;
  return places > 0
    ? { mark: `▲${count(places)}`, tone: "gain", label: `up ${many} in ${time}` }
    : { mark: `▼${count(-places)}`, tone: "loss", label: `down ${many} in ${time}` };
}

export function RankCell({ row, asOf }: { row: LeaderboardRow; asOf: string | null }) {
  const move = shownMove(row.rankChange, asOf);
  return (
    <span class="place">
      {row.rank}
      {move ? (
        <span class={`moved ${move.tone}`} title={move.label}>
          <span aria-hidden="true">{move.mark}</span>
          <span class="off-screen">, {move.label}</span>
        </span>
      ) : null}
    </span>
  );
}
