// Writes rows to a Parquet file, one row group at a time, compressed with zstd: memory holds one group at any length of day.
import { createReadStream, statSync } from "node:fs";
import { fileWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import {
  COLUMNS,
  type HistoryCell,
  type HistoryColumn,
  type HistoryTable,
  SCHEMA_VERSION,
} from "./tables.ts";

/** Some megabytes each: large enough for readers to skip by, small enough to hold in memory. */
const GROUP_ROWS = 50_000;

export interface WrittenFile {
  rows: number;
  bytes: number;
  sha256: string;
}

export async function writeParquet(
  file: string,
  table: HistoryTable,
  rows: AsyncIterable<HistoryCell[]> | Iterable<HistoryCell[]>,
): Promise<WrittenFile> {
  const columns = COLUMNS[table];
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: schemaFromColumnData({ columnData: columns.map((each) => ({ ...each, data: [] })) }),
    codec: "ZSTD",
    compressors: { ZSTD: (bytes) => Bun.zstdCompressSync(bytes as Uint8Array<ArrayBuffer>) },
    kvMetadata: [{ key: "crowdtape.schema", value: `${table} ${SCHEMA_VERSION}` }],
    createdBy: "crowdtape",
  });
  let group: HistoryCell[][] = [];
  let count = 0;
  const flush = async () => {
    const columnData = columns.map((each, place) => ({
      ...each,
      data: group.map((row) => cellOf(each, row[place] ?? null)),
    }));
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    count += group.length;
    group = [];
  };
  for await (const row of rows) {
    group.push(row);
    if (group.length === GROUP_ROWS) await flush();
  }
  if (group.length > 0) await flush();
  await writer.finish();
  return { rows: count, bytes: statSync(file).size, sha256: await sha256Of(file) };
}

function cellOf({ type }: HistoryColumn, cell: HistoryCell): unknown {
  if (cell === null) return null;
  if (type === "TIMESTAMP") return new Date(Number(cell));
  return type === "INT64" ? BigInt(Math.trunc(Number(cell))) : cell;
}

async function sha256Of(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}
