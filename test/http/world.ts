// Access to a served world from the inside: the platform's own data, to compare answers with.

import { HOUR_MS } from "../../kit/units.ts";
import type { WireTokenInfo, WireUser } from "../../protocol/protocol.ts";
import type { OpenedSimulator } from "../../simulator/open.ts";
import { createApi } from "../../simulator/views/api.ts";
import { eventually } from "../support/eventually.ts";
import type { ServedService } from "../support/live-service.ts";

function everyRow<Row>(page: (cursor?: string) => { rows: Row[]; nextCursor: string | null }): Row[] {
  const rows: Row[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const next = page(cursor);
    rows.push(...next.rows);
    cursor = next.nextCursor;
  }
  return rows;
}

export function everyUser({ world }: OpenedSimulator): WireUser[] {
  const api = createApi(world);
  return everyRow((cursor) => api.users(cursor));
}

export function everyToken({ world }: OpenedSimulator): WireTokenInfo[] {
  const api = createApi(world);
  return everyRow((cursor) => api.tokens(cursor));
}

/** The clock is held, and the world has caught up with it. */
export async function still(live: ServedService): Promise<void> {
  live.clock.hold();
  await live.platform.advance();
}

/** Held at the next full hour: the same moment and the same world, however long the start took. */
export async function stillOnTheHour(live: ServedService): Promise<void> {
  live.clock.hold();
  live.clock.push(HOUR_MS - (live.clock.now() % HOUR_MS));
  await live.platform.advance();
}

/** Reads until all of it is stored: an answer does not wait for that, and a failed write is left to the next read. */
export async function readAndKept(
  live: ServedService,
  read: () => Promise<readonly { tradeId: string }[]>,
): Promise<void> {
  const { positions } = live.service.store;
  await eventually(async () => {
    const ids = new Set((await read()).map(({ tradeId }) => tradeId));
    return (await positions.byIds([...ids])).length === ids.size;
  }, "what was read is kept");
}
