// An order of figures, some of which are not known: those come last, whichever way the order goes.

export type SortOrder = "asc" | "desc";

export function knownFirst(a: number | string | null, b: number | string | null, order: SortOrder): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const ascending = a < b ? -1 : Number(a > b);
  return order === "asc" ? ascending : -ascending;
}
