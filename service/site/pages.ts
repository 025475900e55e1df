// How pages and documents are sent: compressed, never framed, and with scripts and styles from this origin only, never
// inline.

import type { MaybePromise } from "../../kit/maybe-promise.ts";
import { createSingleFlight } from "../../kit/single-flight.ts";
import { servingTurn } from "../../kit/turn.ts";
import { accepts, compressible, gzipAside } from "../api/compress.ts";
import type { SitePage } from "../api/page.ts";

const HTML_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self' https://checkout.stripe.com",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** How long a browser may keep a document that changes only with the program. */
const DOCUMENT_SECONDS = 300;
/** Below this, compressing costs more than the bytes it saves. */
const GZIP_FROM_BYTES = 1_400;

const HTML_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": HTML_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

export function html(body: string, status = 200): Response {
  return new Response(body, { status, headers: HTML_HEADERS });
}

/** The same, compressed for clients that accept it, on another thread. */
export async function compressedHtml(
  request: Request,
  body: string | { plain: string; gzip: Uint8Array<ArrayBuffer> },
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Promise<Response> {
  const plain = typeof body === "string" ? body : body.plain;
  const shared = { ...HTML_HEADERS, vary: "Accept-Encoding", ...headers };
  if (plain.length < GZIP_FROM_BYTES || !accepts(request.headers.get("accept-encoding"), "gzip"))
    return new Response(plain, { status, headers: shared });
  const bytes = typeof body === "string" ? await gzipAside(body) : body.gzip;
  return new Response(bytes, { status, headers: { ...shared, "content-encoding": "gzip" } });
}

/** A page rendered once for all requests; one that is not whole yet is rendered again for the next. */
export function fixedHtml(make: () => Promise<{ text: string; isWhole: boolean }>): SitePage {
  let kept: { plain: string; gzip: Uint8Array<ArrayBuffer> } | null = null;
  const making = createSingleFlight();
  const made = async () => {
    const { text, isWhole } = await make();
    const page = { plain: text, gzip: await gzipAside(text) };
    if (isWhole) kept = page;
    return page;
  };
  return { GET: async (request) => compressedHtml(request, kept ?? (await making.run("page", made))) };
}

/** An answer outside the contract: never cached, open to every origin. */
export function json(body: unknown): Response {
  return Response.json(body, {
    headers: { "access-control-allow-origin": "*", "cache-control": "no-store" },
  });
}

export function fixedJson(make: () => unknown): SitePage {
  return fixedDocument("application/json; charset=utf-8", async () => {
    const value = await make();
    // Building it took its turns; serialising it takes one more.
    await servingTurn();
    return JSON.stringify(value, null, 2);
  });
}

export function fixedText(make: () => string): SitePage {
  return fixedDocument("text/plain; charset=utf-8", make);
}

function fixedDocument(contentType: string, make: () => MaybePromise<string>): SitePage {
  const send = compressible(make);
  const headers = {
    "content-type": contentType,
    "access-control-allow-origin": "*",
    "cache-control": `public, max-age=${DOCUMENT_SECONDS}`,
  };
  return { GET: (request) => send(request, headers) };
}
