// A few kinds of plots as SVG text, without a library: axes with round steps, one or several series, a title that says
// what is seen.

const WIDTH = 640;
const HEIGHT = 300;
const LEFT = 64;
const RIGHT = 16;
const TOP = 44;
const BOTTOM = 40;
const COLOURS = ["#2563eb", "#dc2626", "#059669", "#d97706", "#7c3aed", "#0891b2", "#be185d"];

export interface Axis {
  label: string;
  from: number;
  to: number;
  log?: boolean;
  /** How a tick is written. */
  format?: (value: number) => string;
}

export interface Series {
  name?: string;
  points: readonly (readonly [x: number, y: number])[];
  kind: "line" | "dots" | "bars";
}

export function plot(title: string, x: Axis, y: Axis, series: readonly Series[]): string {
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="20" font-size="14" font-weight="600" fill="#111">${escaped(title)}</text>`,
    ...ticks(x).map((tick) => xTick(x, tick)),
    ...ticks(y).map((tick) => yTick(y, tick)),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${escaped(x.label)}</text>`,
    `<text x="${LEFT}" y="36" fill="#555">${escaped(y.label)}</text>`,
    ...series.map((each, index) => drawn(each, x, y, COLOURS[index % COLOURS.length] as string)),
    ...legend(series),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui,sans-serif" font-size="11" fill="#333" role="img"><title>${escaped(title)}</title>${parts.join("")}</svg>\n`;
}

function drawn({ points, kind }: Series, x: Axis, y: Axis, colour: string): string {
  const seen = points.filter(([px, py]) => Number.isFinite(placed(x, px)) && Number.isFinite(placed(y, py)));
  const at = ([px, py]: readonly [number, number]) => [xOf(x, px), yOf(y, py)] as const;
  if (kind === "line") {
    const path = seen.map((point) => at(point).join(" ")).join("L");
    return `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="1.4"/>`;
  }
  if (kind === "dots") {
    const dots = seen.map((point) => `M${at(point).join(" ")}h0`).join("");
    return `<path d="${dots}" stroke="${colour}" stroke-opacity=".35" stroke-width="3" stroke-linecap="round"/>`;
  }
  const width = Math.max(1, ((WIDTH - LEFT - RIGHT) / Math.max(1, seen.length)) * 0.82);
  const floor = yOf(y, y.from);
  const bars = seen.map((point) => {
    const [px, py] = at(point);
    return `<rect x="${round(px - width / 2)}" y="${py}" width="${round(width)}" height="${round(Math.max(0, floor - py))}"/>`;
  });
  return `<g fill="${colour}" fill-opacity=".8">${bars.join("")}</g>`;
}

function legend(series: readonly Series[]): string[] {
  return series.flatMap(({ name }, index) => {
    if (name === undefined) return [];
    const left = WIDTH - RIGHT - 92;
    const top = TOP + 6 + index * 14;
    return [
      `<rect x="${left}" y="${top - 8}" width="10" height="3" fill="${COLOURS[index % COLOURS.length]}"/><text x="${left + 14}" y="${top - 3}">${escaped(name)}</text>`,
    ];
  });
}

/** From 0 to 1 along the axis. */
function placed(axis: Axis, value: number): number {
  if (axis.log) return (Math.log(value) - Math.log(axis.from)) / (Math.log(axis.to) - Math.log(axis.from));
  return (value - axis.from) / (axis.to - axis.from);
}

const clamp = (part: number) => Math.min(1.02, Math.max(-0.02, part));
const xOf = (axis: Axis, value: number) => round(LEFT + clamp(placed(axis, value)) * (WIDTH - LEFT - RIGHT));
const yOf = (axis: Axis, value: number) =>
  round(HEIGHT - BOTTOM - clamp(placed(axis, value)) * (HEIGHT - TOP - BOTTOM));

function ticks(axis: Axis): number[] {
  const found: number[] = [];
  if (axis.log) {
    for (let power = Math.ceil(Math.log10(axis.from) - 1e-9); 10 ** power <= axis.to * 1.001; power++)
      found.push(10 ** power);
    return found;
  }
  const rough = (axis.to - axis.from) / 6;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((size) => size >= rough) ?? unit;
  for (let value = Math.ceil(axis.from / step) * step; value <= axis.to + step * 1e-6; value += step)
    found.push(value);
  return found;
}

function xTick(axis: Axis, value: number): string {
  const x = xOf(axis, value);
  return `<path d="M${x} ${TOP}V${HEIGHT - BOTTOM}" stroke="#eee"/><text x="${x}" y="${HEIGHT - BOTTOM + 14}" text-anchor="middle">${escaped(written(axis, value))}</text>`;
}

function yTick(axis: Axis, value: number): string {
  const y = yOf(axis, value);
  return `<path d="M${LEFT} ${y}H${WIDTH - RIGHT}" stroke="#eee"/><text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${escaped(written(axis, value))}</text>`;
}

function written(axis: Axis, value: number): string {
  return axis.format ? axis.format(value) : String(Number(value.toPrecision(3)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** How many values fall into each of so many parts of the axis, as shares. */
export function histogram(values: readonly number[], axis: Axis, bins: number): [number, number][] {
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) {
    const place = Math.floor(placed(axis, value) * bins);
    if (place >= 0 && place < bins) counts[place] = (counts[place] as number) + 1;
  }
  return counts.map((count, place) => {
    const middle = (place + 0.5) / bins;
    const value = axis.log
      ? Math.exp(Math.log(axis.from) + middle * (Math.log(axis.to) - Math.log(axis.from)))
      : axis.from + middle * (axis.to - axis.from);
    return [value, count / values.length];
  });
}
