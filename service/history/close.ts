// Closes final days into files. The files of a day are put in place first and the manifest that names them last, so whatever
// ends this in between leaves the history as it was. A day that changed afterwards gets files of a new version.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshUuid } from "../../kit/ids.ts";
import type { Kit } from "../../kit/kit.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import type { Store } from "../store/store.ts";
import { dateOf, rowsOf, sourcesOf, spanOf } from "./day.ts";
import { fileOf, type HistoryFile, type HistoryManifest, pathOf, withFiles } from "./manifest.ts";
import { writeParquet } from "./parquet.ts";
import type { HistoryPlace } from "./place.ts";
import { HISTORY_TABLES, type HistoryTable, SCHEMA_VERSION } from "./tables.ts";

/** What comes late has mostly come by then. */
const FINAL_AFTER_MS = HOUR_MS;
/** Days that are looked at again: longer than any chain takes something back. */
const LOOKED_AT_DAYS = 7;
/** Events that may still wait to be derived from; more, and a day would be closed without its last fills. */
const BEHIND_MAX = 5_000;
const SUPERSEDED_MS = HOUR_MS;
const LEASE = "history";
const LEASE_MS = 10 * MINUTE_MS;

export interface ClosingParts extends Pick<Kit, "clock"> {
  store: Store;
  place: HistoryPlace;
  /** Older fills are being forgotten, so a day that reaches back that far is left as it is. */
  retentionDays: number;
  onClosed?(file: HistoryFile): void;
  /** Where files are made before they are put in place. */
  draftFolder?: string;
}

export type Closing = { kind: "closed"; files: number } | { kind: "notYet"; why: string };

export async function closeDays(parts: ClosingParts): Promise<Closing> {
  const { store } = parts;
  const why = await reasonToWait(store);
  if (why !== null) return { kind: "notYet", why };
  const lease = await store.leases.acquire(LEASE, freshUuid(), LEASE_MS);
  if (!lease) return { kind: "notYet", why: "Another process is closing days." };
  const drafts = mkdtempSync(join(parts.draftFolder ?? tmpdir(), "crowdtape-history-"));
  try {
    let manifest = await parts.place.manifest();
    let files = 0;
    for (const date of await dueDates(parts, manifest)) {
      const fresh = await closeDay(parts, manifest, date, drafts);
      if (!(await store.leases.renew(lease, LEASE_MS)))
        return { kind: "notYet", why: "Another process has taken over." };
      if (fresh.length === 0) continue;
      manifest = withFiles(manifest, fresh, new Date(parts.clock.now()).toISOString());
      await parts.place.saveManifest(manifest);
      files += fresh.length;
    }
    await removeSuperseded(parts, manifest);
    return { kind: "closed", files };
  } finally {
    rmSync(drafts, { recursive: true, force: true });
    await store.leases.release(lease);
  }
}

async function reasonToWait({ log, progress }: Store): Promise<string | null> {
  if ((await log.historyLeft()).length > 0) return "What happened before the log began is still being read.";
  const behind = (await log.head()).seq - (await progress.derivedSeq());
  return behind > BEHIND_MAX ? `${behind} events of the log still wait to be derived from.` : null;
}

/** From the first day that is kept whole to the last that is final; of those that are closed, only the latest. */
async function dueDates(
  { store, clock, retentionDays }: ClosingParts,
  manifest: HistoryManifest,
): Promise<string[]> {
  const oldestAt = await store.fills.oldestAt();
  if (oldestAt === null) return [];
  const now = clock.now();
  const first = Math.max(spanOf(dateOf(oldestAt)).from, spanOf(dateOf(now - retentionDays * DAY_MS)).to);
  const end = spanOf(dateOf(now - FINAL_AFTER_MS)).from;
  const dates: string[] = [];
  for (let at = first; at < end; at += DAY_MS) {
    const isClosed = HISTORY_TABLES.every((table) => fileOf(manifest, table, dateOf(at)));
    if (!isClosed || at >= end - LOOKED_AT_DAYS * DAY_MS) dates.push(dateOf(at));
  }
  return dates;
}

async function closeDay(
  { store, place, clock, onClosed }: ClosingParts,
  manifest: HistoryManifest,
  date: string,
  drafts: string,
): Promise<HistoryFile[]> {
  const day = spanOf(date);
  const sources = await sourcesOf(store, day);
  const fresh: HistoryFile[] = [];
  for (const table of HISTORY_TABLES) {
    const known = fileOf(manifest, table, date);
    if (known?.source === sources[table] && known.schemaVersion === SCHEMA_VERSION) continue;
    const version = (known?.version ?? 0) + 1;
    const draft = join(drafts, `${table}.parquet`);
    const written = await writeParquet(draft, table, rowsOf(store, table, day));
    const path = pathOf(table, date, version);
    await place.put(path, draft);
    rmSync(draft);
    const file = { table, date, version, path, ...written, schemaVersion: SCHEMA_VERSION };
    const closedAt = new Date(clock.now()).toISOString();
    fresh.push({ ...file, closedAt, source: sources[table as HistoryTable] });
    onClosed?.(fresh.at(-1) as HistoryFile);
  }
  return fresh;
}

async function removeSuperseded({ place, clock }: ClosingParts, manifest: HistoryManifest): Promise<void> {
  const isOver = ({ at }: { at: string }) => Date.parse(at) < clock.now() - SUPERSEDED_MS;
  const over = manifest.superseded.filter(isOver);
  if (over.length === 0) return;
  for (const { path } of over) await place.remove(path);
  await place.saveManifest({ ...manifest, superseded: manifest.superseded.filter((one) => !isOver(one)) });
}
