// HTML that can't be broken out of: whatever is put into a template is escaped, unless it is HTML made here.

export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | undefined | readonly Part[];

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function render(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(render).join("");
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + render(parts[index - 1]) + string));
}

/** Sentences in which what is in backticks, or can only be a name or a path, is set as code. */
export function prose(text: string): Html {
  const pieces = text.split(/(`[^`]+`|\/[a-z0-9]+\/[\w/{}-]+|\b[a-z]+[A-Z]\w*\b)/g);
  const code = (piece: string) => html`<code>${piece.replaceAll("`", "")}</code>`;
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? code(piece) : html`${piece}`))}`;
}

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/g;

/** JSON with its keys, texts, numbers and words marked for colour. */
export function json(value: unknown): Html {
  const text = JSON.stringify(value, null, 2);
  const parts: Html[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon, word] = match;
    const kind = quoted ? (colon ? "k" : "s") : word ? "w" : "n";
    parts.push(html`${text.slice(at, match.index)}<i class="${kind}">${quoted ?? whole}</i>${colon ?? ""}`);
    at = match.index + whole.length;
  }
  return html`${parts}${text.slice(at)}`;
}
