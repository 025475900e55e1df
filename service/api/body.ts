// Request bodies: JSON only, small only, read up to a limit. A body that lies about its length, or is compressed,
// is measured as it arrives.
import { fault } from "../../contract/errors.ts";
import { readBody } from "../../kit/body.ts";

/** The largest legitimate body is a few hundred bytes; this leaves room for a verbose client. */
export const BODY_BYTES_MAX = 64 * 1_024;

/** The body's raw bytes, measured as they arrive. */
export async function readRequestBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  const read = await readBody(request, bytesMax);
  if (read.kind === "whole") return read.bytes;
  if (read.kind === "tooLarge")
    throw fault("payload_too_large", `The body may be ${bytesMax} bytes at most.`);
  if (!request.signal.aborted) throw read.cause;
  throw fault("invalid_body", "The connection closed before the body was complete.");
}

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
  const bytes = await readRequestBytes(request, BODY_BYTES_MAX);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
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
