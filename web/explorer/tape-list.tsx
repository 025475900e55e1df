/** @jsxImportSource preact */
// The tape's rows, of which only those in view exist: the list is as tall as all of them, and the screen's worth is put
// where one looks. Scrolled away from the top it stays where it is while newer rows come above.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { TapeRow } from "./tape-rows.tsx";
import type { TapeEntry } from "./tape-store.ts";
import type { Tape } from "./use-tape.ts";

/** Rows beyond each edge, so that a flick shows rows and not a hole. */
const OVERSCAN_ROWS = 8;

export function TapeList({ tape }: { tape: Tape }) {
  const box = useRef<HTMLElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800, rowHeight: 36 });
  const before = useRef({ newest: 0 });
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

  // Rows that came above push what is being read down by as much; scrolling along keeps it in place. Where it is scrolled to
  // is known from the last scroll: asking the element here would lay out the page once more with every drawing.
  useLayoutEffect(() => {
    const element = box.current;
    const newest = store.at(0)?.seq ?? 0;
    if (element && view.top > view.rowHeight && before.current.newest > 0) {
      let added = 0;
      while (added < store.length && (store.at(added) as TapeEntry).seq > before.current.newest) added++;
      if (added > 0) element.scrollTop += added * view.rowHeight;
    }
    before.current.newest = newest;
  }, [tape.version]);

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
    <section class="tape-box" ref={box} tabIndex={0} aria-label="Events, newest first">
      <div class="tape-inner" ref={inner}>
        <div class="tape-window">
          {rows.map((entry) => (
            <TapeRow key={entry.seq} entry={entry} />
          ))}
        </div>
      </div>
    </section>
  );
}
