// The reference page. All of it is read off the contract, so it can't tell another story than the service; what its
// examples name exists on the platform that is followed.

import { h } from "preact";
import { type Chains, DEFAULT_CHAINS } from "../../contract/chains.ts";
import { STREAMS } from "../../contract/frames.ts";
import { createJsonSchemas } from "../../contract/json-schema.ts";
import { TAGS } from "../../contract/route.ts";
import { ALL_ROUTES } from "../../contract/routes.ts";
import type { AssetUrls } from "../assets/assets.ts";
import type { VisitorMode } from "../shared/data.ts";
import { renderDocument, rendered } from "../shared/document.tsx";
import { type Html, html } from "../shared/html.ts";
import { Masthead } from "../shared/masthead.tsx";
import { errorsSection, plansSection, startSection } from "./guide.ts";
import { methodBadge, operationSlices } from "./operation.ts";
import { streamsSlices } from "./streams.ts";

export interface DocsSettings {
  /** What the commands on the page begin with. */
  baseUrl?: string;
  chains?: Chains;
  /** A handle, a token and a trade that exist, for examples that work when they are pasted. */
  known?: Readonly<Record<string, string>>;
  /** How visitors without a key may try calls; null where there is no explorer. */
  explorer?: VisitorMode | null;
}

const tagId = (tag: string) => `tag-${tag.toLowerCase()}`;
const routesOf = (tag: string) => ALL_ROUTES.filter((route) => route.tag === tag);

export function renderDocs(settings: DocsSettings, assets: AssetUrls): string {
  const making = docsSlices(settings, assets);
  for (;;) {
    const { done, value } = making.next();
    if (done) return value;
  }
}

/** The same a few parts at a time, for who must not be held up by all of them. */
export function* docsSlices(
  { baseUrl = "http://localhost:8080", chains = DEFAULT_CHAINS, known = {}, explorer = null }: DocsSettings,
  assets: AssetUrls,
): Generator<void, string, void> {
  const schemas = createJsonSchemas();
  const operations = new Map<string, Html>();
  for (const route of ALL_ROUTES) {
    operations.set(route.id, yield* operationSlices(route, schemas, { baseUrl, known }));
    yield;
  }
  const streams = yield* streamsSlices(schemas, baseUrl);
  yield;
  const body = html`<a class="skip" href="#main">Skip to content</a>${rendered(h(Masthead, { current: "/docs", explorer: explorer !== null }))}
<div class="docs" data-mode="${explorer ?? "off"}"><div class="side"><button id="menu" type="button" aria-expanded="false" aria-controls="nav">Menu</button>
<nav id="nav" aria-label="Reference"><label class="sr" for="filter">Filter the menu</label><input id="filter" type="search" placeholder="Filter  /" autocomplete="off">${menu()}</nav></div>
<main id="main">${startSection(baseUrl, chains)}${plansSection()}
${Object.entries(TAGS).map(
  ([
    tag,
    description,
  ]) => html`<section class="wide tag" id="${tagId(tag)}"><h2><a href="#${tagId(tag)}">${tag}</a></h2><p>${description}</p></section>
${routesOf(tag).map((route) => operations.get(route.id))}`,
)}
${streams}${errorsSection()}</main></div>`;
  return renderDocument(
    {
      title: "Crowdtape API reference",
      description: "Every call, stream, price and error of the Crowdtape API.",
      url: `${baseUrl}/docs`,
      body,
      scripts: ["docs.js"],
      styles: ["docs.css"],
    },
    assets,
  );
}

function menu(): Html {
  const item = (href: string, text: Html | string, find: string) =>
    html`<li data-find="${find.toLowerCase()}"><a href="#${href}">${text}</a></li>`;
  return html`<div class="group"><ul>${item("start", "Getting started", "getting started keys credits")}${item("plans", "Plans and limits", "plans limits")}${item("errors", "Errors", "errors")}</ul></div>
${Object.keys(TAGS).map(
  (tag) =>
    html`<div class="group"><h2><a href="#${tagId(tag)}">${tag}</a></h2><ul>${routesOf(tag).map((route) =>
      item(
        route.id,
        html`<span>${route.summary}</span>${methodBadge(route.method)}`,
        `${route.id} ${route.path} ${route.summary} ${tag}`,
      ),
    )}</ul></div>`,
)}
<div class="group"><h2><a href="#streams">Streams</a></h2><ul>${Object.values(STREAMS).map((stream) =>
    item(
      `stream-${stream.path.slice(4)}`,
      html`<span>${stream.summary}</span><span class="method ws">WS</span>`,
      `${stream.path} ${stream.summary} socket stream`,
    ),
  )}${item("socket-walk", "Step by step", "socket walk through resume")}${item("frames", "Frames", "frames welcome heartbeat resume")}${item("close-codes", "Close codes", "close codes")}</ul></div>`;
}
