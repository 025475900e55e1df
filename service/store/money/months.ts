// The journal is partitioned by month. A batch's name contains its time, so being unique in its month is enough.
import type { MonthlyTable } from "../../../database/partitions.ts";

export const JOURNAL = {
  name: "journal",
  time: "at",
  id: "batch_id",
  once: [],
  wide: true,
} as const satisfies MonthlyTable;
