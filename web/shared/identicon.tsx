/** @jsxImportSource preact */
// A face for traders without a picture: five by five, mirrored, from a hash of the name, the same on every page. Pictures are
// shown only from this origin; one that fails to load is replaced by the face.
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
 * Answers contain picture URLs at the service's public address. A page may have been loaded from another one, say behind a
 * proxy, and may only load from its own origin: the same path exists there.
 */
function ownPath(src: string | null): string | null {
  return /^(?:https?:\/\/[^/?#]+)?(\/images\/(?:avatar|token)\/[^?#]+)$/.exec(src ?? "")?.[1] ?? null;
}

/** A row that is still there after this time gets its picture. */
const PASSING_MS = 400;

export function Picture(props: {
  src: string | null;
  name: string;
  size?: number;
  /**
   * In a row that others soon push away: each picture costs the page some milliseconds, so it is loaded only once the row
   * stays.
   */
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
      // The request includes the subject's name: if the platform has no picture, the response is this face.
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
