/** @jsxImportSource preact */
// One operation as a reader needs it: its effect, price, parameters, answers and errors, with a command to paste.
import { ERROR_CODES } from "../../contract/errors.ts";
import { examplePath, filledExample, PLACEHOLDERS } from "../../contract/examples.ts";
import type { Json } from "../../contract/json-schema.ts";
import type { AccessRule, AnyRoute, Price } from "../../contract/route.ts";
import { sampleOf } from "../../contract/sample.ts";
import { grouped } from "../shared/format.ts";
import { curlOf, pythonOf, type SampleRequest, typescriptOf } from "../shared/samples.ts";
import { AnswerFields, type Components, InputFields } from "./fields.tsx";
import { Example, JsonText, MethodBadge, Prose } from "./text.tsx";

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

export function AccessBadge({ access }: { access: AccessRule }) {
  return <span class={`badge ${access}`}>{ACCESS[access]}</span>;
}

/** The path with its parameters highlighted. */
function PathText({ path }: { path: string }) {
  const pieces = path.split(/(\{[^}]+\})/g);
  return (
    <code class="path">
      {pieces.map((piece, index) => (piece.startsWith("{") ? <var key={index}>{piece}</var> : piece))}
    </code>
  );
}

export interface Examples {
  baseUrl: string;
  /** Values for {placeholders}; without one, the contract's own example is used. */
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
function Samples({ route, examples }: { route: AnyRoute; examples: Examples }) {
  const request = sampleRequest(route, examples);
  const texts = { curl: curlOf(request), TypeScript: typescriptOf(request), Python: pythonOf(request) };
  return (
    <div class="samples">
      {Object.entries(texts).map(([name, text]) => (
        <details key={name} name={`sample-${route.id}`} open={name === "curl"}>
          <summary>{name}</summary>
          <Example title="Request" isCopied>
            {text}
          </Example>
        </details>
      ))}
    </div>
  );
}

export function Operation(props: {
  route: AnyRoute;
  /** The schema of the answer; its references are among the components. */
  answer: Json;
  components: Components;
  examples: Examples;
}) {
  const { route, answer, components, examples } = props;
  const codes = [...route.errors].sort((a, b) => ERROR_CODES[a].status - ERROR_CODES[b].status);
  return (
    <section class="op" id={route.id} data-find={`${route.id} ${route.path} ${route.summary}`.toLowerCase()}>
      <div class="say">
        <h3>
          <a href={`#${route.id}`}>{route.summary}</a>
        </h3>
        <p class="where">
          <MethodBadge method={route.method} /> <PathText path={route.path} />
        </p>
        {route.aliases.map((alias) => (
          <p key={alias} class="alias">
            also <PathText path={alias} />
          </p>
        ))}
        <p class="badges">
          <Badges route={route} />
        </p>
        <p>
          <Prose text={route.description} />
        </p>
        <InputFields title="Path" schema={route.params} />
        <InputFields title="Query" schema={route.query} />
        <InputFields title="Body" schema={route.body} />
        <h4>
          Answer <span class="status">{route.status}</span>
        </h4>
        <AnswerFields schema={answer} components={components} />
        <h4>Refusals</h4>
        <ul class="codes">
          {codes.map((code) => (
            <li key={code}>
              <a href={`#error-${code}`}>
                <b>{ERROR_CODES[code].status}</b> {code}
              </a>
            </li>
          ))}
        </ul>
      </div>
      <div class="show">
        <div class="stick">
          <Samples route={route} examples={examples} />
          <Example title="Answer">
            <JsonText value={sampleOf(answer, components)} />
          </Example>
          <TryForm route={route} examples={examples} />
        </div>
      </div>
    </section>
  );
}

function Badges({ route: { price, cache, access } }: { route: AnyRoute }) {
  return (
    <>
      <span class="badge price">{priceText(price)}</span>
      <AccessBadge access={access} />
      {price.credits > 0 ? (
        <span class="badge soft">nothing found: {price.miss === 0 ? "free" : grouped(price.miss)}</span>
      ) : null}
      {price.resolution ? <span class="badge soft">uses a wallet resolution</span> : null}
      {cache.kind === "shared" ? <span class="badge soft">cached {cache.freshSeconds} s</span> : null}
    </>
  );
}

/** Reads of the platform's data, which the explorer's visitors may make too. */
const isForVisitors = ({ method, price }: AnyRoute) => method === "GET" && price.credits > 0;

/** Only reads can be tried from the page. */
function TryForm({ route, examples }: { route: AnyRoute; examples: Examples }) {
  if (route.method !== "GET") return null;
  const { params, query } = filledExample(route, { ...PLACEHOLDERS, ...examples.known });
  const inputs = [
    ...Object.keys(route.params.shape).map((name) => ({ name, where: "path", value: params[name] ?? "" })),
    ...Object.keys(route.query.shape).map((name) => ({ name, where: "query", value: query[name] ?? "" })),
  ];
  return (
    <details class="try">
      <summary>Try it</summary>
      <form data-path={route.path} data-visitors={isForVisitors(route) ? "yes" : "no"}>
        {inputs.map(({ name, where, value }) => (
          <label key={name}>
            <span>{name}</span>
            <input name={name} data-in={where} value={value} autocomplete="off" spellcheck={false} />
          </label>
        ))}
        <button type="submit">Send</button>
      </form>
      <output />
    </details>
  );
}
