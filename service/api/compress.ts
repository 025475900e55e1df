// Static content is compressed once; clients that can't decode it get it uncompressed.

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { MaybePromise } from "../../kit/maybe-promise.ts";
import { createSingleFlight } from "../../kit/single-flight.ts";

type Encoding = "gzip" | "br";

/** An encoding listed with a quality of 0 is refused. */
const REFUSED: Record<Encoding, RegExp> = {
  gzip: /gzip\s*;\s*q=0(\.0*)?\s*(,|$)/i,
  br: /br\s*;\s*q=0(\.0*)?\s*(,|$)/i,
};

export function accepts(header: string | null, encoding: Encoding): boolean {
  return header?.includes(encoding) === true && !REFUSED[encoding].test(header);
}

/** Compresses on another thread: long content takes milliseconds. */
export const gzipAside: (text: string | Uint8Array) => Promise<Uint8Array<ArrayBuffer>> = promisify(gzip);

/** A document whose encodings are built on first request, once for all concurrent requests. */
export function compressible(make: () => MaybePromise<string>) {
  let plain: Uint8Array<ArrayBuffer> | null = null;
  let zipped: Uint8Array<ArrayBuffer> | null = null;
  const encoder = new TextEncoder();
  const making = createSingleFlight();
  const made = async () => {
    plain = encoder.encode(await make());
    return plain;
  };
  return async (request: Request, headers: Record<string, string>): Promise<Response> => {
    const text = plain ?? (await making.run("plain", made));
    const common = { ...headers, vary: "accept-encoding" };
    if (!accepts(request.headers.get("accept-encoding"), "gzip"))
      return new Response(text, { headers: common });
    zipped ??= await making.run("gzip", async () => gzipAside(text));
    return new Response(zipped, { headers: { ...common, "content-encoding": "gzip" } });
  };
}
