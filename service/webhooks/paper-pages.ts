// How a paper webhook reads: its account's own log after its position, page by page. Orders stay in that
// log for as long as its follow does, so there are no gaps in it.
import type { Database } from "../../database/database.ts";
import { paperAfter } from "../store/money/follows.ts";
import type { Endpoint } from "./endpoint.ts";

/** A batch of the largest kind. */
const PAGE_ORDERS = 100;

/** Reads the next page into `ready`, which is empty; false when nothing is there. */
export function createPaperPages({ read }: Pick<Database, "read">) {
  return async (endpoint: Endpoint): Promise<boolean> => {
    const { accountId, generation } = endpoint.webhook;
    const rows = await paperAfter(read, accountId, endpoint.coveredTo, PAGE_ORDERS);
    // It starts over elsewhere since: the next step reads from there.
    if (endpoint.webhook.generation !== generation) return true;
    for (const booked of rows) endpoint.ready.push({ seq: booked.seq, capturedAt: booked.bookedAt, booked });
    endpoint.coveredTo = rows.at(-1)?.seq ?? endpoint.coveredTo;
    return rows.length > 0;
  };
}
