// The manifest lists every valid file of the history, with its rows, bytes and checksum. It is written last and atomically:
// a file it does not list is not part of the history, wherever it is.
import { HISTORY_TABLES, type HistoryTable } from "./tables.ts";

export const MANIFEST_FILE = "manifest.json";

export interface HistoryFile {
  table: HistoryTable;
  /** The UTC day, such as 2026-11-15. */
  date: string;
  /** Incremented when the day is closed again, because some of it was retracted or arrived late. */
  version: number;
  /** Relative to the manifest. */
  path: string;
  rows: number;
  bytes: number;
  sha256: string;
  schemaVersion: number;
  closedAt: string;
  /** Identifies its source rows: a different one means that the day has changed. */
  source: string;
}

export interface HistoryManifest {
  format: 1;
  updatedAt: string;
  files: HistoryFile[];
  /** Files of earlier versions; deleted after a while, so that current readers can finish. */
  superseded: { path: string; at: string }[];
}

export const emptyManifest = (): HistoryManifest => ({
  format: 1,
  updatedAt: new Date(0).toISOString(),
  files: [],
  superseded: [],
});

export function readManifest(text: string): HistoryManifest {
  const manifest = JSON.parse(text) as HistoryManifest;
  if (manifest.format !== 1 || !Array.isArray(manifest.files))
    throw new Error(`${MANIFEST_FILE} is of another program, or of a later version of this one.`);
  return manifest;
}

export function pathOf(table: HistoryTable, date: string, version: number): string {
  return `${table}/dt=${date}/part-0${version === 1 ? "" : `-v${version}`}.parquet`;
}

export const fileOf = (
  manifest: HistoryManifest,
  table: HistoryTable,
  date: string,
): HistoryFile | undefined => manifest.files.find((file) => file.table === table && file.date === date);

/** The manifest with these files replacing earlier versions, by day, then table. */
export function withFiles(
  manifest: HistoryManifest,
  fresh: readonly HistoryFile[],
  at: string,
): HistoryManifest {
  const replaced = new Set(fresh.flatMap(({ table, date }) => fileOf(manifest, table, date)?.path ?? []));
  const order = (file: HistoryFile) => `${file.date} ${HISTORY_TABLES.indexOf(file.table)}`;
  return {
    ...manifest,
    updatedAt: at,
    files: [...manifest.files.filter(({ path }) => !replaced.has(path)), ...fresh].sort((a, b) =>
      order(a) < order(b) ? -1 : 1,
    ),
    superseded: [...manifest.superseded, ...[...replaced].map((path) => ({ path, at }))],
  };
}
