/** @jsxImportSource preact */
// Text of the reference: sentences with highlighted code, JSON in colours, and examples that can be copied.
import type { ComponentChildren } from "preact";

/** Sentences in which text in backticks, and anything that can only be a name or a path, is set as code. */
export function Prose({ text }: { text: string }) {
  const pieces = text.split(/(`[^`]+`|\/[a-z0-9]+\/[\w/{}-]+|\b[a-z]+[A-Z]\w*\b)/g);
  return (
    <>
      {pieces.map((piece, index) =>
        index % 2 === 1 ? <code key={index}>{piece.replaceAll("`", "")}</code> : piece,
      )}
    </>
  );
}

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/g;

/** JSON with its keys, texts, numbers and words marked for colour. */
export function JsonText({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon, word] = match;
    const kind = quoted ? (colon ? "k" : "s") : word ? "w" : "n";
    parts.push(text.slice(at, match.index), <i class={kind}>{quoted ?? whole}</i>, colon);
    at = match.index + whole.length;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}

/** A block of code under its title; one that is meant to be run can be copied. */
export function Example(props: { title?: string; isCopied?: boolean; children: ComponentChildren }) {
  return (
    <figure>
      {props.title === undefined ? null : (
        <figcaption>
          {props.title}
          {props.isCopied ? (
            <button type="button" class="copy">
              Copy
            </button>
          ) : null}
        </figcaption>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer. */}
      <pre tabIndex={0}>
        <code>{props.children}</code>
      </pre>
    </figure>
  );
}

export function MethodBadge({ method }: { method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>;
}
