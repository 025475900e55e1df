// The face for a name: the same on every page, on cards, and as a standalone picture.

const COLOURS = 8;

/** FNV-1a with extra mixing: enough to tell names apart at a glance. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash ^= character.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

/** Which of the five by five squares are filled, and in which colour. */
export function faceOf(name: string): { colour: number; squares: [column: number, row: number][] } {
  const hash = hashOf(name);
  const squares: [number, number][] = [];
  for (let column = 0; column < 3; column++)
    for (let row = 0; row < 5; row++) {
      if (((hash >>> (3 + column * 5 + row)) & 1) === 0) continue;
      squares.push([column, row]);
      if (column < 2) squares.push([4 - column, row]);
    }
  return { colour: hash % COLOURS, squares };
}

/** Colours that work on light and dark backgrounds, in the order of the pages' own. */
const PICTURE_COLOURS = [
  "#1f9d75",
  "#4f83d6",
  "#9a6fd0",
  "#b98220",
  "#d0574d",
  "#239a72",
  "#8a8f87",
  "#6f7573",
];

/** The same face as a file; only numbers are written into it, whatever the name is. */
export function faceSvg(name: string): string {
  const { colour, squares } = faceOf(name);
  const path = squares.map(([column, row]) => `M${column} ${row}h1v1h-1z`).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 7 7"><path fill="${PICTURE_COLOURS[colour]}" d="${path}"/></svg>`;
}
