/** @jsxImportSource preact */
// biome-ignore-all lint/a11y/useSemanticElements: rows have fixed places and only those in view exist, which a table element can't.
// biome-ignore-all lint/a11y/useFocusableInteractive: a table that only shows takes no focus.
// The tape's rows, virtualised: the list is as tall as all of them, but only the rows in view are rendered. Scrolled away
// from the top it keeps its place while newer rows arrive above.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { TapeHead, TapeRow } from "./tape-rows.tsx";
import type { TapeEntry } from "./tape-store.ts";
import type { Tape } from "./use-tape.ts";

/** Rows beyond each edge, so that a flick shows rows and not a gap. */
const OVERSCAN_ROWS = 8;

export function TapeList({ tape }: { tape: Tape }) {
  const box = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800, rowHeight: 36 });
  const anchor = useRef<{ entry: TapeEntry | undefined; index: number }>({ entry: undefined, index: 0 });
  const { store } = tape;

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () =>
      setView({
        top: element.scrollTop,
        height: element.clientHeight,
        rowHeight: Number.parseFloat(getComputedStyle(element).getPropertyValue("--row")) || 36,
      });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);

  // New rows above push the rows being read down by their height; scrolling by the same amount keeps them in place. The scroll
  // position is taken from the last scroll event: reading it from the element here would force a layout with every drawing.
  useLayoutEffect(() => {
    const { entry, index } = anchor.current;
    if (box.current && entry && view.top > view.rowHeight) {
      let now = index;
      while (now < store.length && store.at(now) !== entry) now++;
      if (now > index && now < store.length) box.current.scrollTop += (now - index) * view.rowHeight;
    }
    const reading = Math.floor(view.top / view.rowHeight);
    anchor.current = { entry: store.at(reading), index: reading };
  }, [tape.version, view.top]);

  const first = Math.max(0, Math.floor(view.top / view.rowHeight) - OVERSCAN_ROWS);
  const end = Math.min(store.length, Math.ceil((view.top + view.height) / view.rowHeight) + OVERSCAN_ROWS);
  const rows: TapeEntry[] = [];
  for (let index = first; index < end; index++) {
    const entry = store.at(index);
    if (entry) rows.push(entry);
  }
  const [tall, from] = [store.length * view.rowHeight, first * view.rowHeight];
  useLayoutEffect(() => {
    inner.current?.style.setProperty("height", `${tall}px`);
    inner.current?.style.setProperty("--from", `${from}px`);
  }, [tall, from]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer.
    <div class="tape-box" ref={box} role="table" tabIndex={0} aria-label="Events, newest first">
      <TapeHead />
      <div class="tape-inner" ref={inner}>
        <div class="tape-window">
          {rows.map((entry) => (
            <TapeRow key={entry.seq} entry={entry} store={store} />
          ))}
        </div>
      </div>
    </div>
  );
}
