// Snapshots: the whole state in one file, in its memory layout, each column with its checksum. Copied in one go so that it is
// the state of one moment; renamed into place only when it is complete on disk. The previous one is kept.
import { closeSync, fsync, openSync, readSync, writeSync } from "node:fs";
import { rename } from "node:fs/promises";
import { promisify } from "node:util";
import { columnBytes } from "../world/columns.ts";
import type { Segment } from "../world/schedule.ts";
import { type Counters, resumeRandom, type Tables, usedRows } from "../world/state.ts";
import type { World } from "../world/world.ts";
import type { WorldIdentity } from "./identity.ts";

const MAGIC = "CTWORLD\n";
/** A header larger than this is not one of ours. */
const HEADER_BYTES_MAX = 4_000_000;

interface SnapshotHeader extends WorldIdentity {
  counters: Counters;
  random: [number, number, number, number];
  segments: readonly Segment[];
  rows: Record<keyof Tables, number>;
  columns: { name: string; bytes: number; sum: string }[];
}

function columnsOf(world: World, rows: Record<keyof Tables, number>): { name: string; data: Uint8Array }[] {
  const { tables } = world.context.state;
  return (Object.keys(rows) as (keyof Tables)[]).flatMap((table) =>
    columnBytes(tables[table], rows[table]).map(([name, data]) => ({ name: `${table}.${name}`, data })),
  );
}

/** Writes the current state; the promise covers the disk write and the renames. */
export async function writeSnapshot(path: string, world: World, identity: WorldIdentity): Promise<void> {
  const { state, population, tokens, schedule } = world.context;
  const rows = usedRows(state, population.traders.length, tokens.list.length);
  const columns = columnsOf(world, rows);
  const header: SnapshotHeader = {
    ...identity,
    counters: state.counters,
    random: state.random.state(),
    segments: schedule.segments,
    rows,
    columns: columns.map(({ name, data }) => ({ name, bytes: data.length, sum: sum(data) })),
  };
  const text = Buffer.from(JSON.stringify(header));
  const opening = Buffer.alloc(MAGIC.length + 4 + 8);
  opening.write(MAGIC, "latin1");
  opening.writeUInt32LE(text.length, MAGIC.length);
  opening.writeBigUInt64LE(BigInt(Bun.hash(text)), MAGIC.length + 4);
  const temporary = `${path}.new`;
  const file = openSync(temporary, "w");
  try {
    for (const piece of [opening, text, ...columns.map(({ data }) => data)]) writeWhole(file, piece);
    await promisify(fsync)(file);
  } finally {
    closeSync(file);
  }
  await rename(path, `${path}.previous`).catch(() => undefined);
  await rename(temporary, path);
}

/** The identity in a snapshot, if the file is one. */
export function readIdentity(path: string): WorldIdentity | undefined {
  return withFile(path, (file) => readHeader(file)?.header);
}

/** The schedule at the time of the snapshot. */
export function readSegments(path: string): readonly Segment[] | undefined {
  return withFile(path, (file) => readHeader(file)?.header.segments);
}

/** Fills the fresh world from the file. False when the file is corrupt; the world must not be used then. */
export function loadSnapshot(path: string, world: World): boolean {
  const loaded = withFile(path, (file) => {
    const opened = readHeader(file);
    if (!opened) return false;
    const { header } = opened;
    const columns = columnsOf(world, header.rows);
    if (columns.length !== header.columns.length) return false;
    let position = opened.end;
    for (const [index, { name, data }] of columns.entries()) {
      const expected = header.columns[index];
      if (!expected || expected.name !== name || expected.bytes !== data.length) return false;
      if (!readWhole(file, data, position) || sum(data) !== expected.sum) return false;
      position += data.length;
    }
    Object.assign(world.context.state.counters, header.counters);
    resumeRandom(world.context.state, header.random);
    world.resume();
    return true;
  });
  return loaded ?? false;
}

function readHeader(file: number): { header: SnapshotHeader; end: number } | undefined {
  const opening = Buffer.alloc(MAGIC.length + 4 + 8);
  if (!readWhole(file, opening, 0) || opening.toString("latin1", 0, MAGIC.length) !== MAGIC) return undefined;
  const length = opening.readUInt32LE(MAGIC.length);
  if (length > HEADER_BYTES_MAX) return undefined;
  const text = Buffer.alloc(length);
  if (!readWhole(file, text, opening.length)) return undefined;
  if (BigInt(Bun.hash(text)) !== opening.readBigUInt64LE(MAGIC.length + 4)) return undefined;
  return { header: JSON.parse(text.toString()) as SnapshotHeader, end: opening.length + length };
}

function withFile<Result>(path: string, use: (file: number) => Result): Result | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

function writeWhole(file: number, data: Uint8Array): void {
  for (let done = 0; done < data.length; ) done += writeSync(file, data, done, data.length - done);
}

function readWhole(file: number, data: Uint8Array, position: number): boolean {
  for (let done = 0; done < data.length; ) {
    const read = readSync(file, data, done, data.length - done, position + done);
    if (read === 0) return false;
    done += read;
  }
  return true;
}

function sum(data: Uint8Array): string {
  return Bun.hash(data).toString(36);
}
