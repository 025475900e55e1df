// Pages of a list, one after another, until the service says that there are no more. A repeated cursor ends the walk with an
// error, because it would loop forever.
import { CrowdtapeError } from "./api-error.ts";
import type { Fields, Input, WalkFacts } from "./operation.ts";

export async function* walkPages(
  [, parameter, from]: WalkFacts,
  input: Input,
  ask: (input: Input) => Promise<Fields>,
): AsyncIterableIterator<Fields> {
  const isFeed = parameter === "before";
  // A feed is walked from new to old unless the order is ascending.
  const forward = isFeed && input.order === "asc";
  const takes = forward ? "cursor" : parameter;
  const gives = forward ? "nextCursor" : from;
  const begins = isFeed && !forward ? {} : { [takes]: input[takes] ?? "start" };
  let next: Input = { ...input, ...begins };
  for (;;) {
    const page = await ask(next);
    yield page;
    const cursor = page[gives];
    if (cursor === null || cursor === undefined || page.hasMore === false) return;
    if (cursor === next[takes]) throw new CrowdtapeError("WalkFailed", "The same cursor came twice.");
    next = { ...next, [takes]: cursor };
  }
}

export async function* walkRows(
  rows: string,
  pages: AsyncIterableIterator<Fields>,
): AsyncIterableIterator<unknown> {
  for await (const page of pages) yield* page[rows] as unknown[];
}
