// Rows in aligned columns, with units in the headings.
import { type Colour, cut, gain, type Paint, pad, safe } from "./terminal.ts";
import { usd } from "./units.ts";

export interface Column<Row> {
  /** With its unit. */
  head: string;
  value(row: Row): string;
  align?: "left" | "right";
  /** Longer texts are truncated. */
  max?: number;
  colour?(row: Row): Colour | null;
}

/** A gain or a loss, in its colour. */
export const gains = <Row>(
  head: string,
  of: (row: Row) => number | null,
  show: (value: number | null) => string = usd,
): Column<Row> => ({ head, align: "right", value: (row) => show(of(row)), colour: (row) => gain(of(row)) });

/** Wide enough for a handle or a symbol, short enough for several of them. */
const COLUMN_MAX = 32;

export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], paint: Paint): string {
  const cells = rows.map((row) =>
    columns.map((column) => cut(safe(column.value(row)), column.max ?? COLUMN_MAX)),
  );
  const widths = columns.map(({ head }, index) =>
    Math.max(Bun.stringWidth(head), ...cells.map((line) => Bun.stringWidth(line[index] ?? ""))),
  );
  const line = (texts: string[], colourOf: (index: number) => Colour | null) =>
    texts
      .map((each, index) => {
        const padded = pad(each, widths[index] ?? 0, columns[index]?.align);
        return paint(index === texts.length - 1 ? padded.trimEnd() : padded, colourOf(index));
      })
      .join("  ")
      .trimEnd();
  const heads = line(
    columns.map(({ head }) => head),
    () => "bold",
  );
  const body = cells.map((texts, at) =>
    line(texts, (index) => columns[index]?.colour?.(rows[at] as Row) ?? null),
  );
  return [heads, ...body].join("\n");
}

/** Names and values, one per line. */
export function facts(entries: readonly (readonly [string, string])[], paint: Paint): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${paint(pad(name, width), "bold")}  ${safe(value)}`).join("\n");
}
