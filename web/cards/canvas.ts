// An in-memory picture with the drawing primitives of cards: boxes, discs, thick lines and masks, antialiased. Everything is
// clipped to the picture, so no input can write outside it.

import type { Sliced } from "../../kit/slices.ts";

/** Red, green, blue, 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];
export type Point = readonly [x: number, y: number];

/** How much of each pixel a shape covers, 0 to 255. */
export interface Mask {
  width: number;
  height: number;
  cover: Uint8Array;
}

export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and 255, row by row. */
  readonly pixels: Uint8Array<ArrayBuffer>;
  fill(colour: Rgb): void;
  box(left: number, top: number, width: number, height: number, radius: number, colour: Rgb): void;
  disc(centre: Point, radius: number, colour: Rgb): void;
  line(points: readonly Point[], width: number, colour: Rgb): void;
  /** The area below a line, strongest at `top` and faded out at `floor`. */
  below(points: readonly Point[], [top, floor]: readonly [number, number], colour: Rgb): Sliced<void>;
  mask(mask: Mask, left: number, top: number, colour: Rgb): void;
}

/** Opacity of the area below a line, where it is strongest. */
const SHADE = 0.26;
const SEGMENTS_A_SLICE = 16;

const clamped = (value: number, from: number, to: number) => Math.min(Math.max(value, from), to);

export function createCanvas(width: number, height: number): Canvas {
  const pixels = new Uint8Array(width * height * 4).fill(255);

  const blend = (x: number, y: number, [red, green, blue]: Rgb, cover: number) => {
    const at = (y * width + x) * 4;
    pixels[at] = (pixels[at] as number) + (red - (pixels[at] as number)) * cover;
    pixels[at + 1] = (pixels[at + 1] as number) + (green - (pixels[at + 1] as number)) * cover;
    pixels[at + 2] = (pixels[at + 2] as number) + (blue - (pixels[at + 2] as number)) * cover;
  };

  /** Shades each pixel of a region by its distance from a shape's edge: negative inside. */
  const shade = (
    [left, top, right, bottom]: readonly [number, number, number, number],
    colour: Rgb,
    distance: (x: number, y: number) => number,
  ) => {
    const [fromX, toX] = [clamped(Math.floor(left), 0, width), clamped(Math.ceil(right), 0, width)];
    const [fromY, toY] = [clamped(Math.floor(top), 0, height), clamped(Math.ceil(bottom), 0, height)];
    for (let y = fromY; y < toY; y++)
      for (let x = fromX; x < toX; x++) {
        const cover = clamped(0.5 - distance(x + 0.5, y + 0.5), 0, 1);
        if (cover > 0) blend(x, y, colour, cover);
      }
  };

  const mask: Canvas["mask"] = ({ cover, ...size }, left, top, colour) => {
    const [fromX, toX] = [Math.max(0, -left), Math.min(size.width, width - left)];
    const [fromY, toY] = [Math.max(0, -top), Math.min(size.height, height - top)];
    for (let y = fromY; y < toY; y++)
      for (let x = fromX; x < toX; x++) {
        const covered = cover[y * size.width + x] as number;
        if (covered > 0) blend(left + x, top + y, colour, covered / 255);
      }
  };

  return {
    width,
    height,
    pixels,
    mask,
    fill([red, green, blue]) {
      pixels.set([red, green, blue, 255]);
      // Repeatedly doubling the filled part takes a few copies instead of a million writes.
      for (let done = 4; done < pixels.length; done *= 2)
        pixels.copyWithin(done, 0, Math.min(done, pixels.length - done));
    },
    box(left, top, boxWidth, boxHeight, radius, colour) {
      const [centreX, centreY] = [left + boxWidth / 2, top + boxHeight / 2];
      shade([left, top, left + boxWidth, top + boxHeight], colour, (x, y) => {
        const acrossX = Math.abs(x - centreX) - boxWidth / 2 + radius;
        const acrossY = Math.abs(y - centreY) - boxHeight / 2 + radius;
        if (acrossX <= 0 || acrossY <= 0) return Math.max(acrossX, acrossY) - radius;
        return Math.hypot(acrossX, acrossY) - radius;
      });
    },
    disc([centreX, centreY], radius, colour) {
      const reach = radius + 1;
      shade(
        [centreX - reach, centreY - reach, centreX + reach, centreY + reach],
        colour,
        (x, y) => Math.hypot(x - centreX, y - centreY) - radius,
      );
    },
    line(points, lineWidth, colour) {
      const left = Math.floor(Math.min(...points.map(([x]) => x)) - lineWidth);
      const top = Math.floor(Math.min(...points.map(([, y]) => y)) - lineWidth);
      const moved = points.map(([x, y]): Point => [x - left, y - top]);
      mask(strokeMask([moved], lineWidth / 2), left, top, colour);
    },
    *below(points, [top, floor], colour) {
      const end = clamped(Math.round(floor), 0, height);
      for (let at = 1; at < points.length; at++) {
        if (at % SEGMENTS_A_SLICE === 0) yield;
        const [[fromX, fromY], [toX, toY]] = [points[at - 1] as Point, points[at] as Point];
        for (let x = clamped(Math.round(fromX), 0, width); x < clamped(Math.round(toX), 0, width); x++) {
          const edge = fromY + ((toY - fromY) * (x + 0.5 - fromX)) / (toX - fromX || 1);
          for (let y = clamped(Math.ceil(edge), 0, height); y < end; y++)
            blend(x, y, colour, (SHADE * (floor - y)) / (floor - top));
        }
      }
    },
  };
}

/** Lines of one thickness with round ends; where they cross, a pixel is covered once. */
export function strokeMask(strokes: readonly (readonly Point[])[], radius: number): Mask {
  const reach = radius + 1;
  const points = strokes.flat();
  const width = Math.max(1, Math.ceil(Math.max(...points.map(([x]) => x)) + reach));
  const height = Math.max(1, Math.ceil(Math.max(...points.map(([, y]) => y)) + reach));
  const cover = new Uint8Array(width * height);
  for (const stroke of strokes)
    for (let at = 0; at < stroke.length; at++) {
      const from = stroke[Math.max(0, at - 1)] as Point;
      coverSegment({ width, height, cover }, from, stroke[at] as Point, radius);
    }
  return { width, height, cover };
}

function coverSegment({ width, height, cover }: Mask, from: Point, to: Point, radius: number): void {
  const reach = radius + 1;
  const [alongX, alongY] = [to[0] - from[0], to[1] - from[1]];
  const squared = alongX * alongX + alongY * alongY || 1;
  const left = Math.max(0, Math.floor(Math.min(from[0], to[0]) - reach));
  const right = Math.min(width, Math.ceil(Math.max(from[0], to[0]) + reach));
  const top = Math.max(0, Math.floor(Math.min(from[1], to[1]) - reach));
  const bottom = Math.min(height, Math.ceil(Math.max(from[1], to[1]) + reach));
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const [offX, offY] = [x + 0.5 - from[0], y + 0.5 - from[1]];
      const share = clamped((offX * alongX + offY * alongY) / squared, 0, 1);
      const [awayX, awayY] = [offX - alongX * share, offY - alongY * share];
      const covered = radius + 0.5 - Math.sqrt(awayX * awayX + awayY * awayY);
      if (covered <= 0) continue;
      const at = y * width + x;
      const value = covered >= 1 ? 255 : covered * 255;
      if (value > (cover[at] as number)) cover[at] = value;
    }
}
