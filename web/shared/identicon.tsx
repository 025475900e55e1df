/** @jsxImportSource preact */
// A face for traders without a picture: five by five, mirrored, from a hash of the name, the same on every page. Pictures
// are shown only from this origin; one that does not load gives way to the face.
import { useState } from "preact/hooks";

const COLOURS = 8;

/** FNV-1a, spread once more: enough to tell names apart at a glance. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash ^= character.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

/** Which of the five by five squares are filled, and which of the colours they have. */
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

function Identicon({ name, size }: { name: string; size: number }) {
  const { colour, squares } = faceOf(name);
  return (
    <svg class={`face c${colour}`} width={size} height={size} viewBox="-1 -1 7 7" aria-hidden="true">
      <path d={squares.map(([column, row]) => `M${column} ${row}h1v1h-1z`).join("")} />
    </svg>
  );
}

/**
 * Answers name pictures by the address that the service is known by. A page may have been reached by another one, behind a
 * proxy say, and what it may load is its own origin's: the same path is there.
 */
function ownPath(src: string | null): string | null {
  return /^(?:https?:\/\/[^/?#]+)?(\/images\/(?:avatar|token)\/[^?#]+)$/.exec(src ?? "")?.[1] ?? null;
}

export function Picture({ src, name, size = 20 }: { src: string | null; name: string; size?: number }) {
  const [isBroken, setBroken] = useState(false);
  const own = ownPath(src);
  if (own === null || isBroken) return <Identicon name={name} size={size} />;
  return (
    <img
      class="face"
      src={own}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
    />
  );
}
