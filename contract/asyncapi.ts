// The AsyncAPI 3.0 document of the two streams, generated from STREAMS and the frames.

import { withChains } from "./chain-enum.ts";
import { type Chains, DEFAULT_CHAINS } from "./chains.ts";
import {
  CLIENT_FRAMES,
  CLOSE_CODES,
  FRAME_BYTES_MAX,
  HEARTBEAT_SECONDS,
  SERVER_FRAMES,
  STREAMS,
  type StreamName,
} from "./frames.ts";
import { createJsonSchemas, type Json } from "./json-schema.ts";
import { fieldSchema } from "./openapi.ts";
import { factsOf } from "./parts.ts";
import { sampleOf } from "./sample.ts";

const entries = <T extends object>(record: T) => Object.entries(record) as [keyof T & string, T[keyof T]][];

export interface StreamsSettings {
  wsBaseUrl: string;
  version: string;
  chains?: Chains;
}

/** One frame at a time, for callers that must not block on all of them. */
export function* asyncApiSlices({
  wsBaseUrl,
  version,
  chains = DEFAULT_CHAINS,
}: StreamsSettings): Generator<void, Json, void> {
  const url = new URL(wsBaseUrl);
  const schemas = createJsonSchemas();
  const message = (name: string, schema: Parameters<typeof schemas.of>[0]): Json => {
    const payload = schemas.of(schema);
    return {
      name,
      title: name,
      summary: String(schema.meta()?.description ?? name),
      contentType: "application/json",
      payload,
      examples: [{ name, payload: sampleOf(payload, schemas.components) }],
    };
  };
  const messages: Record<string, Json> = {};
  for (const [name, schema] of [...entries(SERVER_FRAMES), ...entries(CLIENT_FRAMES)]) {
    messages[name] = message(name, schema);
    yield;
  }

  return withChains(chains, {
    asyncapi: "3.0.0",
    id: "urn:crowdtape:streams",
    info: {
      title: "Crowdtape streams",
      version,
      description: introduction(),
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
      contact: { name: "Crowdtape", url: `${wsBaseUrl.replace(/^ws/, "http")}/docs` },
      tags: [{ name: "streams", description: "Live events over WebSocket." }],
    },
    defaultContentType: "application/json",
    servers: {
      here: {
        host: url.host,
        protocol: url.protocol.replace(":", ""),
        description: "This service.",
        security: [{ $ref: "#/components/securitySchemes/bearerAuth" }],
      },
    },
    channels: Object.fromEntries(entries(STREAMS).map(([name]) => [name, channel(name)])),
    operations: Object.assign({}, ...entries(STREAMS).map(([name]) => operations(name))),
    components: {
      messages,
      schemas: schemas.components,
      securitySchemes: {
        bearerAuth: {
          type: "http",
          scheme: "bearer",
          description: "An API key; or ?key= or ?ticket= in the address.",
        },
      },
    },
  });
}

function introduction(): string {
  const codes = entries(CLOSE_CODES).map(([code, { name, meaning }]) => `${code} ${name}: ${meaning}`);
  return (
    `Frames are JSON objects of at most ${FRAME_BYTES_MAX} bytes; a heartbeat comes every ${HEARTBEAT_SECONDS} seconds. ` +
    "To miss nothing, connect again with ?resume=<epoch>.<seq>. Close codes: " +
    codes.join(" ")
  );
}

function channel(name: StreamName): Json {
  const stream = STREAMS[name];
  const named = [...stream.frames, ...Object.keys(CLIENT_FRAMES)];
  const properties = Object.entries(stream.query.shape).map(([field, schema]) => [
    field,
    { ...fieldSchema(schema), description: factsOf(schema)?.description ?? field },
  ]);
  return {
    address: stream.path,
    title: stream.summary,
    description: stream.description,
    servers: [{ $ref: "#/servers/here" }],
    messages: Object.fromEntries(named.map((frame) => [frame, { $ref: `#/components/messages/${frame}` }])),
    bindings: {
      ws: { method: "GET", query: { type: "object", properties: Object.fromEntries(properties) } },
    },
  };
}

/** From the service's point of view: it sends server frames and receives client frames. */
function operations(name: StreamName): Json {
  const refer = (frame: string) => ({ $ref: `#/channels/${name}/messages/${frame}` });
  const operation = (action: string, summary: string, frames: readonly string[]) => ({
    action,
    channel: { $ref: `#/channels/${name}` },
    summary,
    description: STREAMS[name].description,
    messages: frames.map(refer),
  });
  return {
    [`${name}Send`]: operation("send", `What ${STREAMS[name].path} sends`, STREAMS[name].frames),
    [`${name}Receive`]: operation("receive", `What ${STREAMS[name].path} takes`, Object.keys(CLIENT_FRAMES)),
  };
}
