/** @jsxImportSource preact */
import { type ComponentChildren, hydrate } from "preact";
import { useEffect } from "preact/hooks";

/** Hydrates the server's rendering. Then it sets `data-live`: from then on keys work too. */
export function takeOver(app: ComponentChildren): void {
  const root = document.getElementById("app");
  if (root) hydrate(<Taken root={root}>{app}</Taken>, root);
}

/** Its effect runs last, after those of everything inside it. */
function Taken({ root, children }: { root: HTMLElement; children: ComponentChildren }) {
  useEffect(() => {
    root.dataset.live = "true";
  }, []);
  return <>{children}</>;
}
