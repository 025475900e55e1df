/** @jsxImportSource preact */
// A face for traders without a picture: five by five, mirrored, from a hash of the name, the same on every page. Pictures
// are shown only from this origin; one that does not load gives way to the face.
import { useState } from "preact/hooks";
import { faceOf } from "./face.ts";

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
      // Asked for with the name of whose it is: where the platform has no picture, the answer is this face.
      src={`${own}?face=${encodeURIComponent(name)}`}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
    />
  );
}
