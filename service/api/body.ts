// Request bodies: JSON only, small only, read within a bound. A body that lies about its length, or comes packed,
// is measured as it arrives.
import { fault } from "../../contract/errors.ts";
import { readBytes } from "./forms.ts";

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
  const bytes = await readBytes(request, BODY_LIMIT_BYTES);
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
