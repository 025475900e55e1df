// The frame of every benchmark: a program that measures, prints its tables and compares its results with its bars. Alone it is
// `bun bench/<name>.ts [--quick]`; bench/run.ts gives it a file for its outcome and generates the page from these.

export interface BarFinding {
  /** The requirement, with its number. */
  bar: string;
  result: string;
  met: boolean;
  /** The reason for missing it, if known; shown only then. */
  cause?: string;
  /** Correctness, not speed: the program exits with 1 when it is not met. */
  mustHold?: boolean;
}

export interface ResultTable {
  title: string;
  columns: string[];
  rows: (string | number)[][];
}

export interface Bar {
  label: string;
  value: number;
  low?: number;
  high?: number;
  isOurs?: boolean;
}

/** Horizontal bars; becomes docs/bench/<file>.svg. */
export interface Chart {
  file: string;
  title: string;
  unit: string;
  digits?: number;
  bars: Bar[];
  /** A line that the bars are checked against. */
  mark?: { label: string; value: number };
}

export interface Measured {
  findings: BarFinding[];
  tables: ResultTable[];
  charts?: Chart[];
  /** Void rounds and other facts that a reader must know. */
  notes?: string[];
}

export interface SuiteOptions {
  /** Fewer and shorter runs, for a quick check. */
  quick: boolean;
  rounds: number;
  /** Duration of one run under load. */
  seconds: number;
}

const FULL: SuiteOptions = { quick: false, rounds: 5, seconds: 5 };
const QUICK: SuiteOptions = { quick: true, rounds: 3, seconds: 3 };

/** Runs a benchmark as this process's main program. */
export async function suite(measure: (options: SuiteOptions) => Promise<Measured>): Promise<void> {
  const given = process.argv.slice(2);
  const outcome = await measure(given.includes("--quick") ? QUICK : FULL);
  print(outcome);
  const file = given.find((word) => word.startsWith("--outcome="))?.slice("--outcome=".length);
  if (file !== undefined) await Bun.write(file, JSON.stringify(outcome));
  await new Promise<void>((resolve) => process.stdout.write("\n", () => resolve()));
  // Sockets and servers of peers may still be open; only the outcome matters.
  process.exit(outcome.findings.some(({ met, mustHold }) => mustHold && !met) ? 1 : 0);
}

function print({ findings, tables, notes = [] }: Measured): void {
  for (const { title, columns, rows } of tables) {
    console.log(`\n${title}`);
    console.table(
      rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ""]))),
    );
  }
  for (const { bar, result, met, cause } of findings) {
    console.log(
      `${met ? "met  " : "SHORT"}  ${bar}: ${result}${met || cause === undefined ? "" : ` — ${cause}`}`,
    );
  }
  for (const note of notes) console.log(`note: ${note}`);
}
