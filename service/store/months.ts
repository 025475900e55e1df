// Every table of the store that is partitioned by month.
import type { MonthlyTable } from "../../database/partitions.ts";
import { FILL, LOG_EVENT } from "./captured/months.ts";
import { JOURNAL } from "./money/months.ts";

export const MONTHLY: readonly MonthlyTable[] = [LOG_EVENT, FILL, JOURNAL];
