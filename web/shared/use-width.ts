// An element's width, kept up to date; a typical one until the browser has measured it.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export function useWidth<E extends Element>(usual: number, least: number): [RefObject<E | null>, number] {
  const box = useRef<E | null>(null);
  const [width, setWidth] = useState(usual);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(least, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}
