/** @jsxImportSource preact */
// The reference page. It is generated from the contract, so it can't disagree with the service; the names in its examples
// exist on the platform in use.
import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { type Chains, DEFAULT_CHAINS } from "../../contract/chains.ts";
import { CLIENT_FRAMES, SERVER_FRAMES, STREAMS } from "../../contract/frames.ts";
import { createJsonSchemas } from "../../contract/json-schema.ts";
import { TAGS } from "../../contract/route.ts";
import { ALL_ROUTES } from "../../contract/routes.ts";
import type { AssetUrls } from "../assets/assets.ts";
import type { VisitorMode } from "../shared/data.ts";
import { renderDocument } from "../shared/document.tsx";
import { Masthead } from "../shared/masthead.tsx";
import { ErrorsSection, PlansSection, StartSection } from "./guide.tsx";
import { Operation } from "./operation.tsx";
import { ALL_FRAMES, CloseCodes, FrameSection, FramesHeading, StreamsIntroduction } from "./streams.tsx";
import { MethodBadge } from "./text.tsx";

export interface DocsSettings {
  /** The base URL in the page's commands. */
  baseUrl?: string;
  chains?: Chains;
  /** A handle, a token and a trade that exist, so that the examples work when pasted. */
  known?: Readonly<Record<string, string>>;
  /** How visitors without a key may try calls; null without an explorer. */
  explorer?: VisitorMode | null;
  isSimulated?: boolean;
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

/** The same section by section, so that a running server is not blocked by the whole page. */
export function* docsSlices(settings: DocsSettings, assets: AssetUrls): Generator<void, string, void> {
  const { baseUrl = "http://localhost:8080", explorer = null } = settings;
  const sections: string[] = [];
  for (const section of sectionsOf(settings)) {
    if (section !== null) sections.push(renderToString(section));
    yield;
  }
  const body = (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Masthead current="/docs" explorer={explorer !== null} isSimulated={settings.isSimulated ?? false} />
      <div class="docs" data-mode={explorer ?? "off"}>
        <div class="side">
          <button id="menu" type="button" aria-expanded={false} aria-controls="nav">
            Menu
          </button>
          <Menu />
        </div>
        <main id="main" dangerouslySetInnerHTML={{ __html: sections.join("\n") }} />
      </div>
    </>
  );
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

/** Null means a step that only prepared the next section. */
function* sectionsOf(settings: DocsSettings): Generator<VNode | null, void, void> {
  const { baseUrl = "http://localhost:8080", chains = DEFAULT_CHAINS, known = {} } = settings;
  const schemas = createJsonSchemas();
  yield <StartSection baseUrl={baseUrl} chains={chains} />;
  yield <PlansSection />;
  for (const [tag, description] of Object.entries(TAGS)) {
    yield <TagSection tag={tag} description={description} />;
    for (const route of routesOf(tag)) {
      const answer = schemas.of(route.answer);
      yield null;
      yield (
        <Operation
          route={route}
          answer={answer}
          components={schemas.components}
          examples={{ baseUrl, known }}
        />
      );
    }
  }
  yield <StreamsIntroduction wsUrl={baseUrl.replace(/^http/, "ws")} />;
  const frame = (name: keyof typeof ALL_FRAMES) => (
    <FrameSection name={name} schema={schemas.of(ALL_FRAMES[name])} components={schemas.components} />
  );
  yield <FramesHeading id="frames" title="Frames from the server" />;
  for (const name of Object.keys(SERVER_FRAMES) as (keyof typeof SERVER_FRAMES)[]) yield frame(name);
  yield (
    <FramesHeading
      id="client-frames"
      title="Frames from you"
      text="A filter's fields are combined with AND, the values of one with OR."
    />
  );
  for (const name of Object.keys(CLIENT_FRAMES) as (keyof typeof CLIENT_FRAMES)[]) yield frame(name);
  yield <CloseCodes />;
  yield <ErrorsSection />;
}

function TagSection({ tag, description }: { tag: string; description: string }) {
  return (
    <section class="wide tag" id={tagId(tag)}>
      <h2>
        <a href={`#${tagId(tag)}`}>{tag}</a>
      </h2>
      <p>{description}</p>
    </section>
  );
}

function Menu() {
  return (
    <nav id="nav" aria-label="Reference">
      <label class="sr" for="filter">
        Filter the menu
      </label>
      <input id="filter" type="search" placeholder="Filter  /" autocomplete="off" />
      <div class="entries">
        <div class="group">
          <ul>
            <Item href="start" find="getting started keys credits">
              Getting started
            </Item>
            <Item href="plans" find="plans limits">
              Plans and limits
            </Item>
            <Item href="errors" find="errors">
              Errors
            </Item>
          </ul>
        </div>
        {Object.keys(TAGS).map((tag) => (
          <div key={tag} class="group">
            <h2>
              <a href={`#${tagId(tag)}`}>{tag}</a>
            </h2>
            <ul>
              {routesOf(tag).map(({ id, path, summary, method }) => (
                <Item key={id} href={id} find={`${id} ${path} ${summary} ${tag}`}>
                  <span>{summary}</span>
                  <MethodBadge method={method} />
                </Item>
              ))}
            </ul>
          </div>
        ))}
        <div class="group">
          <h2>
            <a href="#streams">Streams</a>
          </h2>
          <ul>
            {Object.values(STREAMS).map(({ path, summary }) => (
              <Item key={path} href={`stream-${path.slice(4)}`} find={`${path} ${summary} socket stream`}>
                <span>{summary}</span>
                <MethodBadge method="WS" />
              </Item>
            ))}
            <Item href="socket-walk" find="socket walk through resume">
              Step by step
            </Item>
            <Item href="frames" find="frames welcome heartbeat resume">
              Frames
            </Item>
            <Item href="close-codes" find="close codes">
              Close codes
            </Item>
          </ul>
        </div>
      </div>
    </nav>
  );
}

function Item(props: { href: string; find: string; children: ComponentChildren }) {
  return (
    <li data-find={props.find.toLowerCase()}>
      <a href={`#${props.href}`}>{props.children}</a>
    </li>
  );
}
