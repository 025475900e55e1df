// A card of 1200 × 630: the subject, one labelled figure, a curve or a quote next to it, four more figures, and the date.
// Drawn in slices, so that other work can run in between.
import type { Sliced } from "../../kit/slices.ts";
import { faceOf } from "../shared/face.ts";
import { date, timeOfDay } from "../shared/format.ts";
import { type Canvas, createCanvas, type Point, type Rgb } from "./canvas.ts";
import { drawText, drawTextTo, fitted, lineHeight, textWidth, wrapped } from "./text.ts";

export type CardTone = "gain" | "loss" | "even";

export interface Card {
  /** The face is generated from this, as on every page. */
  name: string;
  title: string;
  under: string;
  figure: { text: string; tone: CardTone; caption: string } | null;
  /** Replaces the curve, or takes all the room if there is no figure. */
  quote: string | null;
  /** Oldest first; its colour is the figure's. */
  curve: readonly number[] | null;
  /** At most four. */
  stats: readonly { name: string; text: string; tone?: CardTone }[];
  at: number;
  isSimulated: boolean;
}

const CARD_SIZE = { width: 1_200, height: 630 } as const;
const MARGIN = 64;
const RIGHT = CARD_SIZE.width - MARGIN;
const STATS_MAX = 4;
/** A curve shows no more than this many points. */
const POINTS_MAX = 120;

const PAPER: Rgb = [14, 17, 18];
const PANEL: Rgb = [28, 33, 34];
const LINE: Rgb = [44, 51, 52];
const INK: Rgb = [236, 234, 228];
const SOFT: Rgb = [163, 167, 159];
const MARK: Rgb = [10, 107, 77];
const AMBER: Rgb = [240, 195, 106];
const AMBER_SOFT: Rgb = [51, 41, 15];
const TONES: Record<CardTone, Rgb> = { gain: [79, 209, 160], loss: [245, 142, 133], even: INK };
/** The colours of faces on dark pages, in the same order. */
const FACES: readonly Rgb[] = [
  [95, 211, 168],
  [138, 180, 248],
  [199, 166, 245],
  AMBER,
  TONES.loss,
  TONES.gain,
  SOFT,
  INK,
];

/** Each slice takes about a millisecond. */
export function* drawCard(card: Card): Sliced<Canvas> {
  const canvas = createCanvas(CARD_SIZE.width, CARD_SIZE.height);
  yield;
  canvas.fill(PAPER);
  yield;
  yield* drawHead(canvas, card);
  yield* drawBrand(canvas);
  if (card.figure) yield* drawFigure(canvas, card.figure);
  yield* drawAside(canvas, card);
  yield* drawStats(canvas, card);
  yield* drawFoot(canvas, card);
  return canvas;
}

function* drawHead(canvas: Canvas, { name, title, under }: Card): Sliced<void> {
  const [left, top, size] = [MARGIN, 56, 91];
  canvas.box(left, top, size, size, 20, PANEL);
  const face = faceOf(name);
  const cell = size / 7;
  for (const [column, row] of face.squares)
    canvas.box(left + cell * (column + 1), top + cell * (row + 1), cell, cell, 0, FACES[face.colour] ?? INK);
  yield;
  const room = 640;
  const large = { size: 32, colour: INK, bold: true };
  yield* drawText(canvas, fitted(title, large, room), [left + size + 28, top + 42], large);
  const small = { size: 19, colour: SOFT };
  yield* drawText(canvas, fitted(under, small, room), [left + size + 28, top + 82], small);
}

function* drawBrand(canvas: Canvas): Sliced<void> {
  const style = { size: 20, colour: INK, bold: true };
  const left = RIGHT - textWidth("Crowdtape", style) - 54;
  canvas.box(left, 62, 40, 40, 10, MARK);
  const pulse: Point[] = [
    [8, 27],
    [12.8, 27],
    [16.8, 15],
    [22, 31],
    [26, 20],
    [32, 20],
  ];
  canvas.line(
    pulse.map(([x, y]): Point => [left + x, 62 + y]),
    3.4,
    [255, 255, 255],
  );
  yield* drawText(canvas, "Crowdtape", [left + 54, 92], style);
}

const FIGURE_ROOM = 470;
const FIGURE_SIZES = [88, 74, 62, 50, 40];

function* drawFigure(canvas: Canvas, { text, tone, caption }: NonNullable<Card["figure"]>): Sliced<void> {
  const size = FIGURE_SIZES.find((each) => textWidth(text, { size: each, bold: true }) <= FIGURE_ROOM) ?? 40;
  const style = { size, colour: TONES[tone], bold: true };
  yield* drawText(canvas, fitted(text, style, FIGURE_ROOM), [MARGIN, 318], style);
  const under = { size: 20, colour: SOFT };
  yield* drawText(canvas, fitted(caption, under, FIGURE_ROOM), [MARGIN, 378], under);
}

/** The content next to the figure: a quote, or a curve. */
function* drawAside(canvas: Canvas, { figure, quote, curve }: Card): Sliced<void> {
  const left = figure === null ? MARGIN : 600;
  if (quote !== null) yield* drawQuote(canvas, quote, left, figure === null ? 34 : 26);
  else if (curve !== null) yield* drawCurve(canvas, curve, left, TONES[figure?.tone ?? "even"]);
}

function* drawQuote(canvas: Canvas, quote: string, left: number, size: number): Sliced<void> {
  const style = { size, colour: INK };
  const lines = wrapped(`“${shortened(quote)}”`, style, { width: RIGHT - left - 28, linesMax: 4 });
  const height = lineHeight(size);
  const top = 302 - ((lines.length - 1) * height) / 2;
  canvas.box(left, top - size - 10, 6, (lines.length - 1) * height + size + 24, 3, MARK);
  for (const [index, line] of lines.entries())
    yield* drawText(canvas, line, [left + 28, top + index * height], style);
}

/** No card has room for more, and every word is measured. */
const QUOTE_LENGTH_MAX = 260;
const shortened = (text: string) =>
  text.length > QUOTE_LENGTH_MAX ? `${text.slice(0, QUOTE_LENGTH_MAX)}…` : text;

const [CURVE_TOP, CURVE_BOTTOM, CURVE_FLOOR] = [206, 396, 420];

function* drawCurve(canvas: Canvas, values: readonly number[], left: number, colour: Rgb): Sliced<void> {
  const shown = thinned(values.filter(Number.isFinite));
  const low = Math.min(...shown);
  const range = Math.max(...shown) - low || 1;
  const points = shown.map(
    (value, index): Point => [
      left + (index * (RIGHT - left)) / Math.max(1, shown.length - 1),
      CURVE_BOTTOM - ((value - low) / range) * (CURVE_BOTTOM - CURVE_TOP),
    ],
  );
  const last = points.at(-1);
  if (points.length < 2 || last === undefined) return;
  yield* canvas.below(points, [CURVE_TOP, CURVE_FLOOR], colour);
  yield;
  canvas.line(points, 4.5, colour);
  canvas.disc(last, 8, colour);
  yield;
}

function thinned(values: readonly number[]): number[] {
  if (values.length <= POINTS_MAX) return [...values];
  return Array.from(
    { length: POINTS_MAX },
    (_, index) => values[Math.round((index * (values.length - 1)) / (POINTS_MAX - 1))] as number,
  );
}

function* drawStats(canvas: Canvas, { stats }: Card): Sliced<void> {
  const width = (RIGHT - MARGIN) / STATS_MAX;
  for (const [index, { name, text, tone }] of stats.slice(0, STATS_MAX).entries()) {
    const left = MARGIN + index * width;
    const small = { size: 15, colour: SOFT };
    yield* drawText(canvas, fitted(name, small, width - 20), [left, 462], small);
    const style = { size: 26, colour: TONES[tone ?? "even"], bold: true };
    yield* drawText(canvas, fitted(text, style, width - 20), [left, 506], style);
  }
}

function* drawFoot(canvas: Canvas, { at, isSimulated }: Card): Sliced<void> {
  canvas.box(MARGIN, 546, RIGHT - MARGIN, 2, 0, LINE);
  const style = { size: 16, colour: SOFT };
  yield* drawText(canvas, `${date(at)}, ${timeOfDay(at).slice(0, 5)} UTC`, [MARGIN, 592], style);
  if (!isSimulated) return yield* drawTextTo(canvas, "net of fees", [RIGHT, 592], style);
  const words = { size: 16, colour: AMBER, bold: true };
  const text = "SIMULATED: invented traders, no real money";
  const width = textWidth(text, words);
  canvas.box(RIGHT - width - 36, 566, width + 36, 40, 20, AMBER_SOFT);
  yield* drawText(canvas, text, [RIGHT - width - 18, 592], words);
}
