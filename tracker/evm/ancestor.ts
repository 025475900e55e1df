// After a re-org, finds the newest block that a place has in common with the current chain.
import { NotReady } from "./block-reads.ts";
import { type Mark, newestOf, type Place } from "./place.ts";
import { headersAt, type StretchContext } from "./stretch.ts";

const PER_BATCH = 20;

/** Null when there was no re-org after all: a block is dropped only if it is still gone on a second query. */
export async function findAncestor(context: StretchContext, place: Place): Promise<Mark | null> {
  const newest = newestOf(place);
  const marks = place.marks.toReversed();
  for (let start = 0; start < marks.length; start += PER_BATCH) {
    const some = marks.slice(start, start + PER_BATCH);
    const headers = await headersAt(
      context,
      some.map(({ height }) => height),
    );
    const found = some.find(({ hash }, index) => headers[index]?.hash === hash);
    if (!found) continue;
    const [again] = await headersAt(context, [newest.height]);
    return found === newest || again?.hash === newest.hash ? null : found;
  }
  throw new NotReady("the node contradicts blocks that were final");
}
