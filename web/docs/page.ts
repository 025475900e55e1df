// The reference page as one text that needs nothing else: no network, no build, no file beside it. All of it is
// read off the contract, so it can not tell another story than the service.
import { type Chains, DEFAULT_CHAINS } from "../../contract/chains.ts";
import { STREAMS } from "../../contract/frames.ts";
import { createJsonSchemas } from "../../contract/json-schema.ts";
import { TAGS } from "../../contract/route.ts";
import { ALL_ROUTES } from "../../contract/routes.ts";
import theme from "../theme.css" with { type: "text" };
import { client } from "./client.ts";
import frame from "./frame.css" with { type: "text" };
import { errorsSection, plansSection, startSection } from "./guide.ts";
import { Html, html } from "./html.ts";
import narrow from "./narrow.css" with { type: "text" };
import { methodBadge, operationSection } from "./operation.ts";
import reference from "./reference.css" with { type: "text" };
import { streamsSection } from "./streams.ts";
import text from "./text.css" with { type: "text" };

export interface DocsSettings {
  /** What the commands on the page begin with. */
  baseUrl?: string;
  chains?: Chains;
}

/** In this order: what comes later may override. */
const STYLE = [theme, frame, text, reference, narrow].join("\n");

const tagId = (tag: string) => `tag-${tag.toLowerCase()}`;
const routesOf = (tag: string) => ALL_ROUTES.filter((route) => route.tag === tag);

export function renderDocs({
  baseUrl = "http://localhost:8080",
  chains = DEFAULT_CHAINS,
}: DocsSettings = {}): string {
  const schemas = createJsonSchemas();
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Crowdtape API reference</title><meta name="description" content="Every call, stream, price and error of the Crowdtape API.">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><style>${new Html(STYLE)}</style></head>
<body><a class="skip" href="#main">Skip to content</a>
<header><a class="brand" href="#start">crowd<b>tape</b></a><button id="menu" type="button" aria-expanded="false" aria-controls="nav">Menu</button></header>
<nav id="nav" aria-label="Reference"><label class="sr" for="filter">Filter the menu</label><input id="filter" type="search" placeholder="Filter  /" autocomplete="off">${menu()}</nav>
<main id="main">${startSection(baseUrl, chains)}${plansSection()}
${Object.entries(TAGS).map(
  ([
    tag,
    description,
  ]) => html`<section class="wide tag" id="${tagId(tag)}"><h2><a href="#${tagId(tag)}">${tag}</a></h2><p>${description}</p></section>
${routesOf(tag).map((route) => operationSection(route, schemas, baseUrl))}`,
)}
${streamsSection(schemas, baseUrl)}${errorsSection()}</main>
<script>${new Html(`(${client})()`)}</script></body></html>`;
  return page.text;
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
  )}${item("frames", "Frames", "frames welcome heartbeat resume")}${item("close-codes", "Close codes", "close codes")}</ul></div>`;
}
