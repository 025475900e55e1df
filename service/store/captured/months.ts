// Which captured tables are partitioned by month, and what keeps their ids unique across months.
import type { MonthlyTable } from "../../../database/partitions.ts";

/**
 * By capture time, which grows with position. The log's one writer, fenced by its lease, looks ids up in every
 * month before it appends, and assigns positions under the lock of the log's head.
 */
export const LOG_EVENT = {
  name: "log_event",
  time: "captured_at",
  id: "seq",
  once: ["seq", "event_id"],
} as const satisfies MonthlyTable;

/** Ids are looked up in every month by writers that take turns. */
export const FILL = {
  name: "fill",
  time: "at",
  id: "swap_id",
  once: ["swap_id"],
  turns: 7_266_115,
} as const satisfies MonthlyTable;
