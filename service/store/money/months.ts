// The journal is kept by month. A batch's name has its time in it, so being unique in its month is enough.
import type { MonthlyTable } from "../../../database/partitions.ts";

export const JOURNAL = {
  name: "journal",
  time: "at",
  id: "batch_id",
  once: [],
  wide: true,
} as const satisfies MonthlyTable;
