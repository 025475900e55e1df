// Rows as CSV (RFC 4180). Text that starts like a formula is prefixed with an apostrophe: a spreadsheet would run it, and
// traders choose their own names.
type CsvRow = Readonly<Record<string, unknown>>;

const valueAt = (row: CsvRow, column: string): unknown =>
  column.split(".").reduce<unknown>((value, name) => (value as CsvRow | null | undefined)?.[name], row);

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export const csvHead = (columns: readonly string[]) => `${columns.join(",")}\r\n`;
export const csvLine = (row: CsvRow, columns: readonly string[]) =>
  `${columns.map((column) => cell(valueAt(row, column))).join(",")}\r\n`;
