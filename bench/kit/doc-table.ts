// A table that a benchmark maintains in a page of the docs, between two markers.
import { join } from "node:path";
import { ROOT } from "./product.ts";
import type { ResultTable } from "./suite.ts";

export async function writeDocTable(
  file: string,
  { begin, end }: { begin: string; end: string },
  { columns, rows }: ResultTable,
): Promise<void> {
  const path = join(ROOT, "docs", file);
  const page = await Bun.file(path).text();
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`docs/${file} has no place for the table`);
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  const lines = [line(columns), line(columns.map(() => "---")), ...rows.map(line)];
  await Bun.write(path, `${page.slice(0, from)}${begin}\n\n${lines.join("\n")}\n\n${page.slice(to)}`);
  Bun.spawnSync([join(ROOT, "node_modules", ".bin", "biome"), "format", "--write", path]);
}
