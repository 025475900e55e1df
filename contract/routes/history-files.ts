// Closed days as files, for clients that want everything and not one page at a time.
import { z } from "zod";
import { formed, oneOf } from "../parts.ts";
import { defineRoute, FREE, price, shared } from "../route.ts";
import { HISTORY_TABLES, HistoryAnswer, HistoryFile } from "../shapes/history.ts";

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const date = (description: string) => formed(DATE, "must be a UTC day such as 2026-11-15", description);

export const listHistory = defineRoute({
  id: "listHistory",
  path: "/v2/history",
  tag: "History",
  summary: "Days available as files",
  description:
    "Every closed UTC day as Parquet files: fills, theses, the traders and positions they involve, one-minute candles, and the ticks that were read for replays. " +
    "A day is closed an hour after it ended. When data in it is retracted or arrives late, the day is closed again, under a higher `version`; a file never changes.",
  access: "key",
  price: FREE,
  cache: shared(15, 60),
  check: (_params, { from, to }) =>
    from !== undefined && to !== undefined && from > to
      ? { param: "from", sentence: "from must not be later than to." }
      : undefined,
  query: z.strictObject({
    table: oneOf(HISTORY_TABLES, "Only this table's files.").optional(),
    from: date("The first day.").optional(),
    to: date("The last day, included.").optional(),
  }),
  answer: HistoryAnswer,
  example: { query: { table: "fills" } },
});

export const getHistoryFile = defineRoute({
  id: "getHistoryFile",
  path: "/v2/history/{table}/{date}",
  tag: "History",
  summary: "A day of a table as a file",
  description:
    "With `format=parquet`, the file itself: 2,500 credits for each 100 MB begun, with `Range`, and with the file's SHA-256 as its ETag, so that you never pay twice for the same file. " +
    "Without it, the file's metadata, for free.",
  access: "key",
  price: price(2_500, "100 MB", 0),
  cache: shared(60, 0),
  params: z.strictObject({
    table: oneOf(HISTORY_TABLES, "The table."),
    date: date("The UTC day."),
  }),
  query: z.strictObject({
    format: oneOf(["json", "parquet"], "The file's metadata, or the file.").default("json"),
  }),
  answer: HistoryFile,
  otherMediaTypes: ["application/vnd.apache.parquet"],
  hasRanges: true,
  errors: ["not_found", "range_not_satisfiable"],
  example: { params: { table: "fills", date: "{historyDate}" } },
});
