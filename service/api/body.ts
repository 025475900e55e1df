// Request bodies: JSON only, small only, read within a bound. A body that lies about its length, or comes packed,
// is measured as it arrives.
import { fault } from "../../contract/errors.ts";

/** The largest body any call takes is a few hundred bytes; this leaves room for a generous client. */
export const BODY_LIMIT_BYTES = 64 * 1_024;

export async function readBodyText(request: Request): Promise<string> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw fault(
      "unsupported_media_type",
      "Send the body as JSON, with the header Content-Type: application/json.",
    );
  }
  if (request.headers.get("content-encoding")) {
    throw fault("unsupported_media_type", "Send the body without a Content-Encoding.");
  }
  const tooLarge = () => fault("payload_too_large", `The body may be ${BODY_LIMIT_BYTES} bytes at the most.`);
  if (Number(request.headers.get("content-length") ?? 0) > BODY_LIMIT_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > BODY_LIMIT_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (problem) {
    if (request.signal.aborted) throw fault("invalid_body", "The connection ended before the body did.");
    throw problem;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw fault("invalid_body", "The body is not valid UTF-8.");
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fault("invalid_body", "The body is not valid JSON.");
  }
}
