// Text on cards. Names of traders and tokens are untrusted: they are cut short, stripped of invisible and direction-changing
// characters, and a letter without a glyph is drawn as an empty box.
import { createLru } from "../../kit/lru.ts";
import type { Sliced } from "../../kit/slices.ts";
import { type Canvas, type Mask, type Point, type Rgb, strokeMask } from "./canvas.ts";
import { FIGURE_WIDTH, GLYPHS, UNKNOWN_GLYPH } from "./glyphs.ts";

export interface TextStyle {
  /** The height of a capital, in pixels. */
  size: number;
  colour: Rgb;
  bold?: boolean;
}

/** Only this much of a name is processed, however long it is. */
const TEXT_LENGTH_MAX = 400;
/** A few kilobytes each at the sizes that cards use. */
const MASKS_MAX = 1_500;
const CAPITAL = 7;
const SPACE = 2.6;
/** Between two letters, in the glyphs' own units. */
const GAP = 1.9;
/** Lines extend this far above the capitals and below the baseline. */
const [ABOVE, BELOW] = [1.8, 2.8];
const DEGREES_A_STEP = 12;

interface Glyph {
  strokes: Point[][];
  left: number;
  width: number;
}

const parsed = new Map<string, Glyph>();
const masks = createLru<string, Mask>(MASKS_MAX);

/** Invisible characters, direction marks, combining marks; and emoji. */
const NOT_DRAWN = /[\p{M}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}]/u;
const SPACES = /[\s\p{Cc}]+/gu;

/** Letters in a drawable form: accents off, invisible ones out, every kind of space one space. */
export function drawable(text: string): string {
  const letters = Array.from(text.slice(0, TEXT_LENGTH_MAX).replace(SPACES, " "), (letter) => {
    // Looked up before decomposing: decomposed, a subscript digit would become an ordinary one, and the price another.
    if (hasGlyph(letter) || letter === " ") return letter;
    return Array.from(letter.normalize("NFKD"), (part) => (NOT_DRAWN.test(part) ? "" : part)).join("");
  });
  return letters.join("").replace(SPACES, " ").trim();
}

const SMALL_FIGURES = "₀₁₂₃₄₅₆₇₈₉";
const hasGlyph = (letter: string) => Object.hasOwn(GLYPHS, letter) || SMALL_FIGURES.includes(letter);

/** The first of these with at least half of its letters drawable; otherwise the last one. */
export function readable(...texts: readonly string[]): string {
  const good = texts.map(drawable).find((text) => {
    const letters = [...text].filter((letter) => letter !== " ");
    return letters.filter(hasGlyph).length * 2 > letters.length;
  });
  return good ?? drawable(texts.at(-1) ?? "");
}

function glyphOf(letter: string): Glyph {
  const known = parsed.get(letter);
  if (known) return known;
  const small = SMALL_FIGURES.indexOf(letter);
  const drawn = small < 0 ? letter : String(small);
  const strokes = (Object.hasOwn(GLYPHS, drawn) ? (GLYPHS[drawn] as string) : UNKNOWN_GLYPH)
    .split(" | ")
    .map(pointsOf)
    .map((stroke) => (small < 0 ? stroke : stroke.map(([x, y]): Point => [x * 0.62, y * 0.55 - 1.2])));
  const across = strokes.flat().map(([x]) => x);
  const [left, right] = [Math.min(...across), Math.max(...across)];
  const isFigure = /[0-9]/.test(letter);
  const width = isFigure ? FIGURE_WIDTH : right - left;
  const glyph = { strokes, left: isFigure ? (left + right - FIGURE_WIDTH) / 2 : left, width };
  // There are as many letters without a glyph as there are letters; they share one.
  if (hasGlyph(letter)) parsed.set(letter, glyph);
  return glyph;
}

function pointsOf(stroke: string): Point[] {
  return stroke.split(" ").flatMap((part): Point[] => {
    const [x = 0, y = 0, radiusX = 0, radiusY = 0, from = 0, to = 0] = part
      .replace("@", "")
      .split(",")
      .map(Number);
    if (!part.startsWith("@")) return [[x, y]];
    const steps = Math.ceil(Math.abs(to - from) / DEGREES_A_STEP);
    return Array.from({ length: steps + 1 }, (_, step): Point => {
      const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
      return [x + radiusX * Math.cos(angle), y + radiusY * Math.sin(angle)];
    });
  });
}

const unitOf = ({ size }: Pick<TextStyle, "size">) => size / CAPITAL;
const radiusOf = ({ size, bold }: Omit<TextStyle, "colour">) => (unitOf({ size }) * (bold ? 1.2 : 0.82)) / 2;

export function textWidth(text: string, style: Omit<TextStyle, "colour">): number {
  const letters = [...drawable(text)];
  const units = letters.reduce(
    (sum, letter) => sum + (letter === " " ? SPACE : glyphOf(letter).width + GAP),
    0,
  );
  return letters.length === 0 ? 0 : Math.ceil((units - GAP) * unitOf(style) + 2 * radiusOf(style));
}

/** The text, truncated with dots if needed, within a width. */
export function fitted(text: string, style: Omit<TextStyle, "colour">, width: number): string {
  const whole = drawable(text);
  if (textWidth(whole, style) <= width) return whole;
  const letters = [...whole];
  let [fits, over] = [0, letters.length];
  while (over - fits > 1) {
    const half = (fits + over) >> 1;
    if (textWidth(`${letters.slice(0, half).join("")}…`, style) <= width) fits = half;
    else over = half;
  }
  return `${letters.slice(0, fits).join("").trimEnd()}…`;
}

/** Words on at most this many lines; the rest is replaced by dots. */
export function wrapped(
  text: string,
  style: Omit<TextStyle, "colour">,
  { width, linesMax }: { width: number; linesMax: number },
): string[] {
  const words = drawable(text).split(" ");
  const lines: string[] = [];
  while (words.length > 0 && lines.length < linesMax) {
    let line = words.shift() ?? "";
    if (lines.length === linesMax - 1) line = [line, ...words.splice(0)].join(" ");
    while (words.length > 0 && textWidth(`${line} ${words[0]}`, style) <= width) line += ` ${words.shift()}`;
    lines.push(fitted(line, style, width));
  }
  return lines;
}

function maskOf(letter: string, style: Omit<TextStyle, "colour">): Mask {
  const key = `${hasGlyph(letter) ? letter : ""} ${style.size} ${style.bold ? 1 : 0}`;
  const known = masks.get(key);
  if (known) return known;
  const { strokes, left } = glyphOf(letter);
  const [unit, radius] = [unitOf(style), radiusOf(style)];
  const placed = strokes.map((stroke) =>
    stroke.map(([x, y]): Point => [(x - left) * unit + radius + 1, (CAPITAL + ABOVE - y) * unit]),
  );
  const mask = strokeMask(placed, radius);
  masks.set(key, mask);
  return mask;
}

/** Draws from `left` with the baseline at `baseline`. */
export function* drawText(
  canvas: Canvas,
  text: string,
  [left, baseline]: Point,
  style: TextStyle,
): Sliced<void> {
  const unit = unitOf(style);
  const top = Math.round(baseline - (CAPITAL + ABOVE) * unit);
  let x = left;
  for (const letter of drawable(text)) {
    if (letter !== " ") canvas.mask(maskOf(letter, style), Math.round(x - 1), top, style.colour);
    x += (letter === " " ? SPACE : glyphOf(letter).width + GAP) * unit;
    yield;
  }
}

/** The same, ending at `right`. */
export function drawTextTo(canvas: Canvas, text: string, [right, baseline]: Point, style: TextStyle) {
  return drawText(canvas, text, [right - textWidth(text, style), baseline], style);
}

/** The line height at this size, from one line's top to the next one's. */
export const lineHeight = (size: number): number => Math.round(((CAPITAL + ABOVE + BELOW) / CAPITAL) * size);
