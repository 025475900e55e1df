// Writes docs/settings.md from the settings themselves: `npm run docs:settings`.
import { SETTINGS } from "../service/settings.ts";

export function settingsDocument(): string {
  const rows = Object.entries(SETTINGS).map(([name, { fallback, about, secret }]) => {
    const value = fallback === null ? "absent" : fallback === "" ? "empty" : `\`${fallback}\``;
    return [`\`${name}\``, value, `${about}${secret ? " A secret: never logged or echoed." : ""}`];
  });
  return [
    "# Settings",
    "",
    "All settings are read from the environment, once, at start. Each has a default; an invalid one stops startup with a",
    "message that names it, and all invalid ones are reported together. `npx crowdtape doctor` checks them without starting.",
    "",
    "This page is written by `npm run docs:settings` from `service/settings.ts`; a test fails when the two differ.",
    "",
    ...aligned([["setting", "default", "what it does"], ...rows]),
    "",
  ].join("\n");
}

/** As the formatter leaves a table, so that it finds nothing to change. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const [head = "", ...rest] = rows.map((row) =>
    line(row.map((cell, column) => cell.padEnd(widths[column] ?? 0))),
  );
  return [head, line(widths.map((width) => "-".repeat(width))), ...rest];
}

if (import.meta.main) await Bun.write(new URL("settings.md", import.meta.url), settingsDocument());
