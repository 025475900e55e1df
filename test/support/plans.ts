// PostgreSQL's actual work for a statement: which tables it scans completely, how many rows it sorts, how many rows and pages
// it touches; both for the given values and for the generic plan.
import type { Database } from "../../database/database.ts";
import { placeholders, raw, type Sql } from "../../database/sql.ts";

export interface PlanReport {
  /** Node types with their indexes, outermost first, repeated parts once. */
  nodes: string[];
  /** Tables of some size that were scanned completely. */
  scanned: string[];
  /** The maximum input of any one sort, in rows. */
  sorted: number;
  /** Rows read from tables and indexes, including those discarded by a filter. */
  touched: number;
  /** 8 KiB pages. */
  pages: number;
  planMs: number;
  runMs: number;
}

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: Node[];
}

interface Explained {
  Plan: Node;
  "Planning Time": number;
  "Execution Time": number;
}

/** A table of a few pages is not worth an index. */
const SMALL_TABLE_ROWS = 1_000;

/** `any`: the generic plan for all values, instead of one made for these. */
export async function explain(
  database: Database,
  statement: Sql,
  mode: "these" | "any",
): Promise<PlanReport> {
  return database.write(async (tx) => {
    const literals = statement.values.map((value) =>
      value === null ? "NULL" : `'${String(value).replaceAll("'", "''")}'`,
    );
    const force = mode === "any" ? "force_generic_plan" : "force_custom_plan";
    await tx.run(raw(`SET LOCAL plan_cache_mode = ${force}`));
    await tx.run(raw(`PREPARE explained AS ${placeholders(statement.text, "postgres")}`));
    const execute = `EXECUTE explained${literals.length > 0 ? ` (${literals.join(", ")})` : ""}`;
    const rows = await tx.all<Record<string, string>>(
      raw(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execute}`),
    );
    await tx.run(raw("DEALLOCATE explained"));
    const answer: unknown = rows[0]?.["QUERY PLAN"];
    const [explained] = (typeof answer === "string" ? JSON.parse(answer) : answer) as [Explained];
    return reportOf(explained);
  });
}

function reportOf(explained: Explained): PlanReport {
  const report: PlanReport = {
    nodes: [],
    scanned: [],
    sorted: 0,
    touched: 0,
    pages: explained.Plan["Shared Hit Blocks"] + explained.Plan["Shared Read Blocks"],
    planMs: explained["Planning Time"],
    runMs: explained["Execution Time"],
  };
  const visit = (node: Node) => {
    const type = node["Node Type"];
    // A month's index is named after the month; only which of the table's indexes it is matters.
    const index = node["Index Name"]?.replace(/_(\d{4}_\d{2}|past|future)_/, "_") ?? node["Relation Name"];
    const name = index ? `${type} ${index}` : type;
    if (!report.nodes.includes(name)) report.nodes.push(name);
    const rows =
      (node["Actual Rows"] +
        (node["Rows Removed by Filter"] ?? 0) +
        (node["Rows Removed by Index Recheck"] ?? 0)) *
      node["Actual Loops"];
    if (node["Relation Name"] !== undefined) {
      report.touched += rows;
      if (type === "Seq Scan" && rows > SMALL_TABLE_ROWS) report.scanned.push(node["Relation Name"]);
    }
    if (type.endsWith("Sort")) report.sorted = Math.max(report.sorted, rows);
    for (const part of node.Plans ?? []) visit(part);
  };
  visit(explained.Plan);
  return report;
}
