// A token's tape: its pools right after each swap in final blocks, and when all of them were read.
import type { TicksQuery } from "../../protocol/platform.ts";
import { BadInput } from "../../protocol/server/input.ts";
import type { WireTicksPage } from "../../protocol/shapes/tape.ts";
import type { KnownToken } from "../books/tokens.ts";
import { wireToken } from "../feeds/items.ts";
import { coveredBy, poolsOfToken } from "../tape/kept-pools.ts";
import { ticksAfter } from "../tape/ticks.ts";
import type { Answering } from "./parts.ts";

const PAGE_TICKS = 1_000;

export async function ticksOf(
  { database }: Answering,
  known: KnownToken,
  query: TicksQuery,
): Promise<WireTicksPage> {
  const { chainId, token } = known;
  // Coverage is read first: anything read after that only adds to the rows.
  const covered = coveredBy(await poolsOfToken(database.read, chainId, token), query);
  const after = query.cursor === undefined ? { timeMs: query.from, place: -1 } : placeIn(query.cursor);
  const rows = await ticksAfter(database.read, { chainId, token }, after, query.to, PAGE_TICKS + 1);
  const shown = rows.slice(0, PAGE_TICKS);
  const last = shown.at(-1);
  return {
    token: wireToken(known),
    rows: shown.map(({ timeMs, place, height, pool, priceUsd, depthUsd, feeBps, bought, usd }) => ({
      at: timeMs,
      block: height,
      place,
      pool,
      priceUsd,
      depthUsd,
      feeBps,
      usd,
      side: bought === 1 ? "buy" : "sell",
    })),
    covered,
    nextCursor: rows.length > shown.length && last ? `${last.timeMs}.${last.place}` : null,
  };
}

function placeIn(cursor: string): { timeMs: number; place: number } {
  const [, timeMs, place] = /^(\d{1,15})\.(\d{1,16})$/.exec(cursor) ?? [];
  if (timeMs === undefined) throw new BadInput("cursor");
  return { timeMs: Number(timeMs), place: Number(place) };
}
