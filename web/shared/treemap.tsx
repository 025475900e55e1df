/** @jsxImportSource preact */
// Shares of a whole, such as holdings by value: rectangles with areas by share, roughly square, largest first.
import { share, usd } from "./format.ts";

export interface TreeItem {
  key: string;
  label: string;
  value: number;
  change: number | null;
  href: string;
}

export interface Tile extends TreeItem {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Squarified: each row is filled as long as that makes its worst rectangle squarer. */
export function layOut(items: readonly TreeItem[], width: number, height: number): Tile[] {
  const total = items.reduce((sum, { value }) => sum + value, 0);
  if (!(total > 0)) return [];
  const area = (item: TreeItem) => (item.value / total) * width * height;
  const tiles: Tile[] = [];
  let [x, y, w, h] = [0, 0, width, height];
  let rest = [...items].filter(({ value }) => value > 0).sort((a, b) => b.value - a.value);
  while (rest.length > 0) {
    const side = Math.min(w, h);
    let count = 1;
    while (
      count < rest.length &&
      worst(rest.slice(0, count + 1).map(area), side) <= worst(rest.slice(0, count).map(area), side)
    )
      count++;
    const row = rest.slice(0, count);
    const depth = row.reduce((sum, item) => sum + area(item), 0) / side;
    let at = 0;
    for (const item of row) {
      const length = area(item) / depth;
      tiles.push(
        w >= h
          ? { ...item, x, y: y + at, width: depth, height: length }
          : { ...item, x: x + at, y, width: length, height: depth },
      );
      at += length;
    }
    if (w >= h) {
      x += depth;
      w -= depth;
    } else {
      y += depth;
      h -= depth;
    }
    rest = rest.slice(count);
  }
  return tiles;
}

function worst(areas: readonly number[], side: number): number {
  const sum = areas.reduce((total, each) => total + each, 0);
  const [least, most] = [Math.min(...areas), Math.max(...areas)];
  return Math.max((side * side * most) / (sum * sum), (sum * sum) / (side * side * least));
}

export function Treemap(props: {
  items: readonly TreeItem[];
  title: string;
  width?: number;
  height?: number;
  /** A value as text. */
  words?: (value: number) => string;
}) {
  const { items, width = 366, height = 150, words: read = usd } = props;
  const total = items.reduce((sum, { value }) => sum + value, 0);
  return (
    <svg class="treemap" width="100%" viewBox={`0 0 ${width} ${height}`}>
      <title>{props.title}</title>
      {layOut(items, width, height).map((tile) => {
        const tone =
          tile.change === null || Math.abs(tile.change) < 0.05 ? "even" : tile.change > 0 ? "gain" : "loss";
        const words = `${tile.label}: ${clip(read(tile.value), tile.width, 6.4)}, ${share(tile.value / total)} of all`;
        return (
          <a key={tile.key} href={tile.href}>
            <title>{words}</title>
            <rect
              class={tone}
              x={tile.x + 1}
              y={tile.y + 1}
              width={Math.max(0, tile.width - 2)}
              height={Math.max(0, tile.height - 2)}
              rx="3"
            />
            {tile.width > 46 && tile.height > 22 ? (
              <text x={tile.x + 8} y={tile.y + 18}>
                {clip(tile.label, tile.width)}
              </text>
            ) : null}
            {tile.width > 46 && tile.height > 40 ? (
              <text class="worth" x={tile.x + 8} y={tile.y + 34}>
                {clip(read(tile.value), tile.width)}
              </text>
            ) : null}
          </a>
        );
      })}
    </svg>
  );
}

/** By the width of a rendered letter. */
const clip = (label: string, width: number, letter = 9) => {
  const fits = Math.floor((width - 14) / letter);
  return label.length > fits ? `${label.slice(0, Math.max(1, fits - 1))}…` : label;
};
