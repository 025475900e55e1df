// Closed days as files.
import { z } from "zod";
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";

export const HISTORY_TABLES = ["fills", "theses", "traders", "positions", "candles_1m", "ticks"] as const;

export const HistoryFile = shape("HistoryFile", "One table of one closed day, as a Parquet file.", {
  table: leaf.oneOf("What its rows are.", HISTORY_TABLES),
  date: leaf.text("The UTC day.", "2026-11-15"),
  version: leaf.count("Counts up when the day is closed again.", 1),
  path: leaf.text("Its place in the operator's folder or bucket.", "fills/dt=2026-11-15/part-0.parquet"),
  rows: leaf.count("How many rows it has.", 61_204),
  bytes: leaf.count("How long it is.", 5_120_331),
  sha256: leaf.text(
    "Its checksum; also its ETag.",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  ),
  schemaVersion: leaf.count("Counts up when the table's columns change.", 1),
  closedAt: leaf.time("When it was written."),
  download: leaf.text("Where to get it, with a key.", "/v2/history/fills/2026-11-15?format=parquet"),
  credits: leaf.count("What all of it costs.", 2_500),
  publicUrl: leaf
    .text(
      "Where anyone can download it for free; null if not public.",
      "/history/fills/dt=2026-11-15/part-0.parquet",
    )
    .nullable(),
});

export const HistoryAnswer = shape("HistoryAnswer", "Closed days as files, oldest first.", {
  updatedAt: leaf.time("When the newest of them was closed; null before the first.").nullable(),
  count: leaf.count("How many files follow.", 6),
  files: z.array(HistoryFile),
  available: leaf.supported(),
  truncated: leaf.truncated(),
  note: leaf.note(),
});
