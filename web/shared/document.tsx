/** @jsxImportSource preact */
// The HTML document around a page: head with what a shared link shows, styles and scripts by their hashed names, the
// body, and the data that the script starts from. No inline script and no inline style.
import type { ComponentChild } from "preact";
import { renderToString } from "preact-render-to-string";
import type { AssetUrls } from "../assets/assets.ts";
import type { EntryName } from "../assets/entries.ts";
import { DATA_ELEMENT, embeddable } from "./data.ts";
import { Html, html } from "./html.ts";

export interface DocumentParts {
  title: string;
  description: string;
  /** The page's own address, for what shares it; null keeps it out of search engines. */
  url: string | null;
  body: Html;
  scripts: readonly EntryName[];
  styles: readonly EntryName[];
  data?: unknown;
  refreshSeconds?: number;
  /** Own pages learn where a form came from, other sites never. */
  referrer?: "same-origin";
}

export const rendered = (content: ComponentChild): Html => new Html(renderToString(content as never));

export function renderDocument(parts: DocumentParts, assets: AssetUrls): string {
  const { title, description, url } = parts;
  const scripts = parts.scripts.map(
    (name) => html`<script type="module" src="${assets.url(name)}"></script>`,
  );
  const preloads = parts.scripts.flatMap((name) =>
    assets.preload(name).map((file) => html`<link rel="modulepreload" href="${file}">`),
  );
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><meta name="description" content="${description}">
<meta name="color-scheme" content="light dark"><script src="${assets.url("theme.js")}"></script>
${parts.referrer ? html`<meta name="referrer" content="${parts.referrer}">` : ""}
${parts.refreshSeconds === undefined ? "" : html`<meta http-equiv="refresh" content="${parts.refreshSeconds}">`}
${url === null ? html`<meta name="robots" content="noindex">` : shareCard(title, description, url)}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${parts.styles.map((name) => html`<link rel="stylesheet" href="${assets.url(name)}">`)}
${preloads}</head>
<body>${parts.body}
${parts.data === undefined ? "" : html`<script type="application/json" id="${DATA_ELEMENT}">${new Html(embeddable(parts.data))}</script>`}
${scripts}</body></html>`.text;
}

function shareCard(title: string, description: string, url: string): Html {
  return html`<link rel="canonical" href="${url}">
<meta property="og:site_name" content="Crowdtape"><meta property="og:type" content="website">
<meta property="og:title" content="${title}"><meta property="og:description" content="${description}">
<meta property="og:url" content="${url}"><meta name="twitter:card" content="summary">`;
}
