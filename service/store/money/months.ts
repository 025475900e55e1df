// Charges are kept by month. A charge's key has its time in it, so being unique in its month is enough.
import type { MonthlyTable } from "../../../database/partitions.ts";

export const CHARGE = {
  name: "charge",
  time: "at",
  id: "request_id",
  once: [],
} as const satisfies MonthlyTable;
