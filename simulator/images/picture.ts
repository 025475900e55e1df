// Pictures generated from a name alone: a coloured shape with initials or a small face. Nothing is fetched for them, and the
// same subject always looks the same.
import { hash32 } from "../../kit/random.ts";
import { chosen, mix, unit } from "../world/hash.ts";

const SIZE = 96;

/** A token: a coin with its symbol's first letters. */
export function tokenPicture(seed: string, key: string, symbol: string): string {
  const roll = hash32(seed, "token picture", key);
  const hue = Math.floor(unit(roll, 1) * 360);
  const second = (hue + 30 + Math.floor(unit(roll, 2) * 120)) % 360;
  const letters =
    symbol
      .replace(/[^A-Za-z0-9]/g, "")
      .slice(0, unit(roll, 3) < 0.5 ? 1 : 2)
      .toUpperCase() || "?";
  const ring = chosen(["none", "4 4", "14 5", "2 6"], roll, 4);
  const background = `<defs><linearGradient id="g" gradientTransform="rotate(${Math.floor(unit(roll, 5) * 90)})"><stop offset="0" stop-color="hsl(${hue} 70% 52%)"/><stop offset="1" stop-color="hsl(${second} 68% 38%)"/></linearGradient></defs><circle cx="48" cy="48" r="48" fill="url(#g)"/>`;
  const edge = `<circle cx="48" cy="48" r="41" fill="none" stroke="#fff" stroke-opacity=".45" stroke-width="3" stroke-dasharray="${ring}"/>`;
  return svg(`${background}${edge}${motif(roll, hue)}${initials(letters, letters.length === 1 ? 44 : 34)}`);
}

/** A person: a face in a few strokes, or a pattern. */
export function avatarPicture(seed: string, userId: string): string {
  const roll = hash32(seed, "avatar", userId);
  const hue = Math.floor(unit(roll, 1) * 360);
  const ground = `<rect width="${SIZE}" height="${SIZE}" fill="hsl(${hue} 45% ${unit(roll, 2) < 0.5 ? 26 : 82}%)"/>`;
  return svg(ground + (unit(roll, 3) < 0.7 ? face(roll, (hue + 180) % 360) : tiles(roll, (hue + 40) % 360)));
}

function face(roll: number, hue: number): string {
  const skin = `hsl(${hue} 60% ${50 + Math.floor(unit(roll, 4) * 25)}%)`;
  const width = 24 + Math.floor(unit(roll, 5) * 10);
  const eyes = 40 + Math.floor(unit(roll, 6) * 8);
  const apart = 9 + Math.floor(unit(roll, 7) * 6);
  const ears = chosen(
    [
      "",
      `<circle cx="${48 - width}" cy="30" r="10" fill="${skin}"/><circle cx="${48 + width}" cy="30" r="10" fill="${skin}"/>`,
      `<path d="M${48 - width} 34 L${52 - width} 8 L48 26 Z M${48 + width} 34 L${44 + width} 8 L48 26 Z" fill="${skin}"/>`,
    ],
    roll,
    8,
  );
  const mouth = chosen(
    ["M38 64 Q48 74 58 64", "M39 66 H57", "M38 70 Q48 60 58 70", "M42 63 a6 6 0 1 0 12 0 Z"],
    roll,
    9,
  );
  const eye = chosen([4, 5, 6], roll, 10);
  return `${ears}<ellipse cx="48" cy="52" rx="${width}" ry="30" fill="${skin}"/><circle cx="${48 - apart}" cy="${eyes}" r="${eye}" fill="#111"/><circle cx="${48 + apart}" cy="${eyes}" r="${eye}" fill="#111"/><path d="${mouth}" fill="none" stroke="#111" stroke-width="4" stroke-linecap="round"/>`;
}

/** Five by five, mirrored left and right. */
function tiles(roll: number, hue: number): string {
  let path = "";
  for (let row = 0; row < 5; row++)
    for (let column = 0; column < 3; column++) {
      if (unit(mix(roll, row, column), 11) < 0.5) continue;
      for (const x of new Set([column, 4 - column])) path += `M${13 + x * 14} ${13 + row * 14}h14v14h-14z`;
    }
  return `<path d="${path}" fill="hsl(${hue} 65% 55%)"/>`;
}

function motif(roll: number, hue: number): string {
  const light = `hsl(${hue} 80% 80%)`;
  return chosen(
    [
      "",
      `<path d="M14 66 Q48 ${40 + Math.floor(unit(roll, 12) * 30)} 82 66" fill="none" stroke="${light}" stroke-opacity=".5" stroke-width="6"/>`,
      `<circle cx="${22 + Math.floor(unit(roll, 13) * 52)}" cy="24" r="7" fill="${light}" fill-opacity=".6"/>`,
      `<path d="M48 12 L60 84 L36 84 Z" fill="${light}" fill-opacity=".18"/>`,
    ],
    roll,
    14,
  );
}

function initials(letters: string, size: number): string {
  return `<text x="48" y="${48 + size * 0.36}" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="${size}" fill="#fff">${letters}</text>`;
}

function svg(body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}" role="img">${body}</svg>`;
}
