/** @jsxImportSource preact */
// The lists of every page: columns declared once, rows that can be walked with keys, and a button that shows the next page.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, failureOf } from "./api.ts";
import { Scroll } from "./bits.tsx";
import { usePage } from "./query.tsx";

export interface TableColumn<Item> {
  title: string;
  /** For the heading and the cells: `right`, `rank`, `bar`, `wide`, `spare`, `num`, `soft`. */
  class?: string;
  /** Only for screen readers: the cells show it graphically. */
  isTitleHidden?: boolean;
  /** Is the row's header. */
  isRowHead?: boolean;
  /** Makes the column sortable; the active one is marked. */
  sort?: { isOn: boolean; isAscending?: boolean; choose(): void };
  cell(row: Item): ComponentChildren;
}

export function Table<Item>(props: {
  columns: readonly TableColumn<Item>[];
  rows: readonly Item[];
  keyOf: (row: Item) => string | number;
  titleOf?: (row: Item) => string | undefined;
  /** Makes it scroll by itself, under this accessible name. */
  label?: string;
  class?: string;
}) {
  const { columns, keyOf, label } = props;
  const rows = useFirstRows(props.rows);
  const table = (
    <table class={`list ${props.class ?? ""}`}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Heading key={column.title} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} data-row title={props.titleOf?.(row)}>
            {columns.map((column) =>
              column.isRowHead ? (
                <th key={column.title} scope="row" class={column.class} data-title={column.title}>
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.title} class={column.class} data-title={column.title}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return label === undefined ? table : <Scroll label={label}>{table}</Scroll>;
}

/** More than fit on a screen. The server renders these; a hundred rows would hold its thread for 40 ms. */
const FIRST_ROWS = 30;

function useFirstRows<Item>(rows: readonly Item[]): readonly Item[] {
  const [isInBrowser, setIsInBrowser] = useState(false);
  useEffect(() => setIsInBrowser(true), []);
  return isInBrowser ? rows : rows.slice(0, FIRST_ROWS);
}

function Heading({
  column,
}: {
  column: Pick<TableColumn<never>, "title" | "class" | "isTitleHidden" | "sort">;
}) {
  const { title, sort } = column;
  return (
    <th
      scope="col"
      class={column.class}
      aria-sort={sort?.isOn ? (sort.isAscending ? "ascending" : "descending") : undefined}
    >
      {sort ? (
        <button type="button" class="sorter" onClick={sort.choose}>
          {title}
          {sort.isOn ? (sort.isAscending ? " ↑" : " ↓") : ""}
        </button>
      ) : column.isTitleHidden ? (
        <span class="off-screen">{title}</span>
      ) : (
        title
      )}
    </th>
  );
}

interface More<Item> {
  rows: Item[];
  next: string | null;
}

/** The rows after the first page, and the button that requests them. */
export function useMore<Item>(path: string, pageOf: (body: never) => More<Item>) {
  const { mode } = usePage();
  const [held, setHeld] = useState<(More<Item> & { path: string }) | null>(null);
  const [state, setState] = useState<"idle" | "loading" | "failed">("idle");
  const more = held?.path === path ? held : null;
  const load = async (cursor: string) => {
    setState("loading");
    const asked = `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
    const loaded = await call(asked, mode, mode === "open" ? { key: null } : {});
    if (failureOf(loaded)) return setState("failed");
    setState("idle");
    const { rows, next } = pageOf(loaded.body as never);
    setHeld({ path, rows: [...(more?.rows ?? []), ...rows], next });
  };
  const button = (first: string | null) => {
    const next = more ? more.next : first;
    if (next === null) return null;
    const title = { idle: "Show more", loading: "Loading…", failed: "That did not load. Try again" }[state];
    return (
      <button
        type="button"
        class="plain small more"
        disabled={state === "loading"}
        onClick={() => void load(next)}
      >
        {title}
      </button>
    );
  };
  return { rows: more?.rows ?? [], button };
}
