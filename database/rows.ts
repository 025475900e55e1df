// Rows as objects. A blank row names each column once, with its type: the property in camel case, the column in snake case.
import { columnOf, type InsertTail, insertMany, type NewRow, type Queries } from "./database.ts";
import type { SqlValue } from "./sql.ts";

export interface RowColumns<Row> {
  properties: readonly (keyof Row & string)[];
  /** Column and property. */
  pairs: readonly (readonly [column: string, property: keyof Row & string])[];
  /** The SELECT list, so that rows use property names. */
  selected: string;
}

export function columnsOf<Row extends NewRow<Row>>(blank: Row, table: string): RowColumns<Row> {
  const properties = Object.keys(blank) as (keyof Row & string)[];
  const pairs = properties.map((property) => [columnOf(property), property] as const);
  const selected = pairs.map(([column, property]) => `${table}.${column} AS "${property}"`).join(", ");
  return { properties, pairs, selected };
}

/** A row's own columns, whatever else the object has. */
export const ownColumns = <Row extends NewRow<Row>>(
  { properties }: RowColumns<Row>,
  row: Row,
): Record<string, SqlValue> => Object.fromEntries(properties.map((property) => [property, row[property]]));

export async function insertRow<Row extends NewRow<Row>>(
  tx: Queries,
  table: string,
  columns: RowColumns<Row>,
  row: Row,
  tail?: InsertTail,
): Promise<void> {
  await insertMany(tx, table, [ownColumns(columns, row)], tail);
}
