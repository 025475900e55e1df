// One page of an operator's list.
import type { AdminPage } from "../../../web/admin/answers.ts";

export const ROWS_A_PAGE = 50;

/** One extra row shows whether there is a next page. */
export function pageOf<From, Row>(
  found: readonly From[],
  rowOf: (from: From) => Row,
  idOf: (row: Row) => string,
): AdminPage<Row> {
  const rows = found.slice(0, ROWS_A_PAGE).map(rowOf);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > ROWS_A_PAGE && last !== undefined ? idOf(last) : null };
}
