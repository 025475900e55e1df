/** @jsxImportSource preact */
// A face for traders without a picture: five by five, mirrored, from a hash of the name, the same on every page. Pictures
// are shown only from this origin; one that does not load gives way to the face.
import { useEffect, useState } from "preact/hooks";
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

/** A row that is still there after this is looked at. */
const PASSING_MS = 400;

export function Picture(props: {
  src: string | null;
  name: string;
  size?: number;
  /** In a row that others soon push away: each picture costs the page some milliseconds, so it comes once the row stays. */
  isPassing?: boolean;
}) {
  const { src, name, size = 20, isPassing = false } = props;
  const [isBroken, setBroken] = useState(false);
  const [isShown, setShown] = useState(!isPassing);
  useEffect(() => {
    if (isShown) return;
    const timer = setTimeout(() => setShown(true), PASSING_MS);
    return () => clearTimeout(timer);
  }, []);
  const own = ownPath(src);
  if (own === null || isBroken) return <Identicon name={name} size={size} />;
  if (!isShown) return <svg class="face" width={size} height={size} aria-hidden="true" />;
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
