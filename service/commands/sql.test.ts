import { expect, test } from "bun:test";
import { bounds, viewsOf } from "./sql.ts";

test("each table is a view of exactly the files that the manifest names, whatever their folder is called", () => {
  const file = { date: "2026-11-15", version: 2, rows: 1, bytes: 1, sha256: "", schemaVersion: 1 };
  const fills = { ...file, table: "fills", path: "fills/a.parquet", closedAt: "", source: "" } as const;
  const views = viewsOf({ files: [fills, { ...fills, path: "fills/b.parquet" }] }, (path) => `it's/${path}`);
  expect(views).toEqual([
    "CREATE VIEW fills AS SELECT * FROM read_parquet(['it''s/fills/a.parquet','it''s/fills/b.parquet'], hive_partitioning = true, union_by_name = true);",
  ]);
});

test("DuckDB gets a memory limit and a spill folder, and an invalid size is refused", () => {
  expect(bounds(undefined, "it's")).toEqual([
    "SET memory_limit = '1GB';",
    "SET temp_directory = 'it''s/sql-aside';",
  ]);
  expect(bounds("512MB", "data")[0]).toBe("SET memory_limit = '512MB';");
  for (const wrong of ["", "0GB", "1TB", "1GB'; drop", "80%"])
    expect(() => bounds(wrong, "data")).toThrow("--memory is a size");
});
