// The page of results, from the outcomes alone: what was measured where and when, the results against the bars, and the reason
// for any shortfall. Each benchmark keeps its own date, so one can be rerun without the others.
import type { Measured } from "./suite.ts";

export interface KeptResult extends Measured {
  name: string;
  /** As in the design's list of bars. */
  id: string;
  what: string;
  date: string;
  machine: string;
  command: string;
  seconds: number;
}

export function renderPage(results: readonly KeptResult[], tools: string): string {
  const machines = [...new Set(results.map((result) => result.machine))];
  const lines = [
    "# Benchmarks",
    "",
    "Written by `npm run bench`; `npm run bench -- reads fanout` runs some of them, `--quick` takes fewer and shorter rounds.",
    "Absolute figures are this machine's; what is checked against a bar is, where possible, a ratio to a peer that was",
    "measured in the same minute, in turns, on the same cores. A figure is the median of the rounds, with their range behind it.",
    "A round in which another program took more than 0.15 of a core, or something failed, is void and is run again; where the",
    "machine never became quiet the notes say so.",
    "",
    ...machines.map((machine) => `Machine: ${machine}. ${tools}`),
    "",
    "| | what | bar | result | |",
    "|---|---|---|---|---|",
    ...results.flatMap(({ id, what, findings }) =>
      findings.map(({ bar, result, met }, index) =>
        row([index === 0 ? id : "", index === 0 ? what : "", bar, result, met ? "met" : "**short**"]),
      ),
    ),
    "",
  ];
  for (const result of results) lines.push(...sectionOf(result));
  return `${lines.join("\n").trimEnd()}\n`;
}

function sectionOf({
  id,
  what,
  date,
  command,
  seconds,
  findings,
  tables,
  charts,
  notes,
}: KeptResult): string[] {
  const lines = [`## ${id}: ${what}`, "", `${date}, \`${command}\`, ${Math.round(seconds)} s.`, ""];
  for (const { title, columns, rows } of tables) {
    lines.push(
      `${title}:`,
      "",
      row(columns),
      `|${columns.map(() => "---").join("|")}|`,
      ...rows.map(row),
      "",
    );
  }
  for (const { file, title } of charts ?? []) lines.push(`![${title}](bench/${file}.svg)`, "");
  for (const { bar, met, cause } of findings) {
    if (!met) lines.push(`Short of "${bar}": ${cause ?? "the cause is not known yet."}`, "");
  }
  for (const note of notes ?? []) lines.push(`- ${note}`);
  if (notes?.length) lines.push("");
  return lines;
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}
