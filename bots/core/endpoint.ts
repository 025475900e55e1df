// The endpoint that a chat platform posts to: one path, a bounded body, and nothing else. Listens until its signal aborts.
import { readBody } from "../../kit/body.ts";
import { MIB } from "../../kit/units.ts";

export interface EndpointParts {
  host: string;
  port: number;
  path: string;
  /** Returns the body to respond with; the text is exactly as it was signed. */
  answer(headers: Headers, text: string): Promise<Response>;
  /** Called with the port once it listens; if this rejects, the endpoint ends with that error. */
  ready(port: number): Promise<void>;
}

const BODY_BYTES_MAX = MIB;

export const statusOnly = (status: number) => new Response(null, { status });

export async function serveEndpoint(parts: EndpointParts, signal: AbortSignal): Promise<void> {
  const server = Bun.serve({
    hostname: parts.host,
    port: parts.port,
    maxRequestBodySize: BODY_BYTES_MAX,
    async fetch(request) {
      if (new URL(request.url).pathname !== parts.path) return statusOnly(404);
      if (request.method !== "POST") return statusOnly(405);
      const body = await readBody(request, BODY_BYTES_MAX);
      if (body.kind !== "whole") return statusOnly(413);
      return parts.answer(request.headers, new TextDecoder().decode(body.bytes));
    },
  });
  try {
    await parts.ready(Number(server.port));
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  } finally {
    await server.stop(true);
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
