/** @jsxImportSource preact */
import { type ComponentChildren, hydrate } from "preact";
import { useEffect } from "preact/hooks";

/** Takes over what the server rendered. `data-live` on it says that it has: also keys are listened to then. */
export function takeOver(app: ComponentChildren): void {
  const root = document.getElementById("app");
  if (root) hydrate(<Taken root={root}>{app}</Taken>, root);
}

/** Its effect is the last one, after those of all that it holds. */
function Taken({ root, children }: { root: HTMLElement; children: ComponentChildren }) {
  useEffect(() => {
    root.dataset.live = "true";
  }, []);
  return <>{children}</>;
}
