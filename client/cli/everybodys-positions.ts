// All traders' positions: the directory by handle, and each trader's walk in turn. A place is a handle and a cursor of its walk,
// so that an export continues in the middle of a trader.
import { ApiError } from "../src/api-error.ts";
import type { Fields } from "../src/operation.ts";
import type { Reading } from "./reading.ts";
import { Refused } from "./refused.ts";

export type PagesClient = Pick<Reading["client"], "pages">;

const DONE = "done";

export interface EverybodysWalk {
  input: Fields;
  /** Where to continue; null at the beginning. */
  place: string | null;
  /** Accept traders with incomplete positions; otherwise they are an error. */
  isPartial: boolean;
}

export async function* everybodysPositions(
  client: PagesClient,
  { input, place, isPartial }: EverybodysWalk,
): AsyncIterableIterator<Fields> {
  const [at = "", within = ""] = (place ?? "").split(" ");
  const cut: string[] = [];
  for await (const { traders } of client.pages.listTraders({ sort: "handle", window: "all", limit: 100 }))
    for (const { handle } of traders) {
      const name = handle.toLowerCase();
      if (name < at || (name === at && within === DONE)) continue;
      const begin = name === at ? { cursor: within } : {};
      for await (const page of positionsOf(client, { ...input, ...begin, handle })) {
        if (typeof page.note === "string") {
          if (!isPartial)
            throw new Refused(
              `Not all positions of @${handle} can be exported: ${page.note} Add --partial to take what there is.`,
            );
          if (cut.at(-1) !== handle) cut.push(handle);
        }
        yield { ...page, nextCursor: `${name} ${page.nextCursor ?? DONE}` };
      }
    }
  const note = cut.length === 0 ? null : `Not all positions of these are there: ${cut.join(", ")}.`;
  yield { positions: [], nextCursor: null, complete: note === null, note };
}

/** A trader who can't be read yet gives a page without rows that says so. */
async function* positionsOf(client: PagesClient, input: Fields): AsyncIterableIterator<Fields> {
  try {
    for await (const page of client.pages.listPositions(input as never)) yield page as unknown as Fields;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "resolving") throw error;
    yield { positions: [], nextCursor: null, complete: false, note: error.message };
  }
}
