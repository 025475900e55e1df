// The two sockets: how to open them, what they send and take, how to miss nothing, and what a close means.
import type { z } from "zod";
import {
  CLIENT_FRAMES,
  CLOSE_CODES,
  HEARTBEAT_SECONDS,
  SERVER_FRAMES,
  STREAMS,
} from "../../contract/frames.ts";
import type { JsonSchemas } from "../../contract/json-schema.ts";
import { sampleOf } from "../../contract/sample.ts";
import { type Html, html, json, prose } from "../shared/html.ts";
import { answerTable, inputTable } from "./fields.ts";
import { accessText } from "./operation.ts";

/** A frame at a time. */
export function* streamsSlices(schemas: JsonSchemas, baseUrl: string): Generator<void, Html, void> {
  const wsUrl = baseUrl.replace(/^http/, "ws");
  const frames: Html[] = [];
  for (const [name, schema] of Object.entries(SERVER_FRAMES)) {
    frames.push(frame(name, schema, schemas));
    yield;
  }
  const clientFrames: Html[] = [];
  for (const [name, schema] of Object.entries(CLIENT_FRAMES)) {
    clientFrames.push(frame(name, schema, schemas, CLIENT_EXAMPLES[name]));
    yield;
  }
  return html`<section class="wide" id="streams"><h2><a href="#streams">Streams</a></h2>
<p>Frames are JSON objects. The first is <a href="#frame-welcome"><code>welcome</code></a>; a <a href="#frame-heartbeat"><code>heartbeat</code></a> comes every ${HEARTBEAT_SECONDS} seconds. To miss nothing, remember the last <code>seq</code> and connect again with <code>resume</code>: what you missed is replayed oldest first, then live goes on, none missing and none twice. Nothing is replayed unasked.</p></section>
${walkThrough(wsUrl)}
${Object.values(STREAMS).map(
  (
    stream,
  ) => html`<section class="op" id="stream-${stream.path.slice(4)}" data-find="${`${stream.path} ${stream.summary}`.toLowerCase()}"><div class="say">
<h3><a href="#stream-${stream.path.slice(4)}">${stream.summary}</a></h3>
<p class="where"><span class="method ws">WS</span> <code class="path">${stream.path}</code></p>
<p class="badges"><span class="badge price">free</span><span class="badge ${stream.access}">${accessText(stream.access)}</span></p>
<p>${prose(stream.description)}</p>${inputTable("Query", stream.query)}
<h4>Sends</h4><ul class="codes">${stream.frames.map((name) => html`<li><a href="#frame-${name}">${name}</a></li>`)}</ul></div>
<div class="show"><div class="stick"><figure><figcaption>Connect<button type="button" class="copy">Copy</button></figcaption><pre tabindex="0"><code>npx wscat -H "Authorization: Bearer $CROWDTAPE_KEY" \\
  -c "${wsUrl}${stream.path}?chain=solana"</code></pre></figure></div></div></section>`,
)}
<section class="wide" id="frames"><h3><a href="#frames">Frames from the server</a></h3></section>
${frames}
<section class="wide" id="client-frames"><h3><a href="#client-frames">Frames from you</a></h3>
<p>A filter's fields are combined with AND, the values of one with OR.</p></section>
${clientFrames}
<section class="wide" id="close-codes"><h3><a href="#close-codes">Close codes</a></h3>
<div class="scroll" tabindex="0" role="region" aria-label="Close codes"><table><thead><tr><th scope="col">Code</th><th scope="col">Name</th><th scope="col">Meaning</th><th scope="col">Connect again</th></tr></thead><tbody>${Object.entries(
    CLOSE_CODES,
  ).map(
    ([code, { name, meaning, reconnect }]) =>
      html`<tr id="close-${code}"><th scope="row">${code}</th><td><code>${name}</code></td><td>${meaning}</td><td>${reconnect ? "yes" : "no"}</td></tr>`,
  )}</tbody></table></div></section>`;
}

/** A whole life of a socket, in the order it happens. */
function walkThrough(wsUrl: string): Html {
  const steps: [string, string, string][] = [
    [
      "Connect",
      "Without a key the feed is 60 seconds late. With one, ask for a ticket first, so that the key stays out of the address.",
      `curl -X POST "${wsUrl.replace(/^ws/, "http")}/v2/stream-tickets" -H "Authorization: Bearer $CROWDTAPE_KEY"\n# then open: ${wsUrl}/ws/alerts?ticket=tkt_…&type=buy&chain=solana`,
    ],
    [
      "Read the welcome",
      "It tells how late the feed is and where the log stands. Keep epoch and seq.",
      '{ "type": "welcome", "realtime": true, "delaySeconds": 0, "heartbeatSeconds": 20, "seq": 48211, "epoch": "5f0c1c7e-…" }',
    ],
    [
      "Take what comes",
      "Each alert has a seq that only grows. Remember the last one.",
      '{ "type": "alert", "alertType": "buy", "seq": 48230, "trader": "nightowl", "token": "MOONCAT", "fillUsd": 427.5 }',
    ],
    [
      "Tell quiet from dead",
      `A heartbeat comes every ${HEARTBEAT_SECONDS} seconds. Two missed: connect again.`,
      '{ "type": "heartbeat", "seq": 48255, "quietSeconds": 2.1, "lagMs": 4 }',
    ],
    [
      "Come back without a hole",
      "Connect with resume: what was missed is replayed oldest first, then resumed says that live goes on. A gap frame says what is no longer kept.",
      `${wsUrl}/ws/alerts?ticket=tkt_…&resume=5f0c1c7e-….48230`,
    ],
    [
      "Change the filter",
      "On the same socket, at any time.",
      '{ "action": "subscribe", "traders": ["nightowl"], "types": ["buy", "sell"], "minUsd": 500 }',
    ],
  ];
  return html`<section class="wide" id="socket-walk"><h3><a href="#socket-walk">A socket, step by step</a></h3><ol class="walk">${steps.map(
    ([title, text, code]) =>
      html`<li><b>${title}.</b> ${prose(text)}<figure><figcaption>${title}<button type="button" class="copy">Copy</button></figcaption><pre tabindex="0"><code>${code}</code></pre></figure></li>`,
  )}</ol></section>`;
}

const CLIENT_EXAMPLES: Record<string, unknown> = {
  subscribe: {
    action: "subscribe",
    traders: ["nightowl"],
    chains: ["solana"],
    types: ["buy", "sell"],
    minUsd: 500,
  },
  unsubscribe: { action: "unsubscribe" },
  ping: { action: "ping" },
};

function frame(name: string, frameOf: z.ZodType, schemas: JsonSchemas, given?: unknown): Html {
  const schema = schemas.of(frameOf);
  const description = String(frameOf.meta()?.description ?? "");
  const example = given ?? sampleOf(schema, schemas.components);
  return html`<section class="op frame" id="frame-${name}" data-find="${`${name} frame`}"><div class="say"><h4><a href="#frame-${name}"><code>${name}</code></a></h4><p>${prose(description)}</p>
<details><summary>Fields</summary>${answerTable(schema, schemas.components)}</details></div>
<div class="show"><figure><pre tabindex="0"><code>${json(example)}</code></pre></figure></div></section>`;
}
