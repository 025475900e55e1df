// Orders figures with unknown ones last, in either direction.

export type SortOrder = "asc" | "desc";

export function knownFirst(a: number | string | null, b: number | string | null, order: SortOrder): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const ascending = a < b ? -1 : Number(a > b);
  return order === "asc" ? ascending : -ascending;
}
