// One operation as a reader needs it: what it does, costs, takes, answers and refuses, with a command to paste.
import { ERROR_CODES } from "../../contract/errors.ts";
import { examplePath, filledExample, PLACEHOLDERS } from "../../contract/examples.ts";
import type { JsonSchemas } from "../../contract/json-schema.ts";
import type { AccessRule, AnyRoute, Price } from "../../contract/route.ts";
import { sampleOf } from "../../contract/sample.ts";
import { Html, html, json, prose } from "../shared/html.ts";
import { curlOf, pythonOf, type SampleRequest, typescriptOf } from "../shared/samples.ts";
import { answerTable, inputTable } from "./fields.ts";

const grouped = (value: number) => value.toLocaleString("en");

function priceText(price: Price): string {
  if (price.credits === 0) return "free";
  const unit = price.unit === "call" ? "" : ` a ${price.unit}`;
  return `${grouped(price.credits)} credits${unit}`;
}

const ACCESS: Record<AccessRule, string> = {
  open: "open to all",
  keyless: "key optional",
  key: "needs a key",
  onChain: "Growth or Scale",
};

export const accessText = (access: AccessRule) => ACCESS[access];

export const methodBadge = (method: string) =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`;

/** The path with its parameters set apart. */
function pathText(path: string): Html {
  const pieces = path.split(/(\{[^}]+\})/g);
  return html`${pieces.map((piece) => (piece.startsWith("{") ? html`<var>${piece}</var>` : html`${piece}`))}`;
}

export interface Examples {
  baseUrl: string;
  /** What is put in place of {placeholders}; what is not here stays as the contract's own example. */
  known: Readonly<Record<string, string>>;
}

const sampleRequest = (route: AnyRoute, { baseUrl, known }: Examples): SampleRequest => {
  const values = { ...PLACEHOLDERS, ...known };
  const { body } = filledExample(route, values);
  return {
    method: route.method,
    url: `${baseUrl}${examplePath(route, values)}`,
    needsKey: route.access !== "open",
    ...(body ? { body } : {}),
  };
};

export const curl = (route: AnyRoute, examples: Examples) => curlOf(sampleRequest(route, examples));

/** The same call in three languages, of which one is shown. */
function samples(route: AnyRoute, examples: Examples): Html {
  const request = sampleRequest(route, examples);
  const texts = { curl: curlOf(request), TypeScript: typescriptOf(request), Python: pythonOf(request) };
  return html`<div class="samples">${Object.entries(texts).map(
    ([name, text]) =>
      html`<details name="sample-${route.id}" ${name === "curl" ? new Html("open") : ""}><summary>${name}</summary><figure><figcaption>Request<button type="button" class="copy">Copy</button></figcaption><pre tabindex="0"><code>${text}</code></pre></figure></details>`,
  )}</div>`;
}

/** Part by part, for the first ones of a process take milliseconds each. */
export function* operationSlices(
  route: AnyRoute,
  schemas: JsonSchemas,
  examples: Examples,
): Generator<void, Html, void> {
  const answer = schemas.of(route.answer);
  yield;
  const inputs = html`${inputTable("Path", route.params)}${inputTable("Query", route.query)}${inputTable("Body", route.body)}`;
  yield;
  const fields = answerTable(answer, schemas.components);
  yield;
  const example = json(sampleOf(answer, schemas.components));
  yield;
  const requests = samples(route, examples);
  yield;
  return html`<section class="op" id="${route.id}" data-find="${`${route.id} ${route.path} ${route.summary}`.toLowerCase()}">
<div class="say">
<h3><a href="#${route.id}">${route.summary}</a></h3>
<p class="where">${methodBadge(route.method)} <code class="path">${pathText(route.path)}</code></p>
${route.aliases.map((alias) => html`<p class="alias">also <code class="path">${pathText(alias)}</code></p>`)}
<p class="badges">${badges(route)}</p>
<p>${prose(route.description)}</p>
${inputs}
<h4>Answer <span class="status">${route.status}</span></h4>${fields}
<h4>Refusals</h4><ul class="codes">${[...route.errors]
    .sort((a, b) => ERROR_CODES[a].status - ERROR_CODES[b].status)
    .map(
      (code) => html`<li><a href="#error-${code}"><b>${ERROR_CODES[code].status}</b> ${code}</a></li>`,
    )}</ul>
</div>
<div class="show"><div class="stick">
${requests}
<figure><figcaption>Answer</figcaption><pre tabindex="0"><code>${example}</code></pre></figure>
${tryForm(route, examples)}
</div></div></section>`;
}

function badges(route: AnyRoute): Html {
  const { price, cache } = route;
  const miss =
    price.credits > 0
      ? html`<span class="badge soft">nothing found: ${price.miss === 0 ? "free" : grouped(price.miss)}</span>`
      : undefined;
  const resolution = price.resolution
    ? html`<span class="badge soft">uses a wallet resolution</span>`
    : undefined;
  const fresh =
    cache.kind === "shared"
      ? html`<span class="badge soft">cached ${cache.freshSeconds} s</span>`
      : undefined;
  return html`<span class="badge price">${priceText(price)}</span><span class="badge ${route.access}">${accessText(route.access)}</span>${miss}${resolution}${fresh}`;
}

/** Reads of the platform's data, which the explorer's visitors may make too. */
const isForVisitors = ({ method, price }: AnyRoute) => method === "GET" && price.credits > 0;

/** Only reads can be tried from the page. */
function tryForm(route: AnyRoute, { known }: Examples): Html | undefined {
  if (route.method !== "GET") return undefined;
  const { params, query } = filledExample(route, { ...PLACEHOLDERS, ...known });
  const input = (name: string, where: string, value: string) =>
    html`<label><span>${name}</span><input name="${name}" data-in="${where}" value="${value}" autocomplete="off" spellcheck="false"></label>`;
  const inputs = [
    ...Object.keys(route.params.shape).map((name) => input(name, "path", params[name] ?? "")),
    ...Object.keys(route.query.shape).map((name) => input(name, "query", query[name] ?? "")),
  ];
  return html`<details class="try"><summary>Try it</summary><form data-path="${route.path}" data-visitors="${isForVisitors(route) ? "yes" : "no"}">${inputs}<button>Send</button></form><output></output></details>`;
}
