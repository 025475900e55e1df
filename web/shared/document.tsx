/** @jsxImportSource preact */
// The HTML document around a page: a head with the link preview, styles and scripts by their hashed names, the body, and the
// script's initial data. No inline script and no inline style.
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import type { AssetUrls } from "../assets/assets.ts";
import type { EntryName } from "../assets/entries.ts";
import { DATA_ELEMENT, embeddable } from "./data.ts";

export interface DocumentParts {
  title: string;
  description: string;
  /** The page's own URL, for sharing; null keeps it out of search engines. */
  url: string | null;
  /** The full URL of the link preview's picture. */
  image?: string | null;
  body: ComponentChildren;
  scripts: readonly EntryName[];
  styles: readonly EntryName[];
  data?: unknown;
  refreshSeconds?: number;
  /** This site sees where a form was sent from, other sites never do. */
  referrer?: "same-origin";
}

export function renderDocument(parts: DocumentParts, assets: AssetUrls): string {
  const { title, description, url, data, scripts } = parts;
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <meta name="color-scheme" content="light dark" />
        <script src={assets.url("theme.js")} />
        {parts.referrer ? <meta name="referrer" content={parts.referrer} /> : null}
        {parts.refreshSeconds ? <meta http-equiv="refresh" content={String(parts.refreshSeconds)} /> : null}
        {url === null ? (
          <meta name="robots" content="noindex" />
        ) : (
          <ShareCard title={title} description={description} url={url} image={parts.image ?? null} />
        )}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {parts.styles.map((name) => (
          <link key={name} rel="stylesheet" href={assets.url(name)} />
        ))}
        {scripts.flatMap((name) =>
          assets.preload(name).map((file) => <link key={file} rel="modulepreload" href={file} />),
        )}
      </head>
      <body>
        {parts.body}
        {data === undefined ? null : (
          <script
            type="application/json"
            id={DATA_ELEMENT}
            dangerouslySetInnerHTML={{ __html: embeddable(data) }}
          />
        )}
        {scripts.map((name) => (
          <script key={name} type="module" src={assets.url(name)} />
        ))}
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(page)}`;
}

function ShareCard({
  title,
  description,
  url,
  image,
}: {
  title: string;
  description: string;
  url: string;
  image: string | null;
}) {
  return (
    <>
      <link rel="canonical" href={url} />
      <meta property="og:site_name" content="Crowdtape" />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <meta name="twitter:card" content={image === null ? "summary" : "summary_large_image"} />
      {image === null ? null : (
        <>
          <meta property="og:image" content={image} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta property="og:image:alt" content={`${title}. ${description}`} />
        </>
      )}
    </>
  );
}
