// Text for terminals. Traders' text is shown, never interpreted: anything that could move the cursor, change a colour, ring
// the bell or change the writing direction is removed before printing.

/** Control characters, line separators, and direction marks. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

export function safe(text: string): string {
  // Whole escape sequences are removed first, so that none of their letters remain.
  return Bun.stripANSI(text).replace(UNSAFE, " ").trim();
}

/** At most this many columns wide, marked if truncated. */
export function cut(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  let shown = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Bun.stringWidth(shown + segment) > width - 1) break;
    shown += segment;
  }
  return `${shown}…`;
}

export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, width - Bun.stringWidth(text)));
  return align === "left" ? text + space : space + text;
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Colour = keyof typeof CODES;
export type Paint = (text: string, colour: Colour | null) => string;

/** Colours on a terminal, unless disabled. */
export function painter(isWanted: boolean): Paint {
  return (text, colour) => (isWanted && colour ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text);
}

export const gain = (value: number | null | undefined): Colour | null =>
  !value ? null : value > 0 ? "green" : "red";
