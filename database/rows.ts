// Rows as objects. A blank row names each column once, with its type: the property in camel case, the column in snake case.
import { insertMany, type Queries } from "./database.ts";
import type { SqlValue } from "./sql.ts";

export interface RowColumns<Row> {
  properties: readonly (keyof Row & string)[];
  /** Column and property. */
  pairs: readonly (readonly [column: string, property: keyof Row & string])[];
  /** The SELECT list, so that rows use property names. */
  selected: string;
}

export function columnsOf<Row extends Readonly<Record<keyof Row, SqlValue>>>(
  blank: Row,
  table: string,
): RowColumns<Row> {
  const properties = Object.keys(blank) as (keyof Row & string)[];
  const pairs = properties.map((property) => [columnOf(property), property] as const);
  const selected = pairs.map(([column, property]) => `${table}.${column} AS "${property}"`).join(", ");
  return { properties, pairs, selected };
}

const columnOf = (property: string) => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `rest` is the tail, such as `ON CONFLICT (id) DO NOTHING`. */
export async function insertRow<Row extends Readonly<Record<keyof Row, SqlValue>>>(
  tx: Queries,
  table: string,
  { pairs }: RowColumns<Row>,
  row: Row,
  rest = "",
): Promise<void> {
  const names = pairs.map(([column]) => column);
  await insertMany(tx, table, names, [pairs.map(([, property]) => row[property])], rest);
}
