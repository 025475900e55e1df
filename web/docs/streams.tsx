/** @jsxImportSource preact */
// The two sockets: how to open them, their messages in both directions, how to miss nothing, and the close codes.
import {
  CLIENT_FRAMES,
  CLOSE_CODES,
  HEARTBEAT_SECONDS,
  SERVER_FRAMES,
  STREAMS,
} from "../../contract/frames.ts";
import type { Json } from "../../contract/json-schema.ts";
import { sampleOf } from "../../contract/sample.ts";
import { Scroll } from "../shared/bits.tsx";
import { AnswerFields, type Components, InputFields } from "./fields.tsx";
import { AccessBadge } from "./operation.tsx";
import { Example, JsonText, MethodBadge, Prose } from "./text.tsx";

export function StreamsIntroduction({ wsUrl }: { wsUrl: string }) {
  return (
    <>
      <section class="wide" id="streams">
        <h2>
          <a href="#streams">Streams</a>
        </h2>
        <p>
          Frames are JSON objects. The first is{" "}
          <a href="#frame-welcome">
            <code>welcome</code>
          </a>
          ; a{" "}
          <a href="#frame-heartbeat">
            <code>heartbeat</code>
          </a>{" "}
          comes every {HEARTBEAT_SECONDS} seconds. To miss nothing, remember the last <code>seq</code> and
          connect again with <code>resume</code>: what you missed is replayed oldest first, then live
          continues, none missing and none twice. Nothing is replayed unasked.
        </p>
      </section>
      <WalkThrough wsUrl={wsUrl} />
      {Object.values(STREAMS).map((stream) => (
        <StreamSection key={stream.path} stream={stream} wsUrl={wsUrl} />
      ))}
    </>
  );
}

function StreamSection({ stream, wsUrl }: { stream: (typeof STREAMS)[keyof typeof STREAMS]; wsUrl: string }) {
  const id = `stream-${stream.path.slice(4)}`;
  return (
    <section class="op" id={id} data-find={`${stream.path} ${stream.summary}`.toLowerCase()}>
      <div class="say">
        <h3>
          <a href={`#${id}`}>{stream.summary}</a>
        </h3>
        <p class="where">
          <MethodBadge method="WS" /> <code class="path">{stream.path}</code>
        </p>
        <p class="badges">
          <span class="badge price">free</span>
          <AccessBadge access={stream.access} />
        </p>
        <p>
          <Prose text={stream.description} />
        </p>
        <InputFields title="Query" schema={stream.query} />
        <h4>Sends</h4>
        <ul class="codes">
          {stream.frames.map((name) => (
            <li key={name}>
              <a href={`#frame-${name}`}>{name}</a>
            </li>
          ))}
        </ul>
      </div>
      <div class="show">
        <div class="stick">
          <Example title="Connect" isCopied>
            {`npx wscat -H "Authorization: Bearer $CROWDTAPE_KEY" \\
  -c "${wsUrl}${stream.path}?chain=solana"`}
          </Example>
        </div>
      </div>
    </section>
  );
}

/** A socket's life cycle, in order. */
const stepsOf = (wsUrl: string): [title: string, text: string, code: string][] => [
  [
    "Connect",
    "Without a key the feed is 60 seconds late. With one, ask for a ticket first, so that the key stays out of the address.",
    `curl -X POST "${wsUrl.replace(/^ws/, "http")}/v2/stream-tickets" -H "Authorization: Bearer $CROWDTAPE_KEY"\n# then open: ${wsUrl}/ws/alerts?ticket=tkt_…&type=buy&chain=solana`,
  ],
  [
    "Read the welcome",
    "It gives the feed's delay and the log's position. Store epoch and seq.",
    '{ "type": "welcome", "realtime": true, "delaySeconds": 0, "heartbeatSeconds": 20, "seq": 48211, "epoch": "5f0c1c7e-…" }',
  ],
  [
    "Read the alerts",
    "Each alert has a seq that only grows. Remember the last one.",
    '{ "type": "alert", "alertType": "buy", "seq": 48230, "trader": "mayatrades", "token": "MOONCAT", "fillUsd": 427.5 }',
  ],
  [
    "Tell quiet from dead",
    `A heartbeat comes every ${HEARTBEAT_SECONDS} seconds. Reconnect after two are missed.`,
    '{ "type": "heartbeat", "seq": 48255, "quietSeconds": 2.1, "lagMs": 4 }',
  ],
  [
    "Reconnect without a hole",
    "Connect with resume: missed events are replayed oldest first, then resumed marks the switch to live. A gap frame names events that are no longer kept.",
    `${wsUrl}/ws/alerts?ticket=tkt_…&resume=5f0c1c7e-….48230`,
  ],
  [
    "Change the filter",
    "On the same socket, at any time.",
    '{ "action": "subscribe", "traders": ["mayatrades"], "types": ["buy", "sell"], "minUsd": 500 }',
  ],
];

function WalkThrough({ wsUrl }: { wsUrl: string }) {
  return (
    <section class="wide" id="socket-walk">
      <h3>
        <a href="#socket-walk">A socket, step by step</a>
      </h3>
      <ol class="walk">
        {stepsOf(wsUrl).map(([title, text, code]) => (
          <li key={title}>
            <b>{title}.</b> <Prose text={text} />
            <Example title={title} isCopied>
              {code}
            </Example>
          </li>
        ))}
      </ol>
    </section>
  );
}

const CLIENT_EXAMPLES: Record<keyof typeof CLIENT_FRAMES, unknown> = {
  subscribe: {
    action: "subscribe",
    traders: ["mayatrades"],
    chains: ["solana"],
    types: ["buy", "sell"],
    minUsd: 500,
  },
  unsubscribe: { action: "unsubscribe" },
  ping: { action: "ping" },
};

export const ALL_FRAMES = { ...SERVER_FRAMES, ...CLIENT_FRAMES };

export function FramesHeading({ id, title, text }: { id: string; title: string; text?: string }) {
  return (
    <section class="wide" id={id}>
      <h3>
        <a href={`#${id}`}>{title}</a>
      </h3>
      {text === undefined ? null : <p>{text}</p>}
    </section>
  );
}

export function FrameSection(props: { name: keyof typeof ALL_FRAMES; schema: Json; components: Components }) {
  const { name, schema, components } = props;
  const example: unknown =
    CLIENT_EXAMPLES[name as keyof typeof CLIENT_FRAMES] ?? sampleOf(schema, components);
  return (
    <section class="op frame" id={`frame-${name}`} data-find={`${name} frame`}>
      <div class="say">
        <h4>
          <a href={`#frame-${name}`}>
            <code>{name}</code>
          </a>
        </h4>
        <p>
          <Prose text={String(ALL_FRAMES[name].meta()?.description ?? "")} />
        </p>
        <details>
          <summary>Fields</summary>
          <AnswerFields schema={schema} components={components} />
        </details>
      </div>
      <div class="show">
        <Example>
          <JsonText value={example} />
        </Example>
      </div>
    </section>
  );
}

export function CloseCodes() {
  return (
    <section class="wide" id="close-codes">
      <h3>
        <a href="#close-codes">Close codes</a>
      </h3>
      <Scroll label="Close codes">
        <table>
          <thead>
            <tr>
              {["Code", "Name", "Meaning", "Connect again"].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Object.entries(CLOSE_CODES).map(([code, { name, meaning, reconnect }]) => (
              <tr key={code} id={`close-${code}`}>
                <th scope="row">{code}</th>
                <td>
                  <code>{name}</code>
                </td>
                <td>{meaning}</td>
                <td>{reconnect ? "yes" : "no"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
