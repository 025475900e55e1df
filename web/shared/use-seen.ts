// Whether an element has been in view: content that costs a call is loaded only then.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export function useSeen<E extends Element>(): [RefObject<E | null>, boolean] {
  const box = useRef<E | null>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!box.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return [box, isSeen];
}
