/** @jsxImportSource preact */
// A paged list of the operator's: the rows read so far, the button for the next page, and a reload after a change.
import { useEffect, useState } from "preact/hooks";
import type { AdminPage, AdminPlace } from "./answers.ts";
import { ask, attempt } from "./state.ts";

/** Reads one query: a component that shows another gets a new key. */
export function useList<Row>(place: AdminPlace, query: Record<string, string> = {}) {
  const [page, setPage] = useState<AdminPage<Row> | null>(null);
  const [isReading, setReading] = useState(false);
  const read = (cursor: string | null) =>
    ask<AdminPage<Row>>(place, { ...query, ...(cursor === null ? {} : { cursor }) });
  /** As many rows as were shown before. */
  const load = async (rowsMin: number) => {
    let { rows, nextCursor } = await read(null);
    while (nextCursor !== null && rows.length < rowsMin) {
      const next = await read(nextCursor);
      rows = [...rows, ...next.rows];
      nextCursor = next.nextCursor;
    }
    setPage({ rows, nextCursor });
  };
  useEffect(() => void attempt(() => load(0)), []);
  const more = async ({ rows, nextCursor }: AdminPage<Row>) => {
    setReading(true);
    await attempt(async () => {
      const next = await read(nextCursor);
      setPage({ rows: [...rows, ...next.rows], nextCursor: next.nextCursor });
    });
    setReading(false);
  };
  return {
    rows: page?.rows ?? null,
    /** Makes a change, then reloads the list. */
    change: (body: unknown) =>
      attempt(async () => {
        await ask(place, {}, body);
        await load(page?.rows.length ?? 0);
      }),
    button:
      page === null || page.nextCursor === null ? null : (
        <button type="button" class="plain small more" disabled={isReading} onClick={() => void more(page)}>
          Show more
        </button>
      ),
  };
}

/** An irreversible change asks for confirmation. */
export function SureButton({ title, sure, act }: { title: string; sure: string; act: () => unknown }) {
  const [isAsked, setAsked] = useState(false);
  return isAsked ? (
    <button type="button" class="small danger" onClick={() => act()}>
      {sure}
    </button>
  ) : (
    <button type="button" class="plain small" onClick={() => setAsked(true)}>
      {title}
    </button>
  );
}

export function PlainButton({ title, act }: { title: string; act: () => unknown }) {
  return (
    <button type="button" class="plain small" onClick={() => act()}>
      {title}
    </button>
  );
}
